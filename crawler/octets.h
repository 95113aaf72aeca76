#pragma once
// Where an octet is, 16 at a time. What HTML asks for is mostly a few octets away: nearer than a call of
// memchr costs.
#include <bit>
#include <cstddef>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace crawler {

/// The first `a` or `b` in `text` from `at` on; text.size() when there is none. Reads nothing behind `text`:
/// what is left of it after whole blocks is looked at octet by octet, and without SSE2 all of it is.
inline std::size_t find_either(std::string_view text, std::size_t at, char a, char b) {
#ifdef __SSE2__
  constexpr std::size_t kBlock = sizeof(__m128i);
  for (; at + kBlock <= text.size(); at += kBlock) {
    const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i found =
        _mm_or_si128(_mm_cmpeq_epi8(octets, _mm_set1_epi8(a)), _mm_cmpeq_epi8(octets, _mm_set1_epi8(b)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) return at + static_cast<std::size_t>(std::countr_zero(mask));
  }
#endif
  while (at < text.size() && text[at] != a && text[at] != b) ++at;
  return at;
}

/// The first `c` in `text` from `at` on; text.size() when there is none. Behind the first octets memchr goes
/// on, which is faster where the way is long.
inline std::size_t find_octet(std::string_view text, std::size_t at, char c) {
  constexpr std::size_t kNear = 32;
  if (at + kNear > text.size()) return find_either(text, at, c, c);
  const std::size_t near = find_either(text.substr(0, at + kNear), at, c, c);
  if (near < at + kNear) return near;
  const std::size_t found = text.find(c, near);
  return found == std::string_view::npos ? text.size() : found;
}

}  // namespace crawler
