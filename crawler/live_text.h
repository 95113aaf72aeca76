#pragma once
// Pieces of what people see: text that fits its place, tables, numbers in words. Pure.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler::live {

/// Columns of a screen whose size nobody knows, such as a pipe.
inline constexpr std::size_t kWidthUnknown = 200;
/// Widest cell of a table, in columns.
inline constexpr std::size_t kCellMax = 80;
/// Longest text that is looked at before it is cut to its place, in octets.
inline constexpr std::size_t kTextMax = 4096;

/// `text` in one line, each octet of it one column wide: escaped as in the log, and all that is not ASCII as
/// `\u{N}`, because no terminal can be trusted with its width. Cut to `columns` with an ellipsis, which is
/// one column and three octets.
std::string fitted(std::string_view text, std::size_t columns = kCellMax);

/// The same for text that fitted() gave or that is ours: only cuts.
std::string cut(std::string_view text, std::size_t columns);

/// Columns that a text of fitted() and ours takes: octets that begin a character.
std::size_t width_of(std::string_view text);

/// `12345678` → `12,345,678`; `-` for nothing.
std::string count_text(std::optional<double> number);
/// `1.5`, `0.04`, `1,234`; `-` for nothing.
std::string rate_text(std::optional<double> number);
/// `512 B`, `12.1 KiB`, `3.4 GiB`; `-` for nothing.
std::string octets_text(std::optional<double> octets);
/// `0.12s`, `41s`, `3m20s`, `2h5m`, `3d4h`: two units at most; `-` for nothing, `0s` for what has passed.
std::string seconds_text(std::optional<double> seconds);

/// Rows of cells with columns that line up, two blanks between them.
class Table {
 public:
  enum class Side { left, right };
  struct Column {
    std::string name;  ///< empty in all columns: no line of names
    Side side = Side::left;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Text from anywhere, one cell for each column.
  void add(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }

  /// Lines without ends. When they are wider than `columns`, the first column gives way, down to
  /// kFirstColumnLeast; what is still too wide is cut.
  std::vector<std::string> lines(std::size_t columns = kWidthUnknown) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

inline constexpr std::size_t kFirstColumnLeast = 16;

}  // namespace crawler::live
