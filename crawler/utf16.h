#pragma once
// Pages in UTF-16, the one common encoding that does not agree with ASCII.
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// `text` in UTF-8 if it begins with a byte order mark of UTF-16, else nothing. Lone surrogates and an odd
/// last octet become U+FFFD.
std::optional<std::string> utf8_of_utf16(std::string_view text);

}  // namespace crawler
