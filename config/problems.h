#pragma once
// What is wrong with a configuration, gathered while it is read and told all at once, in the order of the
// sources.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// A character of a source. Lines and columns start at 1, columns count octets; line 0 means the source as a
/// whole.
struct Place {
  std::size_t file = 0;  ///< as Problems::add_file() or add_setting() gave it
  std::size_t line = 0;
  std::size_t column = 0;
};

/// One problem, for programs. Its texts are safe to print.
struct Told {
  bool is_error = true;    ///< false: a warning
  std::string source;      ///< the name of a file, `--set KEY` or `environment NAME`
  std::size_t line = 0;    ///< 0: the source as a whole
  std::size_t column = 0;  ///< 0: likewise
  std::string key;         ///< its path; empty: no key's
  std::string message;
};

/// Longest piece of a file that a message quotes, in octets.
inline constexpr std::size_t kQuotedOctetsMax = 80;

/// `text` in quotes, safe to print, cut after kQuotedOctetsMax.
std::string in_quotes(std::string_view text);

class Problems {
 public:
  /// Errors kept, and warnings kept; further ones are only counted.
  static constexpr std::size_t kKept = 200;

  /// `name` is what messages call the file. Sources are told in the order in which they were added.
  std::size_t add_file(std::string name);
  /// The same for a value that stands in no file: messages name it instead of lines, and not `key` again.
  std::size_t add_setting(std::string name, std::string key);
  const std::string& file_name(std::size_t file) const { return sources_[file].name; }

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
  /// Errors, then warnings, each sorted by place; what was not kept is left out.
  std::vector<Told> told() const;
  /// Errors and warnings that were not kept.
  std::size_t left_out() const { return errors_.left_out + warnings_.left_out; }
  /// `file:line:col`, or the name of a setting; safe to print.
  std::string where(const Place& place) const;

 private:
  struct Source {
    std::string name;
    bool setting = false;
    std::string key;  ///< of a setting
  };
  struct Problem {
    Place place;
    std::string key;
    std::string what;
  };
  struct Bounded {
    std::vector<Problem> kept;
    std::size_t left_out = 0;
    void add(Place place, std::string_view path, std::string_view what);
    std::vector<const Problem*> sorted() const;
  };
  std::vector<std::string> lines(const Bounded& list) const;

  std::vector<Source> sources_;
  Bounded errors_;
  Bounded warnings_;
};

}  // namespace config
