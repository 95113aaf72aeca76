#include "crawler/live_text.h"

#include "base/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace crawler::live {
namespace {

constexpr std::string_view kEllipsis = "…";
/// Numbers beyond this are no numbers of ours; an int64 still holds them.
constexpr double kNumberMax = 9e18;

/// The code point at the head of valid UTF-8, which base::escaped() gives, and its length.
std::pair<std::uint32_t, std::size_t> first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  std::uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i)
    point = (point << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {point, length};
}

std::string padded(const std::string& text, std::size_t width, Table::Side side) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return side == Table::Side::left ? text + blanks : blanks + text;
}

bool is_number(const std::optional<double>& number) {
  return number && std::isfinite(*number) && std::abs(*number) < kNumberMax;
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
  const std::string safe = base::escaped(text, kTextMax);
  std::string out;
  for (std::string_view rest = safe; !rest.empty();) {
    const auto [point, length] = first_of(rest);
    const bool ours = rest.substr(0, length) == kEllipsis;
    out += point < 0x80 || ours ? std::string(rest.substr(0, length)) : fmt::format("\\u{{{:x}}}", point);
    rest.remove_prefix(length);
  }
  return cut(out, columns);
}

std::string cut(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string out;
  std::size_t taken = 0;
  while (taken + 1 < columns) {
    const std::size_t length = first_of(text).second;
    out += text.substr(0, length);
    text.remove_prefix(length);
    ++taken;
  }
  return out.append(kEllipsis);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string count_text(std::optional<double> number) {
  return is_number(number) ? grouped(std::llround(*number)) : "-";
}

std::string rate_text(std::optional<double> number) {
  if (!is_number(number)) return "-";
  if (std::abs(*number) >= 100) return count_text(number);
  return fmt::format("{:.{}f}", *number, std::abs(*number) >= 1 ? 1 : 2);
}

std::string octets_text(std::optional<double> octets) {
  if (!is_number(octets)) return "-";
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double left = *octets;
  std::size_t unit = 0;
  // 1,023.95 would be shown as 1024.0.
  while (std::abs(left) >= (unit == 0 ? 1024 : 1023.95) && unit + 1 < kUnits.size()) {
    left /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", left) : fmt::format("{:.1f} {}", left, kUnits[unit]);
}

std::string seconds_text(std::optional<double> seconds) {
  if (!is_number(seconds)) return "-";
  if (*seconds <= 0) return "0s";
  if (*seconds < 0.9995) return fmt::format("{:.3g}s", std::ceil(*seconds * 1000) / 1000);
  if (*seconds < 9.95) {
    const std::string text = fmt::format("{:.1f}", *seconds);
    return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + "s";
  }
  struct Unit {
    std::int64_t seconds;
    char name;
  };
  constexpr std::array<Unit, 4> kUnits{{{86'400, 'd'}, {3'600, 'h'}, {60, 'm'}, {1, 's'}}};
  auto left = static_cast<std::int64_t>(std::ceil(*seconds));
  std::size_t first = 0;
  while (left < kUnits[first].seconds) ++first;
  std::string out;
  for (std::size_t i = first; i < std::min(first + 2, kUnits.size()); ++i) {
    const std::int64_t many = left / kUnits[i].seconds;
    left %= kUnits[i].seconds;
    if (many > 0) out += fmt::format("{}{}", many, kUnits[i].name);
  }
  return out;
}

void Table::add(const std::vector<std::string>& cells) {
  std::vector<std::string> row;
  for (std::size_t i = 0; i < columns_.size(); ++i) row.push_back(i < cells.size() ? fitted(cells[i]) : "");
  rows_.push_back(std::move(row));
}

std::vector<std::string> Table::lines(std::size_t columns) const {
  std::vector<std::size_t> widths;
  std::size_t all = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = columns_[i].name.size();
    for (const auto& row : rows_) width = std::max(width, width_of(row[i]));
    widths.push_back(width);
    all += width + (i > 0 ? 2 : 0);
  }
  if (all > columns && !widths.empty()) {
    const std::size_t least = std::min(widths[0], kFirstColumnLeast);
    widths[0] -= std::min(all - columns, widths[0] - least);
  }
  const auto line_of = [&](const auto& cell_at) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += "  ";
      line += padded(cut(cell_at(i), widths[i]), widths[i], columns_[i].side);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    return cut(line, columns);
  };
  std::vector<std::string> out;
  if (std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.name.empty(); })) {
    out.push_back(line_of([&](std::size_t i) { return columns_[i].name; }));
  }
  for (const auto& row : rows_) out.push_back(line_of([&](std::size_t i) { return row[i]; }));
  return out;
}

}  // namespace crawler::live
