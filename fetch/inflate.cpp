// gzip (RFC 1952) and deflate (RFC 1950, 1951): zlib for streams, libdeflate for what is all there.
#include <libdeflate.h>
#define ZLIB_CONST
#include "fetch/coding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>

namespace fetch {
namespace {

unsigned octet_at(std::string_view octets, std::size_t i) {
  return static_cast<unsigned char>(octets[i]);
}

/// What the web calls deflate begins with a zlib header or, from some servers, at once with the first block.
bool has_zlib_header(unsigned first, unsigned second) {
  return (first & 0x0fU) == Z_DEFLATED && (first >> 4U) <= 7 && (first << 8U | second) % 31 == 0;
}

class Inflate {
 public:
  enum class End { hungry, full, stream_end, bad };

  explicit Inflate(int window_bits) {
    const int made = inflateInit2(&stream_, window_bits);
    if (made != Z_OK) throw std::bad_alloc();
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&stream_); }

  void restart() { inflateReset(&stream_); }

  End run(std::string_view& in, std::span<char>& out) {
    constexpr std::size_t kAtOnce = 1U << 30U;  // zlib counts in unsigned int
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(std::min(in.size(), kAtOnce));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(std::min(out.size(), kAtOnce));
    const uInt in_before = stream_.avail_in;
    const uInt out_before = stream_.avail_out;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in_before - stream_.avail_in);
    out = out.subspan(out_before - stream_.avail_out);
    if (result == Z_STREAM_END) return End::stream_end;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_BUF_ERROR) return End::bad;
    return out.empty() ? End::full : End::hungry;
  }

 private:
  z_stream stream_{};
};

class Gzip final : public CodingStream {
 public:
  Step step(std::string_view& in, std::span<char>& out) override {
    while (true) {
      if (at_ == At::garbage) in = {};
      if (at_ == At::member) {
        switch (inflate_.run(in, out)) {
          case Inflate::End::hungry: return Step::hungry;
          case Inflate::End::full: return Step::full;
          case Inflate::End::bad: return Step::bad;
          case Inflate::End::stream_end: at_ = At::between; break;
        }
      }
      if (in.empty()) return Step::hungry;
      if (at_ == At::between) look_for_member(in, out);
    }
  }
  bool complete() const override { return at_ != At::member; }
  std::size_t memory() const override { return kInflateOctets; }

 private:
  enum class At { member, between, garbage };

  /// Another member begins with 1f 8b, which may come in two pieces; anything else is garbage.
  void look_for_member(std::string_view& in, std::span<char>& out) {
    static constexpr std::string_view kFirst = "\x1f";
    const char wanted = half_magic_ ? '\x8b' : '\x1f';
    if (in.front() != wanted) {
      at_ = At::garbage;
      return;
    }
    if (half_magic_) {
      inflate_.restart();
      std::string_view first = kFirst;
      inflate_.run(first, out);
      at_ = At::member;  // and the second octet is still in front
    } else {
      in.remove_prefix(1);
    }
    half_magic_ = !half_magic_;
  }

  Inflate inflate_{15 + 16};
  At at_ = At::member;
  bool half_magic_ = false;
};

class Deflate final : public CodingStream {
 public:
  Step step(std::string_view& in, std::span<char>& out) override {
    while (!inflate_) {
      if (in.empty()) return Step::hungry;
      start_[started_++] = in.front();
      in.remove_prefix(1);
      if (started_ < start_.size()) continue;
      waiting_ = {start_.data(), start_.size()};
      const bool wrapped = has_zlib_header(octet_at(waiting_, 0), octet_at(waiting_, 1));
      inflate_ = std::make_unique<Inflate>(wrapped ? 15 : -15);
    }
    if (!waiting_.empty()) {
      const Step step = run(waiting_, out);
      if (step != Step::hungry) return step;
    }
    return run(in, out);
  }
  bool complete() const override { return over_; }
  std::size_t memory() const override { return inflate_ ? kInflateOctets : 0; }

 private:
  Step run(std::string_view& in, std::span<char>& out) {
    if (!over_) {
      switch (inflate_->run(in, out)) {
        case Inflate::End::hungry: return Step::hungry;
        case Inflate::End::full: return Step::full;
        case Inflate::End::bad: return Step::bad;
        case Inflate::End::stream_end: over_ = true;
      }
    }
    in = {};  // browsers ignore what comes behind, too
    return Step::hungry;
  }

  std::unique_ptr<Inflate> inflate_;
  std::array<char, 2> start_{};
  std::size_t started_ = 0;
  std::string_view waiting_;  // the part of start_ that zlib has not taken
  bool over_ = false;
};

libdeflate_decompressor* decompressor() {
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  thread_local std::unique_ptr<libdeflate_decompressor, Free> own(libdeflate_alloc_decompressor());
  if (!own) own.reset(libdeflate_alloc_decompressor());
  return own.get();
}

using WholeDecoder = decltype(&libdeflate_gzip_decompress_ex);

bool run_whole(WholeDecoder decode, std::string_view in, std::size_t room, std::string& out) {
  libdeflate_decompressor* const state = decompressor();
  if (state == nullptr) return false;
  out.resize(room);
  std::size_t read = 0;
  std::size_t written = 0;
  const auto result = decode(state, in.data(), in.size(), out.data(), out.size(), &read, &written);
  const bool worked = result == LIBDEFLATE_SUCCESS && read == in.size();
  out.resize(worked ? written : 0);
  return worked;
}

}  // namespace

std::unique_ptr<CodingStream> make_gzip() {
  return std::make_unique<Gzip>();
}
std::unique_ptr<CodingStream> make_deflate() {
  return std::make_unique<Deflate>();
}

bool decode_whole(Coding coding, std::string_view in, std::size_t limit, std::string& out) {
  if (coding == Coding::gzip) {
    constexpr std::size_t kShortest = 18;
    // libdeflate does not look at a header's checksum; zlib does.
    constexpr unsigned kPlainFlags = 0x01 | 0x04 | 0x08 | 0x10;
    if (in.size() < kShortest || (octet_at(in, 3) & ~kPlainFlags) != 0) return false;
    const std::size_t end = in.size();
    const std::size_t length = octet_at(in, end - 4) | octet_at(in, end - 3) << 8U |
                               octet_at(in, end - 2) << 16U | octet_at(in, end - 1) << 24U;
    return length <= limit && run_whole(libdeflate_gzip_decompress_ex, in, length, out);
  }
  if (coding != Coding::deflate || in.size() < 2) return false;
  constexpr std::size_t kUsualRatio = 8;
  const std::size_t room = std::min(limit, in.size() * kUsualRatio + 1024);
  const bool wrapped = has_zlib_header(octet_at(in, 0), octet_at(in, 1));
  return run_whole(wrapped ? libdeflate_zlib_decompress_ex : libdeflate_deflate_decompress_ex, in, room, out);
}

}  // namespace fetch
