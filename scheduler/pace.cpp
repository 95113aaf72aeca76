// A day is cut into steps at the borders of its windows; inside a step the interval is constant. So the least
// allowed instant is the least over the steps of "last + the step's interval, or the step's next beginning",
// which is exact and needs no search through time.
#include "scheduler/pace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace scheduler {
namespace {

using base::Duration;
using base::WallTime;

constexpr std::size_t kMinutes = 1440;
constexpr Duration kDay = std::chrono::hours(24);
constexpr std::uint64_t kNanoseconds = 1'000'000'000;
__extension__ typedef unsigned __int128 Wide;

WallTime plus(WallTime t, Duration d) {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(t.time_since_epoch().count(), d.count(), &sum)) return WallTime::max();
  return WallTime(Duration(sum));
}

Duration since_midnight(WallTime t) {
  const Duration rest = t.time_since_epoch() % kDay;
  return rest < Duration::zero() ? rest + kDay : rest;
}

/// seconds / documents, rounded up: never faster than asked for, not even by a nanosecond.
Duration spread(const base::RequestRate& rate) {
  const Wide nanoseconds = static_cast<Wide>(rate.seconds) * kNanoseconds;
  const Wide each = (nanoseconds + rate.documents - 1) / rate.documents;
  if (each > static_cast<Wide>(kIntervalMax.count())) return kIntervalMax;
  return Duration(static_cast<Duration::rep>(each));
}

Interval clamped_delay(Duration delay, Duration longest, Reason reason) {
  if (delay > longest) return {longest, Reason::max_crawl_delay};
  return {std::max(delay, Duration::zero()), reason};
}

std::optional<Interval> delay_of_site(std::optional<double> seconds, Duration longest) {
  if (!seconds || !(*seconds >= 0)) return std::nullopt;
  if (*seconds > std::chrono::duration<double>(longest).count())
    return Interval{longest, Reason::max_crawl_delay};
  // Decimal fractions are not exact in binary: a hundredth of a nanosecond is forgiven before rounding up, so
  // that 0.3 s is 300,000,000 ns.
  const double whole = std::floor(*seconds);
  const double rest = std::ceil((*seconds - whole) * 1e9 - 0.01);
  const Duration delay =
      std::chrono::seconds(static_cast<std::int64_t>(whole)) + Duration(static_cast<std::int64_t>(rest));
  return clamped_delay(delay, longest, Reason::crawl_delay);
}

/// What the operator's bounds make of a site's wishes.
struct Bounds {
  Interval fallback;
  Interval minimum;
  std::optional<Interval> delay;
  std::optional<Duration> rate_floor;
  Duration longest_delay{};

  Bounds(const Wishes& wishes, const config::Politeness& politeness, std::string_view host)
      : fallback{politeness.default_interval, Reason::default_interval},
        minimum{politeness.hard_minimum, Reason::hard_minimum},
        rate_floor(politeness.rate_floor),
        longest_delay(std::clamp(politeness.max_crawl_delay, Duration::zero(), kIntervalMax)) {
    delay = delay_of_site(wishes.crawl_delay, longest_delay);
    if (const config::HostOverride* by_hand = politeness.host_override(host)) {
      if (by_hand->default_interval) fallback = {*by_hand->default_interval, Reason::host_override};
      if (by_hand->hard_minimum) minimum = {*by_hand->hard_minimum, Reason::host_override};
      if (by_hand->crawl_delay) {
        delay = clamped_delay(*by_hand->crawl_delay, longest_delay, Reason::host_override);
      }
    }
  }

  Interval of_rate(const base::RequestRate& rate) const {
    if (rate.documents == 0) {
      if (rate_floor) return {*rate_floor, Reason::rate_floor};
      return {longest_delay, Reason::max_crawl_delay};
    }
    const Duration length = spread(rate);
    if (rate_floor && length > *rate_floor) return {*rate_floor, Reason::rate_floor};
    return {length, Reason::request_rate};
  }

  Interval in_force(const std::optional<Interval>& rate) const {
    Interval result = rate ? *rate : delay.value_or(fallback);
    if (rate && delay && delay->length > rate->length) result = *delay;
    if (result.length < minimum.length) result = minimum;
    result.length = std::clamp(result.length, Duration::zero(), kIntervalMax);
    return result;
  }
};

/// The minutes of a day, each painted at most once; skips over what is painted in nearly constant time, so
/// that thousands of overlapping windows cost no more than their sum.
class Canvas {
 public:
  Canvas() { std::iota(next_.begin(), next_.end(), std::size_t{0}); }

  template <class Paint>
  void paint(const base::DailyWindow& window, Paint paint) {
    const std::size_t from = window.from % kMinutes;
    const std::size_t to = window.to % kMinutes;
    if (from < to) {
      stroke(from, to, paint);
    } else {
      stroke(from, kMinutes, paint);
      stroke(0, to, paint);
    }
  }

 private:
  template <class Paint>
  void stroke(std::size_t from, std::size_t to, Paint& paint) {
    for (std::size_t minute = unpainted(from); minute < to; minute = unpainted(minute)) {
      paint(minute);
      next_[minute] = minute + 1;
    }
  }

  std::size_t unpainted(std::size_t minute) {
    while (next_[minute] != minute) {
      next_[minute] = next_[next_[minute]];
      minute = next_[minute];
    }
    return minute;
  }

  std::array<std::size_t, kMinutes + 1> next_{};
};

/// The rate in force at each minute: the slowest of those whose window covers it, else the slowest of those
/// without a window.
std::vector<std::optional<Interval>> rates_by_minute(const Wishes& wishes, const Bounds& bounds) {
  std::optional<Interval> general;
  std::vector<std::pair<Interval, base::DailyWindow>> windowed;
  for (const base::RequestRate& rate : wishes.rates) {
    const Interval interval = bounds.of_rate(rate);
    if (rate.window) {
      windowed.emplace_back(interval, *rate.window);
    } else if (!general || interval.length > general->length) {
      general = interval;
    }
  }
  std::stable_sort(windowed.begin(), windowed.end(),
                   [](const auto& a, const auto& b) { return a.first.length > b.first.length; });
  std::vector<std::optional<Interval>> minutes(windowed.empty() ? 1 : kMinutes, general);
  Canvas canvas;
  for (const auto& [interval, window] : windowed) {
    canvas.paint(window, [&minutes, slower = interval](std::size_t minute) { minutes[minute] = slower; });
  }
  return minutes;
}

}  // namespace

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::default_interval: return "default_interval";
    case Reason::request_rate: return "request_rate";
    case Reason::rate_floor: return "rate_floor";
    case Reason::crawl_delay: return "crawl_delay";
    case Reason::max_crawl_delay: return "max_crawl_delay";
    case Reason::host_override: return "host_override";
    case Reason::hard_minimum: return "hard_minimum";
  }
  return "unknown";
}

Pace::Pace(const Wishes& wishes, const config::Politeness& politeness, std::string_view host,
           bool honour_visit_time) {
  const Bounds bounds(wishes, politeness, host);
  const std::vector<std::optional<Interval>> rates = rates_by_minute(wishes, bounds);
  const bool visits = honour_visit_time && !wishes.visit_times.empty();
  if (rates.size() == 1 && !visits) {
    always_ = bounds.in_force(rates.front());
    return;
  }
  std::vector<Step> minutes(kMinutes);
  for (std::size_t minute = 0; minute < kMinutes; ++minute) {
    const Interval interval = bounds.in_force(rates[rates.size() == 1 ? 0 : minute]);
    minutes[minute] = {interval.length, interval.reason, static_cast<std::uint16_t>(minute), !visits};
  }
  if (visits) {
    Canvas canvas;
    for (const base::DailyWindow& window : wishes.visit_times) {
      canvas.paint(window, [&minutes](std::size_t minute) { minutes[minute].open = true; });
    }
  }
  set_steps(std::move(minutes));
}

void Pace::set_steps(std::vector<Step> minutes) {
  const auto same = [](const Step& a, const Step& b) {
    return a.length == b.length && a.reason == b.reason && a.open == b.open;
  };
  std::unique_copy(minutes.begin(), minutes.end(), std::back_inserter(steps_), same);
  if (steps_.size() > kStepsMax) {
    constexpr std::size_t kQuarter = kMinutes / kStepsMax;
    steps_.clear();
    const auto shut = [](const Step& step) { return !step.open; };
    for (std::size_t begin = 0; begin < kMinutes; begin += kQuarter) {
      const auto first = minutes.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = first + kQuarter;
      Step step =
          *std::max_element(first, last, [](const Step& a, const Step& b) { return a.length < b.length; });
      step.begin = static_cast<std::uint16_t>(begin);
      step.open = std::none_of(first, last, shut);
      steps_.push_back(step);
    }
    // Only quarters that are wholly inside a Visit-time, unless there are none.
    if (std::all_of(steps_.begin(), steps_.end(), shut)) {
      for (const Step& minute : minutes) {
        if (minute.open) steps_[minute.begin / kQuarter].open = true;
      }
    }
  }
  if (steps_.size() == 1) {
    always_ = {steps_.front().length, steps_.front().reason};
    steps_.clear();
  }
  steps_.shrink_to_fit();
}

const Pace::Step& Pace::step_at(WallTime t) const {
  const auto minute = std::chrono::duration_cast<std::chrono::minutes>(since_midnight(t)).count();
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), minute,
                                      [](auto wanted, const Step& step) { return wanted < step.begin; });
  return *std::prev(after);
}

Interval Pace::at(WallTime t) const {
  if (constant()) return always_;
  const Step& step = step_at(t);
  return {step.length, step.reason};
}

bool Pace::open(WallTime t) const {
  return constant() || step_at(t).open;
}

Duration Pace::slowest() const {
  Duration longest = constant() ? always_.length : Duration::zero();
  for (const Step& step : steps_) longest = std::max(longest, step.length);
  return longest;
}

/// The least instant from `t` on inside the step.
WallTime Pace::entered(std::size_t step, WallTime t) const {
  const Duration begin = std::chrono::minutes(steps_[step].begin);
  const Duration end =
      step + 1 < steps_.size() ? Duration(std::chrono::minutes(steps_[step + 1].begin)) : kDay;
  const Duration time = since_midnight(t);
  if (time < begin) return plus(t, begin - time);
  if (time < end) return t;
  return plus(t, kDay - time + begin);
}

WallTime Pace::earliest(WallTime last, WallTime from) const {
  if (constant()) return std::max(from, plus(last, always_.length));
  WallTime least = WallTime::max();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].open) least = std::min(least, entered(i, std::max(from, plus(last, steps_[i].length))));
  }
  return least;
}

WallTime Pace::first(WallTime from) const {
  if (constant()) return from;
  WallTime least = WallTime::max();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].open) least = std::min(least, entered(i, from));
  }
  return least;
}

}  // namespace scheduler
