#pragma once
// What servers send where a response head belongs, made into what Beast reads. Pure. README.md has the table
// of what is forgiven, what is not, and what browsers do.
#include "fetch/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fetch {

/// Lines after the status line, dropped and folded ones too; more are Error::head_limit.
inline constexpr std::size_t kFieldsMax = 256;
/// Empty lines in front of a status line. Browsers skip four octets there.
inline constexpr int kEmptyLinesMax = 4;
/// Blanks in front of a status line.
inline constexpr std::size_t kLeadingBlanksMax = 64;
/// Octets of a field, with what is folded to it: Beast counts them in 16 bits. More are Error::head_limit.
inline constexpr std::size_t kFieldOctetsMax = 65'000;

/// Whether `line` may go on to be a status line: some blanks, then as much of `HTTP/` or `ICY ` as is there.
bool may_become_status_line(std::string_view line);

/// The lines of one head. Each forgiveness makes it odd.
class HeadLines {
 public:
  /// The next line, without its end; not after complete(). Fails with protocol or head_limit.
  Step add(std::string_view line);

  /// The empty line behind the fields was added.
  bool complete() const { return complete_; }
  bool has_status_line() const { return !text_.empty(); }
  bool odd() const { return odd_; }

  /// Only when complete. A status line without reason, then `Name: value` with names that are tokens and
  /// values without control octets; each with CRLF, and an empty line at the end. Of Content-Length and
  /// Transfer-Encoding only that is left which counts, and once.
  const std::string& text() const { return text_; }
  bool chunked() const { return chunked_ && !coded_transfer_; }
  /// A transfer coding other than chunked.
  bool coded_transfer() const { return coded_transfer_; }
  /// Without a transfer coding.
  std::optional<std::uint64_t> length() const { return length_; }

 private:
  Step add_status_line(std::string_view line);
  Step add_field_line(std::string_view line);
  Step end_field();
  Step end();
  void put_field(std::string_view name, std::string_view value);
  void drop_field(std::string_view name);
  void add_lengths(std::string_view value);
  void add_transfer_codings(std::string_view value);

  std::string text_;
  std::string name_;  // of the field under way; empty: there is none, or it is dropped
  std::string value_;
  int empty_lines_ = 0;
  std::size_t lines_ = 0;
  bool http10_ = false;
  bool odd_ = false;
  bool complete_ = false;

  bool transfer_encoding_ = false;
  bool plain_transfer_ = false;  // just one `Transfer-Encoding: chunked`
  bool chunked_ = false;
  bool coded_transfer_ = false;
  std::optional<std::string> length_text_;
  bool lengths_repeat_ = false;
  bool lengths_differ_ = false;
  std::optional<std::uint64_t> length_;
};

}  // namespace fetch
