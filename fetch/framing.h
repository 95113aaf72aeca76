#pragma once
// Where a response body ends (RFC 9112 §6): octets in, the octets of the content out. Pure, no copies.
#include <cstdint>
#include <string_view>

namespace fetch {

/// Octets of a chunk's size with blanks behind it.
inline constexpr std::size_t kChunkSizeMax = 16;
/// Octets of a chunk's extension.
inline constexpr std::size_t kChunkExtensionMax = 256;

class Framing {
 public:
  enum class State { more, done, malformed, trailer_limit };

  static Framing none() { return Framing(At::done, 0, 0); }
  static Framing length(std::uint64_t octets) {
    return Framing(octets == 0 ? At::done : At::counted, octets, 0);
  }
  /// `trailer_max`: octets left of the head's limit for the trailer section, which is skipped.
  static Framing chunked(std::uint64_t trailer_max) { return Framing(At::size, 0, trailer_max); }
  static Framing until_close() { return Framing(At::until_close, 0, 0); }

  /// Takes octets from the front of `octets` and returns the content among them, which may be empty. Call
  /// again while octets are left and state() is more.
  std::string_view next(std::string_view& octets);
  State state() const;
  /// The connection ended: true when that ends the body in an orderly way.
  bool ends_here() const { return at_ == At::done || at_ == At::until_close; }
  /// Something was forgiven: a line that ended with LF alone.
  bool odd() const { return odd_; }

 private:
  enum class At {
    counted,
    until_close,
    size,
    extension,
    size_line_feed,
    data,
    data_return,
    data_line_feed,
    trailer,
    trailer_line,
    trailer_line_feed,
    done,
    malformed,
    trailer_limit
  };
  Framing(At at, std::uint64_t left, std::uint64_t trailer_max)
      : at_(at), left_(left), trailer_left_(trailer_max) {}

  std::string_view take(std::string_view& octets, At after);
  void line_octet(char octet);
  void size_octet(char octet);
  void after_size();

  At at_;
  std::uint64_t left_;
  std::uint64_t trailer_left_;
  std::size_t line_octets_ = 0;
  std::size_t digits_ = 0;
  bool odd_ = false;
};

}  // namespace fetch
