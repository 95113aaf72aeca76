#pragma once
// A head as WARC records and HTTP messages have it: a first line, fields, an empty line. Read as it is found
// in files of all ages, not as a client would.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crawler {

/// Gathers the octets of a head.
class HeadText {
 public:
  /// At most `octets_max`, the empty line included.
  explicit HeadText(std::size_t octets_max) : octets_max_(octets_max) {}

  enum class State { more, done, too_long };
  /// Takes octets from the front of `octets`: all, or up to the end of the empty line. Lines end with CR LF
  /// or LF.
  State feed(std::string_view& octets);
  State state() const { return state_; }
  /// With the empty line, once that has come.
  const std::string& text() const { return text_; }

 private:
  std::size_t octets_max_;
  State state_ = State::more;
  std::size_t line_ = 0;  // where the line under way begins
  std::string text_;
};

using FieldLines = std::vector<std::pair<std::string, std::string>>;

struct HeadFields {
  std::string first_line;
  FieldLines fields;       ///< names as written, values without blanks around them
  bool bare_feed = false;  ///< a line ended with LF alone
  bool no_colon = false;   ///< there were lines that are no fields; they are left out
  bool too_many = false;   ///< there were more than `fields_max`; they are left out
};

/// Splits a head. A line that begins with a blank goes on with the value before it.
HeadFields read_head(std::string_view text, std::size_t fields_max);

/// The value of the first field of this name, in any case; empty when there is none.
std::string_view find_field(const FieldLines& fields, std::string_view name);

}  // namespace crawler
