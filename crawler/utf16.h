#pragma once
// Pages in UTF-16, the one common encoding that does not agree with ASCII.
#include <string>
#include <string_view>

namespace crawler {

/// `text` in UTF-8, without its byte order mark. Lone surrogates and an odd last octet become U+FFFD.
std::string utf8_of_utf16(std::string_view text, bool little_endian);

}  // namespace crawler
