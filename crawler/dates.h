#pragma once
// Dates as feeds, sitemaps and index rules write them. Pure.
#include "base/time.h"

#include <optional>
#include <string_view>

namespace crawler {

/// Takes a date off the front of `text`, with the time and zone that follow if they do; nothing, and `text`
/// as it was, when none stands there. RFC 822 and 1123 (`Sat, 01 Aug 2026 09:00:00 GMT`), RFC 850 (`Saturday,
/// 01-Aug-26 …`) and ISO 8601 of any precision from the year on (the W3C's datetime). Without a zone it is
/// UTC, without a time midnight; of two digits the year is 1970 to 2069; fractions of a second fall away.
std::optional<base::WallTime> take_date(std::string_view& text);

/// A text that is such a date and nothing else, white space aside.
std::optional<base::WallTime> read_date(std::string_view text);

}  // namespace crawler
