#include "crawler/html_entities.h"

#include "crawler/html_text.h"
#include "crawler/octets.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace crawler {
namespace {

struct Entity {
  std::string_view name;
  std::string_view text;
};

constexpr Entity kEntities[] = {
#include "crawler/html_entities.inc"
};
static_assert(std::is_sorted(std::begin(kEntities), std::end(kEntities),
                             [](const Entity& a, const Entity& b) { return a.name < b.name; }));

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The longest name that `text` begins with, or null. Narrows the sorted table octet by octet.
const Entity* longest_entity(std::string_view text) {
  const Entity* found = nullptr;
  const Entity* first = std::begin(kEntities);
  const Entity* last = std::end(kEntities);
  for (std::size_t i = 0; i < text.size() && first != last; ++i) {
    const char octet = text[i];
    first = std::partition_point(first, last,
                                 [&](const Entity& e) { return e.name.size() <= i || e.name[i] < octet; });
    last = std::partition_point(first, last, [&](const Entity& e) { return e.name[i] == octet; });
    if (first != last && first->name.size() == i + 1) found = first;
  }
  return found;
}

/// What numbers of the C1 controls mean since the days of windows-1252; 0 where they mean themselves.
constexpr std::array<char16_t, 32> kC1 = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                          0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                          0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                          0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

char32_t meant(std::uint32_t number) {
  if (number == 0) return 0xFFFD;
  if (number >= 0x80 && number < 0xA0 && kC1[number - 0x80] != 0) return kC1[number - 0x80];
  return number;
}

int digit_value(char c, bool hex) {
  if (is_decimal(c)) return c - '0';
  const char lower = lowered(c);
  return hex && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Reads what follows `&#`. Returns the octets used, 0 when it is no reference.
std::size_t append_numeric(std::string_view text, std::string& out) {
  const bool hex = !text.empty() && lowered(text[0]) == 'x';
  const std::size_t start = hex ? 1 : 0;
  std::size_t end = start;
  std::uint32_t number = 0;
  for (; end < text.size(); ++end) {
    const int digit = digit_value(text[end], hex);
    if (digit < 0) break;
    if (number <= 0x10FFFF) number = number * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit);
  }
  if (end == start) return 0;
  append_utf8(meant(number), out);
  return end < text.size() && text[end] == ';' ? end + 1 : end;
}

/// Reads what follows `&`. Returns the octets used, 0 when it is no reference.
std::size_t append_named(std::string_view text, std::string& out) {
  if (text.starts_with("amp;")) {  // nearly all there are
    out += '&';
    return 4;
  }
  const Entity* entity = longest_entity(text);
  if (entity == nullptr) return 0;
  const std::size_t size = entity->name.size();
  if (entity->name.back() != ';' && size < text.size()) {
    const char next = text[size];
    if (next == '=' || is_letter(next) || is_decimal(next)) return 0;
  }
  out += entity->text;
  return size;
}

void append_plain(std::string_view text, std::string& out) {
  for (std::size_t nul = 0; (nul = text.find('\0')) != std::string_view::npos; text.remove_prefix(nul + 1)) {
    out.append(text, 0, nul);
    out += kReplacement;
  }
  out.append(text);
}

}  // namespace

void append_utf8(char32_t code, std::string& out) {
  const auto put = [&](char32_t octet) { out += static_cast<char>(static_cast<unsigned char>(octet)); };
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

std::string_view attribute_text(std::string_view raw, std::string& scratch) {
  if (find_either(raw, 0, '&', '\0') == raw.size()) return raw;
  scratch.clear();
  std::size_t plain = raw.find('&');
  while (plain != std::string_view::npos) {
    append_plain(raw.substr(0, plain), scratch);
    raw.remove_prefix(plain + 1);
    const bool numeric = raw.starts_with('#');
    const std::size_t used = numeric ? append_numeric(raw.substr(1), scratch) : append_named(raw, scratch);
    if (used == 0) scratch += '&';
    raw.remove_prefix(numeric && used > 0 ? used + 1 : used);
    plain = raw.find('&');
  }
  append_plain(raw, scratch);
  return scratch;
}

}  // namespace crawler
