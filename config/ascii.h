#pragma once
// ASCII as the formats of configurations use it; no locale.
#include <string>
#include <string_view>

namespace config {

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_alnum(char c) {
  return is_letter(c) || is_digit(c);
}
inline bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = ascii_lower(c);
  return result;
}

}  // namespace config
