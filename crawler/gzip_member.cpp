#include "crawler/gzip_member.h"

#include <libdeflate.h>
#ifdef CRAWLD_ISAL
#include <isa-l/igzip_lib.h>
#endif

#include <cassert>
#include <limits>
#include <memory>
#include <new>

namespace crawler {
namespace {

constexpr int kStored = 0;  // blocks of octets as they are
constexpr int kLight = 1;   // higher levels cost twice the time for a tenth less

/// Compressors take up to half a megabyte and some time to make: each thread keeps its own.
libdeflate_compressor* deflater(int level) {
  struct Free {
    void operator()(libdeflate_compressor* state) const { libdeflate_free_compressor(state); }
  };
  thread_local std::unique_ptr<libdeflate_compressor, Free> light;
  thread_local std::unique_ptr<libdeflate_compressor, Free> stored;
  auto& own = level == kStored ? stored : light;
  if (!own) own.reset(libdeflate_alloc_compressor(level));
  if (!own) throw std::bad_alloc();
  return own.get();
}

std::string by_libdeflate(std::string_view octets, int level) {
  libdeflate_compressor* const state = deflater(level);
  std::string out(libdeflate_gzip_compress_bound(state, octets.size()), '\0');
  out.resize(libdeflate_gzip_compress(state, octets.data(), octets.size(), out.data(), out.size()));
  assert(!out.empty());
  return out;
}

#ifdef CRAWLD_ISAL
/// At its level 0, three times as quick as libdeflate's first for a third more octets. Empty: `octets` do not
/// shrink, or are too many for it.
std::string by_isal(std::string_view octets) {
  if (octets.size() > std::numeric_limits<std::uint32_t>::max()) return {};
  thread_local const auto stream = std::make_unique<isal_zstream>();
  isal_deflate_stateless_init(stream.get());
  stream->gzip_flag = IGZIP_GZIP;
  stream->end_of_stream = 1;
  stream->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(octets.data()));  // it is only read
  stream->avail_in = static_cast<std::uint32_t>(octets.size());
  std::string out(octets.size(), '\0');
  stream->next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream->avail_out = static_cast<std::uint32_t>(out.size());
  if (isal_deflate_stateless(stream.get()) != COMP_OK) return {};
  out.resize(stream->total_out);
  return out;
}
#endif

}  // namespace

std::string gzip_member(std::string_view octets, bool packed) {
  if (packed || octets.size() < kGzipOctetsMin) return by_libdeflate(octets, kStored);
#ifdef CRAWLD_ISAL
  if (std::string out = by_isal(octets); !out.empty()) return out;
#endif
  return by_libdeflate(octets, kLight);
}

}  // namespace crawler
