#pragma once
// Makes text from strangers safe to print: one line, no control of the terminal, no forged fields.
#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// Longest remote string that a log line carries, in octets before escaping.
inline constexpr std::size_t kLoggedOctetsMax = 2048;

/// `text` with C0, DEL, C1, invalid UTF-8, bidirectional controls, line and paragraph separators, zero-width
/// and other invisible format characters, `"` and `\` written as `\xNN`, `\u{NNNN}`, `\"`, `\\`; cut after
/// `octets_max` with `…(+N)`. The result is valid UTF-8 without a line end. Reads no locale.
std::string escaped(std::string_view text, std::size_t octets_max = kLoggedOctetsMax);

/// A JSON string with its quotes; the same characters are escaped as \u00NN or \uNNNN, invalid UTF-8 becomes
/// U+FFFD, and the same cut applies.
std::string json_quoted(std::string_view text, std::size_t octets_max = kLoggedOctetsMax);

}  // namespace base
