#pragma once
// From octets to records: the lines of a robots.txt that say something (ROBOTS.md §1). Knows no groups.
#include "robots/keys.h"
#include "robots/rules.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// Warnings of one file: the first kWarningsMax with their text, the rest as a number.
class Warnings {
 public:
  void add(int line, std::string text) {
    if (all_.size() < kWarningsMax) all_.push_back({line, std::move(text)});
    ++count_;
  }
  std::size_t count() const { return count_; }
  const std::vector<Warning>& all() const { return all_; }

 private:
  std::vector<Warning> all_;
  std::size_t count_ = 0;
};

/// One line with a known key. The views point into the text that was read.
struct Record {
  int line = 0;
  Key key = Key::ignored;
  std::string_view value;  ///< without blanks around it, without the comment
  std::string_view text;   ///< the whole record as written: key to value
};

/// What a file says, as octets: cut at kFileOctetsMax without a partial last line, BOM removed, UTF-16 (when
/// its BOM says so) transcoded to UTF-8. The result is a part of `body` or of `storage`.
std::string_view decoded(std::string_view body, std::string& storage);

/// The records of `text` in order. Lines that are no record are counted in `warnings`.
std::vector<Record> read_records(std::string_view text, Warnings& warnings);

/// `text` without blanks (SP HT VT FF) at both ends.
std::string_view trimmed(std::string_view text);
bool is_blank(char c);

}  // namespace robots
