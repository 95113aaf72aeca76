#pragma once
// What each octet means in a URL (WHATWG URL, http and https only). For url.cpp.
#include <array>
#include <cstdint>
#include <string_view>

namespace base {

inline constexpr std::uint8_t kEncodeInPath = 1;
inline constexpr std::uint8_t kEncodeInQuery = 2;
inline constexpr std::uint8_t kEndsSegment = 4;
inline constexpr std::uint8_t kEndsPath = 8;
inline constexpr std::uint8_t kBackslash = 16;
/// The octet behind it begins a segment. A colon, because `http:..` is a relative reference, too.
inline constexpr std::uint8_t kBeginsSegment = 32;
inline constexpr std::uint8_t kMayBeDot = 64;

constexpr std::array<std::uint8_t, 256> octet_classes() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i <= 0x20 || i >= 0x7F) table[i] = kEncodeInPath | kEncodeInQuery;
  }
  for (const char c : std::string_view("\"<>")) {
    table[static_cast<unsigned char>(c)] = kEncodeInPath | kEncodeInQuery;
  }
  for (const char c : std::string_view("^`{}")) table[static_cast<unsigned char>(c)] = kEncodeInPath;
  table['\''] = kEncodeInQuery;
  table['#'] = kEndsSegment;
  for (const char c : std::string_view("/\\?")) table[static_cast<unsigned char>(c)] = kEndsSegment;
  for (const char c : std::string_view("?#")) table[static_cast<unsigned char>(c)] |= kEndsPath;
  table['\\'] |= kBackslash;
  for (const char c : std::string_view("/:")) table[static_cast<unsigned char>(c)] |= kBeginsSegment;
  for (const char c : std::string_view(".%")) table[static_cast<unsigned char>(c)] |= kMayBeDot;
  return table;
}
inline constexpr std::array<std::uint8_t, 256> kOctets = octet_classes();

}  // namespace base
