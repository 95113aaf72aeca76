#pragma once
// Durations and instants as people write them in configurations, headers and logs.
#include "base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace base {

/// `10s`, `250ms`, `1h30m`, `2d`, `1.5s`, `0s`, `0`. Units ns us ms s m h d, each once, from large to small.
/// A bare number other than 0 has no unit and is refused, as are signs and overflow.
std::optional<Duration> parse_duration(std::string_view text);

/// The shortest exact form that parse_duration() reads back: `1h30m`, `9.6s`, `250ms`, `0s`.
std::string duration_text(Duration d);

/// RFC 3339 in UTC with milliseconds: `2026-11-21T01:36:56.123Z`.
std::string rfc3339(WallTime t);

/// RFC 3339 with any offset and optional fraction.
std::optional<WallTime> parse_rfc3339(std::string_view text);

/// HTTP date in the three forms of RFC 9110 §5.6.7.
std::optional<WallTime> parse_http_date(std::string_view text);

/// Retry-After (RFC 9110 §10.2.3): delay seconds or an HTTP date, as a wait from `now`; a past date is zero,
/// nonsense is nothing. A number too large for Duration is the largest that fits.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

}  // namespace base
