#pragma once
// Octets that have no business in a text file that people write, found before any parser sees them.
#include "config/problems.h"

#include <cstddef>
#include <string_view>

namespace config {

/// Without a UTF-8 byte order mark at its start.
std::string_view without_bom(std::string_view text);

/// True when `text` is UTF-8 without control characters other than tab and line ends (LF, CRLF). Otherwise
/// adds an error at the first offence.
bool check_plain_text(std::string_view text, std::size_t file, Problems& problems);

/// True when no line of `text` is indented with a tab (blank lines and comments do not count). YAML parsers
/// differ on what such a line means. Otherwise adds one error, at the first.
bool check_indentation(std::string_view text, std::size_t file, Problems& problems);

/// The first octet of `text` that is not part of well-formed UTF-8 (RFC 3629); npos when there is none.
std::size_t find_bad_utf8(std::string_view text);

}  // namespace config
