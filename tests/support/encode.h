#pragma once
// Content codings for tests: the other direction of fetch/decode.h.
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace support {

/// `window_bits`: 31 gzip, 15 zlib, -15 raw deflate.
inline std::string zlib_coded(std::string_view text, int window_bits, int level = 9) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

inline std::string gzip(std::string_view text) {
  return zlib_coded(text, 31);
}

inline std::string brotli(std::string_view text) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size()) + 64;
  std::string out(size, '\0');
  const auto worked = BrotliEncoderCompress(9, 22, BROTLI_MODE_TEXT, text.size(),
                                            reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                                            reinterpret_cast<std::uint8_t*>(out.data()));
  if (worked != BROTLI_TRUE) throw std::runtime_error("brotli");
  out.resize(size);
  return out;
}

/// `window_log` 0: as zstd likes.
inline std::string zstd(std::string_view text, int window_log = 0) {
  ZSTD_CCtx* const state = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, 9);
  if (window_log != 0) {
    ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(state, ZSTD_c_contentSizeFlag, 0);
  }
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  std::size_t left = 1;
  // In two steps, because a frame begun with everything at hand is a single segment without a window.
  ZSTD_inBuffer first{text.data(), text.size() / 2, 0};
  if (window_log != 0) ZSTD_compressStream2(state, &to, &first, ZSTD_e_continue);
  ZSTD_inBuffer rest{text.data(), text.size(), window_log != 0 ? text.size() / 2 : 0};
  while (left != 0 && ZSTD_isError(left) == 0) left = ZSTD_compressStream2(state, &to, &rest, ZSTD_e_end);
  ZSTD_freeCCtx(state);
  if (left != 0) throw std::runtime_error("zstd");
  out.resize(to.pos);
  return out;
}

}  // namespace support
