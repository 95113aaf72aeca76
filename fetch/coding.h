#pragma once
// One content coding as a stream: octets in, octets out, bounded memory.
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fetch {

enum class Coding { gzip, deflate, brotli, zstd };

/// What zlib takes for a stream: its state and a window of 32 KiB.
inline constexpr std::size_t kInflateOctets = 44 * 1024;
/// More than any stream takes: brotli has windows of up to 16 MiB.
inline constexpr std::size_t kCodingOctetsMax = 18 * 1024 * 1024;

class CodingStream {
 public:
  enum class Step {
    hungry,  ///< all input was taken; output may have been written
    full,    ///< the output is full; call again
    bad,     ///< not a stream of this coding
    large,   ///< it wants more memory than any stream may have
  };
  virtual ~CodingStream() = default;
  /// Takes from the front of `in` and writes to the front of `out`; both become what is left. Makes
  /// progress in every call.
  virtual Step step(std::string_view& in, std::span<char>& out) = 0;
  /// The stream may end here.
  virtual bool complete() const = 0;
  /// Octets of memory that it takes right now, its window for the most part.
  virtual std::size_t memory() const = 0;
};

/// Throws std::bad_alloc.
std::unique_ptr<CodingStream> make_gzip();     ///< members one after another; garbage behind one is ignored
std::unique_ptr<CodingStream> make_deflate();  ///< with the zlib wrapper (RFC 9110 §8.4.1.2) or without it
std::unique_ptr<CodingStream> make_brotli();
std::unique_ptr<CodingStream> make_zstd();  ///< windows up to 8 MiB (RFC 9659)

/// Decodes one whole gzip member or deflate stream into `out`, whose size is the limit. False when that did
/// not work out exactly: then the stream tells why.
bool decode_whole(Coding coding, std::string_view in, std::size_t limit, std::string& out);

}  // namespace fetch
