#pragma once
// Content-Type, as far as crawld needs it.
#include <string>
#include <string_view>

namespace crawler {

/// Longest media type that is told; a longer one counts as none.
inline constexpr std::size_t kMediaTypeOctetsMax = 128;

/// `text/html` of `Text/HTML; charset=utf-8`; empty when it is none (RFC 9110 §8.3.1).
std::string media_type(std::string_view content_type);

}  // namespace crawler
