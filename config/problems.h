#pragma once
// What is wrong with a configuration, gathered while it is read and told all at once, in the order of the
// file.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// A character of a file. Lines and columns start at 1, columns count octets; line 0 means the file as a
/// whole.
struct Place {
  std::size_t file = 0;  ///< as Problems::add_file() gave it
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Longest piece of a file that a message quotes, in octets.
inline constexpr std::size_t kQuotedOctetsMax = 80;

/// `text` in quotes, safe to print, cut after kQuotedOctetsMax.
std::string in_quotes(std::string_view text);

class Problems {
 public:
  /// Errors kept, and warnings kept; further ones are only counted.
  static constexpr std::size_t kKept = 200;

  /// `name` is what messages call the file. Files are told in the order in which they were added.
  std::size_t add_file(std::string name);
  const std::string& file_name(std::size_t file) const { return files_[file]; }

  /// `path` is the key's path, empty when the problem belongs to no key.
  void error(Place place, std::string_view path, std::string_view what) { errors_.add(place, path, what); }
  void warning(Place place, std::string_view path, std::string_view what) {
    warnings_.add(place, path, what);
  }

  bool any_error() const { return !errors_.kept.empty(); }
  /// True when a further error is only counted, so that its text need not be made.
  bool full() const { return errors_.kept.size() >= kKept; }
  /// `file:line:col: path: what`, sorted by place, and a last line that counts what was not kept.
  std::vector<std::string> errors() const { return lines(errors_); }
  std::vector<std::string> warnings() const { return lines(warnings_); }

 private:
  struct Problem {
    Place place;
    std::string text;
  };
  struct Bounded {
    std::vector<Problem> kept;
    std::size_t left_out = 0;
    void add(Place place, std::string_view path, std::string_view what);
  };
  std::vector<std::string> lines(const Bounded& list) const;

  std::vector<std::string> files_;
  Bounded errors_;
  Bounded warnings_;
};

}  // namespace config
