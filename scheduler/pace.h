#pragma once
// The interval between request starts that is in force for one origin at any UTC instant, and the exact
// earliest allowed instant (ROBOTS.md §5, §6). A value; knows no clock.
#include "base/rate.h"
#include "base/time.h"
#include "config/config.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace scheduler {

/// Which line of reasoning gave the interval; stable words for logs.
enum class Reason {
  default_interval,
  request_rate,
  rate_floor,
  crawl_delay,
  max_crawl_delay,
  host_override,
  hard_minimum
};
std::string_view to_string(Reason);

/// What a site asks for, before the operator's bounds.
struct Wishes {
  std::vector<base::RequestRate> rates;
  std::optional<double> crawl_delay;           ///< seconds
  std::vector<base::DailyWindow> visit_times;  ///< empty: any time; only binding when honoured
};

struct Interval {
  base::Duration length{};
  Reason reason = Reason::default_interval;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// No interval is longer than this, whatever a file asks for (it matters only with rate_floor `off`).
inline constexpr base::Duration kIntervalMax = std::chrono::hours(24) * 36'500;
/// A day with more steps than this is kept coarser: quarters of an hour, each as slow as its slowest minute.
inline constexpr std::size_t kStepsMax = 96;

class Pace {
 public:
  /// `host` finds the operator's override; `honour_visit_time` makes wishes.visit_times binding. A rate of 0
  /// documents is the floor, or max_crawl_delay where the floor is off.
  Pace(const Wishes& wishes, const config::Politeness& politeness, std::string_view host,
       bool honour_visit_time);

  /// The interval in force at `t`: piecewise constant, with steps at window borders.
  Interval at(base::WallTime t) const;

  /// The least t >= `from` with t - last >= at(t).length and t inside a binding Visit-time. Exact to the
  /// nanosecond at window borders, over midnight too. O(number of windows), no stepping through time.
  base::WallTime earliest(base::WallTime last, base::WallTime from) const;
  /// The least such t for an origin never asked before: `from`, or the next binding Visit-time.
  base::WallTime first(base::WallTime from) const;

  /// The same at every instant: no windows, no binding Visit-time.
  bool constant() const { return steps_.empty(); }
  /// Outside a binding Visit-time nothing may start.
  bool open(base::WallTime t) const;
  /// The longest interval of any instant.
  base::Duration slowest() const;
  friend bool operator==(const Pace&, const Pace&) = default;

 private:
  /// From a minute of the day on, until the next step or midnight.
  struct Step {
    base::Duration length{};
    Reason reason = Reason::default_interval;
    std::uint16_t begin = 0;
    bool open = true;
    friend bool operator==(const Step&, const Step&) = default;
  };

  const Step& step_at(base::WallTime t) const;
  base::WallTime entered(std::size_t step, base::WallTime t) const;
  void set_steps(std::vector<Step> minutes);

  Interval always_;          // of the whole day when there are no steps
  std::vector<Step> steps_;  // empty or at least two, the first at minute 0, at least one open
};

}  // namespace scheduler
