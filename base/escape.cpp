#include "base/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace base {
namespace {

struct Decoded {
  char32_t point = 0;
  std::size_t length = 0;  ///< 0: not UTF-8
};

/// One code point of UTF-8 (RFC 3629: no overlong forms, no surrogates) at the head of `text`, not empty.
Decoded decode(std::string_view text) {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = octet(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xC0U) != 0x80) return {};
    point = (point << 6U) | (octet(i) & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < kLeast[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return {};
  return {point, length};
}

/// Characters that move the cursor, reorder the line, end it, or are not seen.
bool invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0xFEFF ||
         (c >= 0x1BCA0 && c <= 0x1BCA3) || (c >= 0x1D173 && c <= 0x1D17A) || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

/// Takes what stands for itself from the head of `text`: nearly all of most texts.
std::string_view take_plain(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(),
                                    [](char c) { return c >= ' ' && c < '\x7F' && c != '"' && c != '\\'; });
  const std::string_view plain = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(plain.size());
  return plain;
}

/// Cuts `text` to `octets_max` without splitting a code point; returns how many octets were cut.
std::size_t cut(std::string_view& text, std::size_t octets_max) {
  if (text.size() <= octets_max) return 0;
  const std::size_t all = text.size();
  std::size_t end = octets_max;
  for (std::size_t back = 1; back <= 3 && back <= octets_max; ++back) {
    const std::string_view rest = text.substr(octets_max - back);
    if (decode(rest).length > back) end = octets_max - back;  // it reaches across the cut
  }
  text = text.substr(0, end);
  return all - end;
}

}  // namespace

std::string escaped(std::string_view text, std::size_t octets_max) {
  const std::size_t hidden = cut(text, octets_max);
  std::string out;
  out.reserve(text.size() + 16);
  for (out += take_plain(text); !text.empty(); out += take_plain(text)) {
    const Decoded c = decode(text);
    if (c.length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (c.point == '"' || c.point == '\\') {
      out += '\\';
      out += static_cast<char>(c.point);
    } else if (invisible(c.point)) {
      out += c.point < 0x100 && c.length == 1
                 ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.point))
                 : fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c.point));
    } else {
      out += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  if (hidden > 0) out += fmt::format("…(+{})", hidden);
  return out;
}

std::string json_quoted(std::string_view text, std::size_t octets_max) {
  const std::size_t hidden = cut(text, octets_max);
  std::string out = "\"";
  out.reserve(text.size() + 16);
  for (out += take_plain(text); !text.empty(); out += take_plain(text)) {
    const Decoded c = decode(text);
    if (c.length == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD
      text.remove_prefix(1);
      continue;
    }
    const auto point = static_cast<std::uint32_t>(c.point);
    if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (invisible(c.point) && point < 0x10000) {
      out += fmt::format("\\u{:04x}", point);
    } else if (invisible(c.point)) {
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((point - 0x10000) >> 10U),
                         0xDC00 + ((point - 0x10000) & 0x3FFU));
    } else {
      out += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  if (hidden > 0) out += fmt::format("…(+{})", hidden);
  out += '"';
  return out;
}

}  // namespace base
