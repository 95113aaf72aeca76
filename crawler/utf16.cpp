#include "crawler/utf16.h"

#include "crawler/html_entities.h"

namespace crawler {

std::string utf8_of_utf16(std::string_view text, bool little_endian) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<char32_t>(little_endian ? second << 8U | first : first << 8U | second);
  };
  std::string out;
  out.reserve(text.size() / 2);
  std::size_t at = text.starts_with(little_endian ? "\xFF\xFE" : "\xFE\xFF") ? 2 : 0;
  for (; at + 1 < text.size(); at += 2) {
    char32_t code = unit(at);
    if (code >= 0xD800 && code < 0xDC00 && at + 3 < text.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(code, out);
  }
  if (at < text.size()) append_utf8(0xFFFD, out);
  return out;
}

}  // namespace crawler
