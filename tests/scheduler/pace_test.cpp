#include "scheduler/pace.h"

#include "base/random.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

namespace scheduler {
namespace {

using namespace std::chrono_literals;
using base::DailyWindow;
using base::Duration;
using base::RequestRate;
using base::WallTime;

const WallTime kMidnight{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
constexpr Duration kTick{1};
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

DailyWindow hours(int from, int to) {
  return {static_cast<std::uint16_t>(from * 60), static_cast<std::uint16_t>(to * 60), 0, 0};
}

config::Politeness bounds() {
  config::Politeness politeness;
  politeness.default_interval = 2s;
  politeness.hard_minimum = 0s;
  return politeness;
}

Pace pace(Wishes wishes, const config::Politeness& politeness = bounds(), bool visit = false) {
  return Pace(std::move(wishes), politeness, "www.example.com", visit);
}

Interval always(Wishes wishes, const config::Politeness& politeness = bounds()) {
  const Pace result = pace(std::move(wishes), politeness);
  EXPECT_TRUE(result.constant());
  return result.at(kMidnight);
}

TEST(Pace, WithoutWishesTheDefaultHolds) {
  EXPECT_EQ(always({}), (Interval{2s, Reason::default_interval}));
}

TEST(Pace, ASiteMayAskForMoreThanTheDefaultDownToTheHardMinimum) {
  auto politeness = bounds();
  politeness.hard_minimum = 100ms;
  EXPECT_EQ(always({{{5, 1, {}}}, {}, {}}, politeness), (Interval{200ms, Reason::request_rate}));
  EXPECT_EQ(always({{{50, 1, {}}}, {}, {}}, politeness), (Interval{100ms, Reason::hard_minimum}));
  EXPECT_EQ(always({{}, 0.05, {}}, politeness), (Interval{100ms, Reason::hard_minimum}));
  politeness.default_interval = 1ms;
  EXPECT_EQ(always({}, politeness), (Interval{100ms, Reason::hard_minimum}));
}

TEST(Pace, TheFloorShortensSlowRatesOnly) {
  EXPECT_EQ(always({{{1, 60, {}}}, {}, {}}), (Interval{10s, Reason::rate_floor}));
  EXPECT_EQ(always({{{100, 86'400, {}}}, {}, {}}), (Interval{10s, Reason::rate_floor}));
  EXPECT_EQ(always({{{0, 60, {}}}, {}, {}}), (Interval{10s, Reason::rate_floor}));
  EXPECT_EQ(always({{{1, 10, {}}}, {}, {}}), (Interval{10s, Reason::request_rate}));
  EXPECT_EQ(always({{{9000, 86'400, {}}}, {}, {}}), (Interval{9600ms, Reason::request_rate}));
}

TEST(Pace, WithoutAFloorSlowRatesAreObeyed) {
  auto politeness = bounds();
  politeness.rate_floor.reset();
  EXPECT_EQ(always({{{1, 86'400, {}}}, {}, {}}, politeness), (Interval{24h, Reason::request_rate}));
  EXPECT_EQ(always({{{0, 1, {}}}, {}, {}}, politeness), (Interval{1h, Reason::max_crawl_delay}));
}

TEST(Pace, ExtremesOf64BitsNeitherOverflowNorSpeedUp) {
  auto politeness = bounds();
  politeness.rate_floor.reset();
  EXPECT_EQ(always({{{1, kHuge, {}}}, {}, {}}, politeness).length, kIntervalMax);
  EXPECT_EQ(always({{{kHuge, kHuge, {}}}, {}, {}}, politeness).length, 1s);
  EXPECT_EQ(always({{{kHuge, 1, {}}}, {}, {}}, politeness).length, 1ns);
  EXPECT_EQ(always({{{kHuge - 1, kHuge, {}}}, {}, {}}, politeness).length, 1s + 1ns);
  const Pace slow = pace({{{1, kHuge, {}}, {1, kHuge, hours(1, 2)}}, {}, {}}, politeness);
  EXPECT_EQ(slow.earliest(kMidnight, kMidnight), kMidnight + kIntervalMax);
  EXPECT_EQ(slow.earliest(WallTime::max() - 1h, WallTime::max() - 1h), WallTime::max());
}

TEST(Pace, AFractionIsRoundedUpToTheNanosecond) {
  EXPECT_EQ(always({{{3, 1, {}}}, {}, {}}).length, 333'333'334ns);
  EXPECT_EQ(always({{}, 0.3, {}}).length, 300ms);
  EXPECT_EQ(always({{}, 1.1, {}}).length, 1100ms);
  EXPECT_EQ(always({{}, 0.000'000'000'2, {}}).length, 1ns);
}

TEST(Pace, CrawlDelayIsClampedButNeverFloored) {
  EXPECT_EQ(always({{}, 60.0, {}}), (Interval{60s, Reason::crawl_delay}));
  EXPECT_EQ(always({{}, 3600.0, {}}), (Interval{1h, Reason::crawl_delay}));
  EXPECT_EQ(always({{}, 3601.0, {}}), (Interval{1h, Reason::max_crawl_delay}));
  EXPECT_EQ(always({{}, 1e300, {}}), (Interval{1h, Reason::max_crawl_delay}));
}

TEST(Pace, NonsenseInsteadOfADelayIsNoDelay) {
  EXPECT_EQ(always({{}, -1.0, {}}).reason, Reason::default_interval);
  EXPECT_EQ(always({{}, std::numeric_limits<double>::quiet_NaN(), {}}).reason, Reason::default_interval);
}

TEST(Pace, OfFlooredRateAndDelayTheSlowerHolds) {
  EXPECT_EQ(always({{{1, 60, {}}}, 12.0, {}}), (Interval{12s, Reason::crawl_delay}));
  EXPECT_EQ(always({{{1, 60, {}}}, 5.0, {}}), (Interval{10s, Reason::rate_floor}));
  EXPECT_EQ(always({{{1, 5, {}}}, 5.0, {}}), (Interval{5s, Reason::request_rate}));
}

TEST(Pace, AWindowOutranksGeneralRatesAndTheSlowestOfSeveralHolds) {
  const Pace p = pace({{{1, 8, {}}, {1, 9, {}}, {10, 1, hours(1, 5)}, {1, 3, hours(4, 6)}}, {}, {}});
  EXPECT_EQ(p.at(kMidnight + 30min).length, 9s);
  EXPECT_EQ(p.at(kMidnight + 1h).length, 100ms);
  EXPECT_EQ(p.at(kMidnight + 4h - kTick).length, 100ms);
  EXPECT_EQ(p.at(kMidnight + 4h).length, 3s);
  EXPECT_EQ(p.at(kMidnight + 6h - kTick).length, 3s);
  EXPECT_EQ(p.at(kMidnight + 6h).length, 9s);
  EXPECT_EQ(p.slowest(), 9s);
}

TEST(Pace, OutsideEveryWindowTheDelayElseTheDefaultHolds) {
  EXPECT_EQ(pace({{{1, 8, hours(1, 2)}}, {}, {}}).at(kMidnight), (Interval{2s, Reason::default_interval}));
  EXPECT_EQ(pace({{{1, 8, hours(1, 2)}}, 0.5, {}}).at(kMidnight), (Interval{500ms, Reason::crawl_delay}));
}

TEST(Pace, WindowsWrapOverMidnightAndEqualEndsAreAllDay) {
  const Pace night = pace({{{1, 8, hours(22, 6)}}, {}, {}});
  EXPECT_EQ(night.at(kMidnight - 2h).length, 8s);
  EXPECT_EQ(night.at(kMidnight + 6h - kTick).length, 8s);
  EXPECT_EQ(night.at(kMidnight + 6h).length, 2s);
  EXPECT_EQ(night.at(WallTime{} - 1ns).length, 8s) << "before 1970";
  EXPECT_TRUE(pace({{{1, 8, hours(7, 7)}}, {}, {}}).constant());
  EXPECT_TRUE(pace({{{1, 8, hours(0, 24)}}, {}, {}}).constant());
  EXPECT_EQ(pace({{{1, 8, hours(18, 24)}}, {}, {}}).at(kMidnight).length, 2s);
}

TEST(Pace, TheOperatorsWordForAHostReplacesTheSites) {
  auto politeness = bounds();
  politeness.hosts["www.example.com"].crawl_delay = 1s;
  EXPECT_EQ(always({{}, 30.0, {}}, politeness), (Interval{1s, Reason::host_override}));
  EXPECT_EQ(always({{{1, 4, {}}}, 30.0, {}}, politeness), (Interval{4s, Reason::request_rate}));
  politeness.hosts["www.example.com"].crawl_delay = 2h;
  EXPECT_EQ(always({}, politeness), (Interval{1h, Reason::max_crawl_delay}));
  politeness.hosts["www.example.com"] = {};
  politeness.hosts["www.example.com"].default_interval = 7s;
  EXPECT_EQ(always({}, politeness), (Interval{7s, Reason::host_override}));
  politeness.hosts["www.example.com"].hard_minimum = 20s;
  EXPECT_EQ(always({{{1, 60, {}}}, {}, {}}, politeness), (Interval{20s, Reason::host_override}));
}

TEST(Pace, WhenAFastWindowOpensTheWaitEndsAtTheBorder) {
  const Pace p = pace({{{1, 10, {}}, {1, 1, hours(18, 19)}}, {}, {}});
  const WallTime opens = kMidnight + 18h;
  EXPECT_EQ(p.earliest(opens - 5s, opens - 5s), opens);
  EXPECT_EQ(p.earliest(opens - 1s + kTick, opens - 1s), opens + kTick);
  EXPECT_EQ(p.earliest(opens - 10s - kTick, opens - 10s), opens - kTick);
  EXPECT_EQ(p.earliest(opens - 5s, opens + 20min + kTick), opens + 20min + kTick);
}

TEST(Pace, WhenAFastWindowClosesTheSlowIntervalHoldsAtOnce) {
  const Pace p = pace({{{1, 10, {}}, {1, 1, hours(18, 19)}}, {}, {}});
  const WallTime closes = kMidnight + 19h;
  EXPECT_EQ(p.earliest(closes - 1s - kTick, closes - 1s), closes - kTick);
  EXPECT_EQ(p.earliest(closes - 1s, closes - 1s), closes + 9s);
}

TEST(Pace, VisitTimeBindsOnlyWhenHonoured) {
  const Wishes wishes{{}, {}, {hours(6, 8)}};
  EXPECT_TRUE(pace(wishes).constant());
  const Pace p = pace(wishes, bounds(), true);
  EXPECT_EQ(p.first(kMidnight), kMidnight + 6h);
  EXPECT_EQ(p.first(kMidnight + 7h + kTick), kMidnight + 7h + kTick);
  EXPECT_EQ(p.first(kMidnight + 8h), kMidnight + 30h);
  EXPECT_EQ(p.earliest(kMidnight + 8h - 1s, kMidnight + 8h - 1s), kMidnight + 30h);
  EXPECT_EQ(p.earliest(kMidnight + 8h - 2s - kTick, kMidnight), kMidnight + 8h - kTick);
  EXPECT_FALSE(p.open(kMidnight + 8h));
  EXPECT_TRUE(p.open(kMidnight + 8h - kTick));
}

/// Alternating minutes, so that each window makes two steps.
Wishes many_windows(std::size_t count) {
  Wishes wishes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::uint16_t>(2 * i);
    const auto end = static_cast<std::uint16_t>(begin + 1);
    wishes.rates.push_back({1, 5, DailyWindow{begin, end, 0, 0}});
    wishes.visit_times.push_back({begin, end, 0, 0});
  }
  return wishes;
}

TEST(Pace, ADayOfAsManyStepsAsTheLimitIsExact) {
  const Pace p = pace(many_windows(kStepsMax / 2));
  for (int minute = 0; minute < 90; ++minute) {
    EXPECT_EQ(p.at(kMidnight + std::chrono::minutes(minute)).length, minute % 2 == 0 ? 5s : 2s) << minute;
  }
}

TEST(Pace, ADayOfMoreStepsIsCoarserAndNeverFaster) {
  const Pace p = pace(many_windows(kStepsMax / 2 + 1));
  EXPECT_EQ(p.at(kMidnight + 1min).length, 5s);
  EXPECT_EQ(p.at(kMidnight + 12h).length, 2s);
  const Pace visits = pace(many_windows(720), bounds(), true);
  EXPECT_EQ(visits.first(kMidnight + 1min), kMidnight + 1min) << "there must be some time for a visit";
}

TEST(Pace, ThousandsOfWindowsAreReadInNoTime) {
  Wishes wishes;
  for (std::uint64_t i = 0; i < 25'000; ++i) {
    wishes.rates.push_back({1, 1 + i % 9, hours(static_cast<int>(i % 24), static_cast<int>(i * 7 % 24))});
  }
  EXPECT_EQ(pace(std::move(wishes)).slowest(), 9s);
}

// The property: `earliest` is allowed, and nothing before it is. Checked against the definition at every
// second of more than a week, at every border, and one nanosecond before the answer.
class Definition {
 public:
  Definition(Wishes wishes, const config::Politeness& politeness, bool visit)
      : wishes_(std::move(wishes)), politeness_(politeness), visit_(visit) {}

  bool allowed(WallTime last, WallTime t) const { return open(t) && t - last >= interval(t); }

  Duration interval(WallTime t) const {
    std::optional<Duration> windowed;
    std::optional<Duration> general;
    for (const RequestRate& rate : wishes_.rates) {
      Duration each = Duration(static_cast<Duration::rep>(rate.seconds * 1'000'000'000 / rate.documents));
      if (politeness_.rate_floor) each = std::min(each, *politeness_.rate_floor);
      auto& best = rate.window ? windowed : general;
      if (!rate.window || rate.window->contains(minute(t))) best = std::max(best.value_or(0s), each);
    }
    const auto rate = windowed ? windowed : general;
    std::optional<Duration> delay;
    if (wishes_.crawl_delay) delay = Duration(static_cast<Duration::rep>(*wishes_.crawl_delay * 1e9));
    if (!rate && !delay) return std::max(politeness_.default_interval, politeness_.hard_minimum);
    return std::max({rate.value_or(0s), delay.value_or(0s), politeness_.hard_minimum});
  }

 private:
  static int minute(WallTime t) {
    return static_cast<int>((t - std::chrono::floor<std::chrono::days>(t)) / std::chrono::minutes(1));
  }
  bool open(WallTime t) const {
    if (!visit_ || wishes_.visit_times.empty()) return true;
    return std::any_of(wishes_.visit_times.begin(), wishes_.visit_times.end(),
                       [&](const DailyWindow& window) { return window.contains(minute(t)); });
  }

  Wishes wishes_;
  config::Politeness politeness_;
  bool visit_;
};

DailyWindow random_window(base::Random& random) {
  const auto from = static_cast<std::uint16_t>(random.below(1440));
  const auto to = static_cast<std::uint16_t>(random.below(1441));
  return {from, to, 0, 0};
}

Wishes random_wishes(base::Random& random) {
  // Divisors of 10^9 ns, so that the definition needs no rounding.
  constexpr std::uint64_t kDocuments[] = {1, 2, 4, 5, 8, 10, 100, 1000};
  Wishes wishes;
  for (std::uint64_t i = random.below(6); i > 0; --i) {
    RequestRate rate;
    rate.documents = kDocuments[random.below(8)];
    rate.seconds = 1 + random.below(random.below(3) == 0 ? 90'000 : 300);
    if (random.below(4) != 0) rate.window = random_window(random);
    wishes.rates.push_back(rate);
  }
  if (random.below(3) == 0) wishes.crawl_delay = static_cast<double>(random.below(5000)) / 4;
  for (std::uint64_t i = random.below(4); i > 0; --i) wishes.visit_times.push_back(random_window(random));
  return wishes;
}

void expect_least(const Pace& p, const Definition& definition, WallTime last, WallTime from) {
  const WallTime answer = p.earliest(last, from);
  ASSERT_GE(answer, from);
  ASSERT_LT(answer, from + 24h * 8);
  ASSERT_EQ(p.at(answer).length, definition.interval(answer));
  ASSERT_TRUE(definition.allowed(last, answer)) << answer.time_since_epoch().count();
  if (answer > from) {
    ASSERT_FALSE(definition.allowed(last, answer - kTick));
  }
  for (WallTime t = std::chrono::ceil<std::chrono::seconds>(from); t < answer; t += 1s) {
    ASSERT_FALSE(definition.allowed(last, t)) << t.time_since_epoch().count();
  }
}

TEST(Pace, EarliestIsTheLeastAllowedInstant) {
  base::Random random(6);
  auto politeness = bounds();
  politeness.max_crawl_delay = 24h;
  for (int round = 0; round < 150; ++round) {
    politeness.rate_floor.reset();
    if (random.below(2) == 0) politeness.rate_floor = std::chrono::seconds(1 + random.below(2000));
    politeness.hard_minimum = std::chrono::seconds(random.below(3));
    const Wishes wishes = random_wishes(random);
    const bool visit = random.below(2) == 0;
    const Pace p = pace(wishes, politeness, visit);
    const Definition definition(wishes, politeness, visit);
    for (int i = 0; i < 4; ++i) {
      const WallTime last =
          kMidnight + Duration(static_cast<Duration::rep>(random.below(86'400'000'000'000)));
      const WallTime from =
          last + Duration(static_cast<Duration::rep>(random.below(20'000'000'000'000))) - 1h;
      expect_least(p, definition, last, from);
      if (HasFatalFailure()) FAIL() << "round " << round;
    }
  }
}

}  // namespace
}  // namespace scheduler
