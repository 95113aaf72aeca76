#include "config/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace config {
namespace {

Place place_of(std::string_view text, std::size_t offset, std::size_t file) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return {file, lines + 1, offset - line_start + 1};
}

/// Length of the UTF-8 sequence at the start of `text`, 0 when it is malformed.
std::size_t sequence_length(std::string_view text) {
  const auto octet = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = octet(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies above U+10FFFF.
  const std::uint8_t second = octet(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

bool is_control(char c) {
  const auto octet = static_cast<std::uint8_t>(c);
  return (octet < 0x20 && c != '\t' && c != '\n' && c != '\r') || octet == 0x7F;
}

std::size_t find_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text[i])) return i;
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::size_t find_bad_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

bool check_plain_text(std::string_view text, std::size_t file, Problems& problems) {
  const std::size_t bad_utf8 = find_bad_utf8(text);
  const std::size_t control = find_control(text);
  if (bad_utf8 == std::string_view::npos && control == std::string_view::npos) return true;
  const std::size_t at = std::min(bad_utf8, control);
  const auto octet = static_cast<std::uint8_t>(text[at]);
  std::string what;
  if (at == bad_utf8) {
    what = fmt::format("octet 0x{:02X} is not UTF-8: save the file as UTF-8", octet);
  } else if (text[at] == '\r') {
    what = "a carriage return without a line feed: end lines with LF";
  } else {
    what = fmt::format("control character 0x{:02X}: is this a text file?", octet);
  }
  problems.error(place_of(text, at, file), "", what);
  return false;
}

bool check_indentation(std::string_view text, std::size_t file, Problems& problems) {
  std::size_t lines = 0;
  Place first;
  for (std::size_t start = 0, number = 1; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const std::size_t content = line.find_first_not_of(" \t\r");
    const std::size_t tab = line.substr(0, content).find('\t');
    if (content != std::string_view::npos && line[content] != '#' && tab != std::string_view::npos) {
      if (lines++ == 0) first = {file, number, tab + 1};
    }
    start = end + 1;
  }
  if (lines == 0) return true;
  std::string what = "a tab in the indentation: YAML is indented with spaces";
  if (lines > 1) what += fmt::format(" (so are {} more lines)", lines - 1);
  problems.error(first, "", what);
  return false;
}

}  // namespace config
