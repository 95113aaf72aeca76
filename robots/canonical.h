#pragma once
// The one form in which rules and URLs are compared (ROBOTS.md §3, RFC 9309 §2.2.2): `%XX` in upper case,
// unreserved characters plain, reserved ones as written, every other octet encoded. Canonical text is
// printable ASCII. `*` and `$` are encoded in it, so that a pattern can use them as its own signs.
#include "base/url.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace robots {

/// Longest target that is compared; a base::Url has no longer one.
inline constexpr std::size_t kTargetOctetsMax = base::kUrlOctetsMax;
/// Its canonical form, when every octet needs encoding.
inline constexpr std::size_t kCanonicalOctetsMax = 3 * kTargetOctetsMax;

/// One character of canonical text: the octet of a plain character, or kEncoded + the octet of a `%XX`.
using Unit = std::uint16_t;
inline constexpr Unit kEncoded = 0x100;
inline constexpr std::size_t kUnits = 0x200;

/// Reads the character at `position` (an octet, or `%XX` in any case) and moves past it. A `%` without two
/// hexadecimal digits is an octet like others. `position` < text.size().
Unit read_unit(std::string_view text, std::size_t& position);

/// `unit` as a character of a URL: `*` and `$` are no signs of a pattern there, and base::Url, like browsers,
/// always encodes `'` in a query (`query`: behind the first `?`). Any other unit unchanged.
constexpr Unit literal(Unit unit, bool query) {
  return unit == '*' || unit == '$' || (unit == '\'' && query) ? static_cast<Unit>(kEncoded | unit) : unit;
}

constexpr std::size_t octets_of(Unit unit) {
  return unit < kEncoded ? 1 : 3;
}

/// `unit` as text; returns the end. `out` has room for octets_of(unit).
char* write_unit(Unit unit, char* out);
void append_unit(Unit unit, std::string& out);

/// Whether `text`, a part of a URL or of a rule, has canonical form already and none of a rule's signs.
bool is_plain(std::string_view text);

/// The canonical form of a URL's path + query: `target` itself when it has that form already, else written to
/// `buffer`, which has room for 3 * target.size() octets.
std::string_view canonical_target(std::string_view target, std::span<char> buffer);

}  // namespace robots
