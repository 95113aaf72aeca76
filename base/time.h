#pragma once
// Time as values. Nothing in this file reads a clock; base/clock.h is the only place that does.
#include <chrono>
#include <cstdint>

namespace base {

using Duration = std::chrono::nanoseconds;

/// Tag of the steady axis. In life it is CLOCK_BOOTTIME: it never steps and it counts suspended time, so a
/// gap on this axis is a gap in the world and an expiry on it is right after a suspend. It has no now():
/// whoever needs the time gets it as an argument.
struct SteadyClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SteadyClock>;
  static constexpr bool is_steady = true;
};

using TimePoint = SteadyClock::time_point;         ///< For gaps, deadlines and expiries.
using WallTime = std::chrono::sys_time<Duration>;  ///< UTC. For windows of the day, log lines and dates.

/// One reading of both clocks. `wall - steady` changes only when somebody sets the wall clock.
struct Now {
  TimePoint steady{};
  WallTime wall{};

  /// The wall time that `t` would have if the wall clock were not set between now and then.
  constexpr WallTime wall_at(TimePoint t) const { return wall + (t - steady); }
  constexpr TimePoint steady_at(WallTime t) const { return steady + (t - wall); }
  constexpr Duration offset() const { return wall.time_since_epoch() - steady.time_since_epoch(); }
};

}  // namespace base
