#pragma once
// Rates and windows of the day as robots.txt writes them. robots/ reads them, scheduler/ obeys them.
#include "base/time.h"

#include <cstdint>
#include <optional>

namespace base {

/// A daily range of UTC minutes [from, to). from > to wraps over midnight, from == to is the whole day.
/// `from` is 0..1439, `to` is 0..1440 and already means the exclusive end: a written end at minute 59 has
/// been moved up by one (`1300-1659` ends at 17:00). The written values stay for display.
struct DailyWindow {
  std::uint16_t from = 0;          ///< first minute of the day inside
  std::uint16_t to = 0;            ///< first minute of the day outside
  std::uint16_t written_from = 0;  ///< hhmm as the file has it, 1800 = 18:00
  std::uint16_t written_to = 0;    ///< hhmm as the file has it, up to 2400

  /// `minute` is 0..1439 of a UTC day.
  constexpr bool contains(int minute) const {
    if (from == to % 1440) return true;
    if (from < to) return minute >= from && minute < to;
    return minute >= from || minute < to;
  }
  friend bool operator==(const DailyWindow&, const DailyWindow&) = default;
};

/// `documents` per `seconds`, as written and before any floor (S1: Request-rate). `seconds` >= 1;
/// `documents` may be 0, which means slower than any floor.
struct RequestRate {
  std::uint64_t documents = 0;
  std::uint64_t seconds = 1;
  std::optional<DailyWindow> window;  ///< none: at any time that no window covers
  friend bool operator==(const RequestRate&, const RequestRate&) = default;
};

}  // namespace base
