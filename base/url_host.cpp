#include "base/url_host.h"

#include "base/idn.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

namespace base {
namespace {

constexpr std::uint8_t kUpper = 1;
constexpr std::uint8_t kForbidden = 2;
constexpr std::uint8_t kRare = 4;  ///< takes the slow way: percent-encoding, or not ASCII

constexpr std::array<std::uint8_t, 256> host_octets() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i <= 0x20 || i == 0x7F) table[i] = kForbidden;
    if (i >= 'A' && i <= 'Z') table[i] = kUpper;
    if (i >= 0x80) table[i] = kRare;
  }
  for (const char c : std::string_view("#/:<>?@[\\]^|")) table[static_cast<unsigned char>(c)] = kForbidden;
  table['%'] = kRare;
  return table;
}
constexpr std::array<std::uint8_t, 256> kHostOctets = host_octets();

/// All that `domain` has of the above.
std::uint8_t classes_of(std::string_view domain) {
  std::uint8_t classes = 0;
  for (const char c : domain) classes |= kHostOctets[static_cast<unsigned char>(c)];
  return classes;
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// One part of an IPv4 address: decimal, 0octal or 0xhex. Sticks at 2^32 + something, which every caller
/// refuses.
std::optional<std::uint64_t> ipv4_number(std::string_view part) {
  if (part.empty()) return std::nullopt;
  int radix = 10;
  if (part.size() >= 2 && part[0] == '0') {
    const bool hex = (part[1] | 0x20) == 'x';
    radix = hex ? 16 : 8;
    part.remove_prefix(hex ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : part) {
    const int digit = hex_value(c);
    if (digit < 0 || digit >= radix) return std::nullopt;
    if (value <= UINT32_MAX) value = value * static_cast<unsigned>(radix) + static_cast<unsigned>(digit);
  }
  return value;
}

/// WHATWG "ends in a number": such a host is an IPv4 address or nothing.
bool ends_in_number(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  if (last.empty() || !is_digit(last.front())) return false;
  return last.find_first_not_of("0123456789") == std::string_view::npos || ipv4_number(last).has_value();
}

std::optional<std::uint32_t> ipv4_address(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  std::uint64_t address = 0;
  for (unsigned parts_left = 4; parts_left > 0; --parts_left) {
    const std::size_t dot = domain.find('.');
    const auto number = ipv4_number(domain.substr(0, dot));
    if (!number) return std::nullopt;
    if (dot == std::string_view::npos) {  // the last part fills all octets that are left
      if (*number >= (std::uint64_t{1} << (8 * parts_left))) return std::nullopt;
      return static_cast<std::uint32_t>(address << (8 * (parts_left - 1)) << 8 | *number);
    }
    if (*number > 255) return std::nullopt;
    address = address << 8 | *number;
    domain.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

using Pieces = std::array<std::uint16_t, 8>;

/// The dotted tail of `::ffff:1.2.3.4`: plain decimal, no leading zeros, nothing after it.
bool ipv4_tail(std::string_view text, std::uint16_t& high, std::uint16_t& low) {
  std::uint32_t address = 0;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    std::uint32_t value = 0;
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) {
      if (digits > 0 && value == 0) return false;
      value = value * 10 + static_cast<std::uint32_t>(text[digits++] - '0');
      if (value > 255) return false;
    }
    if (digits == 0) return false;
    text.remove_prefix(digits);
    address = address << 8 | value;
  }
  high = static_cast<std::uint16_t>(address >> 16);
  low = static_cast<std::uint16_t>(address & 0xFFFF);
  return text.empty();
}

/// Moves the pieces behind `::` to the end. False when the address is too short or `::` stands for nothing.
bool spread(Pieces& pieces, std::size_t count, std::optional<std::size_t> gap) {
  if (!gap) return count == pieces.size();
  if (count == pieces.size()) return false;
  const auto begin = pieces.begin();
  const auto shift = static_cast<std::ptrdiff_t>(pieces.size() - count);
  const auto from = static_cast<std::ptrdiff_t>(*gap);
  std::move_backward(begin + from, begin + static_cast<std::ptrdiff_t>(count), pieces.end());
  std::fill(begin + from, begin + from + shift, std::uint16_t{0});
  return true;
}

bool ipv6_address(std::string_view text, Pieces& pieces) {
  std::size_t count = 0;
  std::optional<std::size_t> gap;
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return false;
    text.remove_prefix(2);
    gap = 0;
  }
  while (!text.empty()) {
    if (count == pieces.size()) return false;
    if (text.front() == ':') {  // the second colon of `::`
      if (gap) return false;
      text.remove_prefix(1);
      gap = count;
      continue;
    }
    std::size_t digits = 0;
    unsigned value = 0;
    while (digits < 4 && digits < text.size() && hex_value(text[digits]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(text[digits++]));
    }
    if (digits < text.size() && text[digits] == '.') {
      if (count > pieces.size() - 2 || !ipv4_tail(text, pieces[count], pieces[count + 1])) return false;
      count += 2;
      break;
    }
    if (digits == 0) return false;
    pieces[count++] = static_cast<std::uint16_t>(value);
    text.remove_prefix(digits);
    if (text.empty()) break;
    if (text.front() != ':' || text.size() == 1) return false;
    text.remove_prefix(1);
  }
  return spread(pieces, count, gap);
}

/// Shortest form of RFC 5952: the first of the longest runs of two zeros or more becomes `::`.
void append_ipv6(const Pieces& pieces, std::string& out) {
  std::size_t gap = pieces.size();
  std::size_t gap_size = 1;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t end = i;
    while (end < pieces.size() && pieces[end] == 0) ++end;
    if (end - i > gap_size) {
      gap = i;
      gap_size = end - i;
    }
  }
  out += '[';
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == gap) {
      out += i == 0 ? "::" : ":";
      i += gap_size - 1;
      continue;
    }
    fmt::format_to(std::back_inserter(out), "{:x}", pieces[i]);
    if (i + 1 < pieces.size()) out += ':';
  }
  out += ']';
}

std::string percent_decoded(std::string_view raw) {
  std::string decoded;
  decoded.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '%' && i + 2 < raw.size() && hex_value(raw[i + 1]) >= 0 && hex_value(raw[i + 2]) >= 0) {
      decoded += static_cast<char>(hex_value(raw[i + 1]) * 16 + hex_value(raw[i + 2]));
      i += 2;
    } else {
      decoded += raw[i];
    }
  }
  return decoded;
}

/// Appends a domain in lower case. False for a forbidden code point, or what needs the slow way.
bool append_ascii(std::string_view domain, std::uint8_t classes, std::string& out) {
  if (domain.empty() || (classes & (kForbidden | kRare)) != 0) return false;
  const std::size_t start = out.size();
  out.append(domain);
  if ((classes & kUpper) == 0) return true;
  for (std::size_t i = start; i < out.size(); ++i) {
    if (out[i] >= 'A' && out[i] <= 'Z') out[i] = static_cast<char>(out[i] | 0x20);
  }
  return true;
}

bool append_domain(std::string_view raw, std::string& out) {
  const std::uint8_t classes = classes_of(raw);
  if ((classes & kRare) == 0) return append_ascii(raw, classes, out);
  const auto ascii = domain_to_ascii(percent_decoded(raw));
  return ascii && append_ascii(*ascii, classes_of(*ascii), out);
}

}  // namespace

bool append_host(std::string_view raw, std::string& out) {
  if (raw.starts_with('[')) {
    Pieces pieces{};
    if (raw.size() < 2 || raw.back() != ']' || !ipv6_address(raw.substr(1, raw.size() - 2), pieces))
      return false;
    append_ipv6(pieces, out);
    return true;
  }
  const std::size_t start = out.size();
  if (!append_domain(raw, out)) return false;
  const std::string_view domain = std::string_view(out).substr(start);
  if (!ends_in_number(domain)) return true;
  const auto address = ipv4_address(domain);
  if (!address) return false;
  out.resize(start);
  fmt::format_to(std::back_inserter(out), "{}.{}.{}.{}", *address >> 24, *address >> 16 & 255,
                 *address >> 8 & 255, *address & 255);
  return true;
}

}  // namespace base
