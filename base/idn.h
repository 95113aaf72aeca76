#pragma once
// International domain names as browsers look them up (UTS #46, non-transitional, WHATWG URL §3.3).
#include <optional>
#include <string>
#include <string_view>

namespace base {

/// Longest domain that is mapped, in octets of UTF-8: a DNS name has 253 octets, and mapping seldom shortens.
inline constexpr std::size_t kIdnOctetsMax = 1024;
/// Mapping costs microseconds a label: more labels than this that are not ASCII, or longer ones, are refused.
inline constexpr std::size_t kIdnLabelsMax = 8;
inline constexpr std::size_t kIdnLabelOctetsMax = 256;

/// A-label form of `domain` (UTF-8, percent-decoded), lower case. Nothing for what UTS #46 refuses or for
/// invalid UTF-8. Forbidden ASCII is left for the caller to find, because mapping can bring it forth.
/// Thread-safe.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace base
