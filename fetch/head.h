#pragma once
// The head of a response: octets in, status and fields out. Pure. Beast's parser does the reading; in front
// of it HeadLines cleans what the web sends and Beast refuses.
#include "fetch/fetcher.h"
#include "fetch/head_lines.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fetch {

/// A status line and its fields.
struct Head {
  int status = 0;
  Headers headers;
  bool keep_alive = false;  ///< by version and Connection
  bool chunked = false;
  bool coded_transfer = false;  ///< a transfer coding that we did not ask for and do not read
  std::optional<std::uint64_t> length;
};

/// Reads one head. What is forgiven, lines that end with LF alone too (RFC 9112 §2.2), makes the head odd,
/// and its connection is not kept.
class HeadReader {
 public:
  /// `octets_max` raw octets, the blank line included.
  explicit HeadReader(std::uint64_t octets_max) : octets_max_(octets_max) {}

  enum class State { more, done, failed };
  /// Takes octets from the front of `octets`: all of them, or up to the end of the blank line. What cannot
  /// become a status line fails before its line ends.
  State feed(std::string_view& octets);

  /// Only when done.
  Head& head() { return head_; }
  bool odd() const { return odd_ || lines_.odd(); }
  std::uint64_t octets() const { return raw_.size(); }
  /// The octets themselves, as they came. Once.
  std::string take_raw() { return std::exchange(raw_, {}); }

  /// Only when failed: protocol or head_limit. The details are stable.
  const Step& failure() const { return failure_; }

 private:
  State fail(Error error, std::string detail);
  State take_line();
  State parse();

  std::uint64_t octets_max_;
  std::string raw_;
  std::size_t line_ = 0;  // where in it the one under way begins
  HeadLines lines_;
  bool odd_ = false;
  Head head_;
  Step failure_;
};

}  // namespace fetch
