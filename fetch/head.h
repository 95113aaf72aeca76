#pragma once
// The head of a response: octets in, status and fields out. Pure. Beast's parser does the reading; in front
// of it stands a shim for what the web sends and Beast refuses.
#include "fetch/fetcher.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fetch {

/// Fields of one head; more are Error::head_limit.
inline constexpr std::size_t kFieldsMax = 256;

/// A status line and its fields.
struct Head {
  int status = 0;
  Headers headers;
  bool keep_alive = false;  ///< by version and Connection
  bool chunked = false;
  bool coded_transfer = false;  ///< a transfer coding that we did not ask for and do not read
  std::optional<std::uint64_t> length;
};

/// Reads one head. What the shim forgives, each time marking the head as odd so that its connection is not
/// kept:
/// - lines that end with LF alone (RFC 9112 §2.2);
/// - a status line without reason, and without the blank before it;
/// - `Transfer-Encoding: identity`, which means nothing;
/// - Content-Length beside Transfer-Encoding: the length is ignored (RFC 9112 §6.3).
class HeadReader {
 public:
  /// `octets_max` raw octets, the blank line included.
  explicit HeadReader(std::uint64_t octets_max) : octets_max_(octets_max) {}

  enum class State { more, done, failed };
  /// Takes octets from the front of `octets`: all of them, or up to the end of the blank line.
  State feed(std::string_view& octets);

  /// Only when done.
  Head& head() { return head_; }
  bool odd() const { return odd_; }
  std::uint64_t octets() const { return octets_; }

  /// Only when failed: protocol or head_limit.
  Error error() const { return error_; }
  const std::string& detail() const { return detail_; }

 private:
  State fail(Error error, std::string detail);
  State take_line();
  State parse();

  std::uint64_t octets_max_;
  std::uint64_t octets_ = 0;
  std::size_t lines_ = 0;
  std::size_t line_begin_ = 0;
  std::string text_;  // the lines so far, with CRLF; from line_begin_ on the one under way
  bool transfer_encoding_ = false;
  bool odd_ = false;
  Head head_;
  Error error_ = Error::none;
  std::string detail_;
};

}  // namespace fetch
