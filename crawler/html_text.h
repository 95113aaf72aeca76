#pragma once
// Small words about ASCII in HTML: white space, letters without case, lists of words.
#include <algorithm>
#include <string_view>

namespace crawler {

constexpr bool is_html_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}
constexpr bool is_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}
constexpr bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}
constexpr char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// ASCII case does not count.
constexpr bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lowered(x) == lowered(y); });
}

constexpr std::string_view without_leading_space(std::string_view text) {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
  return text;
}

constexpr std::string_view without_space_around(std::string_view text) {
  text = without_leading_space(text);
  while (!text.empty() && is_html_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the next word off `text`: words stand between white space, commas and semicolons. Empty at the end.
constexpr std::string_view take_word(std::string_view& text) {
  const auto parts = [](char c) { return is_html_space(c) || c == ',' || c == ';'; };
  while (!text.empty() && parts(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !parts(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace crawler
