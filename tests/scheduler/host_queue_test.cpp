#include "scheduler/host_queue.h"

#include "gtest/gtest.h"

#include <set>
#include <string>
#include <vector>

namespace scheduler {
namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::IpAddress;
using base::Now;
using base::Origin;
using base::TimePoint;
using base::WallTime;

constexpr Duration kTick{1};

Origin origin(const std::string& text) {
  return base::Url::parse(text).value().origin();
}
IpAddress address(const std::string& text) {
  return IpAddress::parse(text).value();
}

base::DailyWindow hours(int from, int to) {
  return {static_cast<std::uint16_t>(from * 60), static_cast<std::uint16_t>(to * 60), 0, 0};
}

/// A queue with every clock off but the default interval of 2 s; each test turns on what it looks at.
class HostQueueTest : public testing::Test {
 protected:
  HostQueueTest() {
    politeness_.default_interval = 2s;
    politeness_.hard_minimum = 0s;
    politeness_.latency_factor = 0;
    politeness_.per_address_interval = 0s;
  }

  HostQueue& queue() {
    if (!queue_) {
      addresses_.emplace(politeness_);
      queue_.emplace(politeness_, *addresses_, random_);
    }
    return *queue_;
  }

  void pass(Duration d) {
    now_.steady += d;
    now_.wall += d;
  }
  void set_wall(WallTime wall) { now_.wall = wall; }

  /// A lease now, and not a tick earlier.
  Lease expect_lease_after(Duration wait) {
    if (wait > Duration::zero()) {
      EXPECT_EQ(queue().next_due(now_), now_.steady + wait);
      pass(wait - kTick);
      EXPECT_FALSE(queue().next(now_)) << "too early";
      pass(kTick);
    }
    std::optional<Lease> lease = queue().next(now_);
    EXPECT_TRUE(lease) << "not yet";
    return std::move(lease).value();
  }

  void finish(Lease lease, Health health = Health::ok, std::optional<Duration> retry_after = {},
              bool more = true) {
    queue().finish(std::move(lease), Feedback{health, retry_after, now_.steady}, more, now_);
  }

  /// Sends at once and is answered at once.
  void visit(Lease lease, Health health = Health::ok, std::optional<Duration> retry_after = {}) {
    queue().sent(lease, now_.steady);
    finish(std::move(lease), health, retry_after);
  }

  Waiting waiting(const Origin& o) { return queue().status(o, now_).waiting; }
  Duration until_due(const Origin& o) { return queue().status(o, now_).due - now_.steady; }

  /// 2026-11-21T00:00Z at 1000 s of the steady clock.
  Now now_{TimePoint(1000s), WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21))};
  config::Politeness politeness_;
  base::Random random_{7};
  std::optional<AddressClocks> addresses_;
  std::optional<HostQueue> queue_;
  const Origin a_ = origin("http://a.example.com");
  const Origin b_ = origin("http://b.example.com");
  const Origin c_ = origin("http://c.example.net");
};

TEST_F(HostQueueTest, AnOriginThatWakesIsDueAtOnce) {
  EXPECT_FALSE(queue().next(now_));
  EXPECT_FALSE(queue().next_due(now_));
  EXPECT_TRUE(queue().wake(a_, now_));
  EXPECT_FALSE(queue().wake(a_, now_)) << "known by now";
  EXPECT_EQ(queue().next_due(now_), now_.steady);
  const Lease lease = expect_lease_after(0s);
  EXPECT_EQ(lease.origin(), a_);
}

TEST_F(HostQueueTest, TheIntervalRunsFromStartToStart) {
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  pass(700ms);  // connecting
  queue().sent(lease, now_.steady);
  pass(500ms);  // waiting for the answer
  finish(std::move(lease));
  EXPECT_EQ(waiting(a_), Waiting::interval);
  visit(expect_lease_after(1500ms));
  visit(expect_lease_after(2s));
}

TEST_F(HostQueueTest, OneLeaseAtATimeForAnOrigin) {
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  queue().wake(a_, now_);
  pass(1h);
  EXPECT_FALSE(queue().next(now_));
  EXPECT_FALSE(queue().next_due(now_));
  EXPECT_EQ(waiting(a_), Waiting::in_flight);
  finish(std::move(lease));
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, AttemptsThatSentNothingAreSpacedFromTheirEnd) {
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  pass(5s);  // the name server takes its time
  finish(std::move(lease));
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, AnEndThatCannotBeTrueCountsAsNow) {
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  queue().finish(std::move(lease), Feedback{}, true, now_);
  lease = expect_lease_after(2s);
  queue().sent(lease, now_.steady);
  pass(1s);
  queue().finish(std::move(lease), Feedback{Health::failing, {}, now_.steady - 5s}, true, now_);
  EXPECT_GE(until_due(a_), 30s);
}

TEST_F(HostQueueTest, ALeaseGivenBackLeavesTheClocksAsTheyWere) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s));
  Lease lease = expect_lease_after(2s);
  queue().give_back(std::move(lease), true, now_);
  visit(expect_lease_after(0s));
  lease = expect_lease_after(2s);
  queue().give_back(std::move(lease), false, now_);
  EXPECT_EQ(waiting(a_), Waiting::idle);
  EXPECT_FALSE(queue().next(now_));
}

TEST_F(HostQueueTest, ALeaseThatDiesUnfinishedIsAFailure) {
  queue().wake(a_, now_);
  { const Lease lease = expect_lease_after(0s); }
  pass(10s);
  EXPECT_FALSE(queue().next(now_));
  EXPECT_EQ(waiting(a_), Waiting::pause);
  EXPECT_GE(until_due(a_), HostQueue::kFailing.first);
  pass(until_due(a_));
  EXPECT_TRUE(queue().next(now_));
}

TEST_F(HostQueueTest, AMovedLeaseEndsOnce) {
  queue().wake(a_, now_);
  queue().wake(c_, now_);
  Lease first = expect_lease_after(0s);
  Lease second = expect_lease_after(0s);
  first = std::move(second);  // the first one dies here
  EXPECT_EQ(queue().census(now_).in_flight, 2U);
  queue().next_due(now_);
  EXPECT_EQ(queue().census(now_).in_flight, 1U);
  EXPECT_EQ(first.origin(), c_);
  finish(std::move(first));
  EXPECT_EQ(queue().census(now_).in_flight, 0U);
}

TEST_F(HostQueueTest, AnIdleOriginIsDueNeverAndKeepsItsClocks) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s));
  queue().idle(a_);
  queue().idle(a_);
  EXPECT_FALSE(queue().next_due(now_));
  EXPECT_EQ(waiting(a_), Waiting::idle);
  pass(500ms);
  EXPECT_FALSE(queue().wake(a_, now_));
  expect_lease_after(1500ms);
}

TEST_F(HostQueueTest, WithoutMoreWorkTheOriginRests) {
  queue().wake(a_, now_);
  finish(expect_lease_after(0s), Health::ok, {}, false);
  EXPECT_FALSE(queue().next_due(now_));
  EXPECT_EQ(queue().census(now_).idle, 1U);
}

TEST_F(HostQueueTest, TheOneThatIsDueTheLongestGoesFirst) {
  std::vector<Origin> order;
  for (const Origin& o : {a_, b_, c_}) {
    queue().wake(o, now_);
    pass(1ms);
  }
  pass(10s);
  for (int i = 0; i < 6; ++i) {
    Lease lease = expect_lease_after(0s);
    order.push_back(lease.origin());
    visit(std::move(lease));
    if (i == 2) pass(10s);
  }
  EXPECT_EQ(order, (std::vector<Origin>{a_, b_, c_, a_, b_, c_}));
}

TEST_F(HostQueueTest, EqualsAreServedInTurnEvenWithoutAnyInterval) {
  politeness_.default_interval = 0s;
  std::vector<Origin> order;
  for (const Origin& o : {a_, b_, c_}) queue().wake(o, now_);
  for (int i = 0; i < 6; ++i) {
    Lease lease = expect_lease_after(0s);
    order.push_back(lease.origin());
    visit(std::move(lease));
  }
  EXPECT_EQ(order, (std::vector<Origin>{a_, b_, c_, a_, b_, c_}));
}

TEST_F(HostQueueTest, ASlowAnswerIsFollowedByALongerPause) {
  politeness_.latency_factor = 2.0;
  politeness_.latency_cap = 60s;
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  queue().sent(lease, now_.steady);
  pass(5s);
  finish(std::move(lease));
  EXPECT_EQ(waiting(a_), Waiting::latency);
  lease = expect_lease_after(10s);
  queue().sent(lease, now_.steady);
  pass(50s);
  finish(std::move(lease));
  lease = expect_lease_after(60s);
  queue().sent(lease, now_.steady);
  pass(100ms);
  finish(std::move(lease));
  expect_lease_after(1900ms);
}

TEST_F(HostQueueTest, TheLatencyFactorOfAHostIsTheOperators) {
  politeness_.latency_factor = 2.0;
  politeness_.hosts["a.example.com"].latency_factor = 0.5;
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  queue().sent(lease, now_.steady);
  pass(10s);
  finish(std::move(lease));
  expect_lease_after(5s);
}

TEST_F(HostQueueTest, AHostWithAnOverrideStartsWithIt) {
  politeness_.hosts["a.example.com"].crawl_delay = 9s;
  EXPECT_EQ(queue().interval(a_, now_.wall), (Interval{9s, Reason::host_override}));
  EXPECT_EQ(queue().interval(b_, now_.wall), (Interval{2s, Reason::default_interval}));
  queue().wake(a_, now_);
  visit(expect_lease_after(0s));
  expect_lease_after(9s);
}

TEST_F(HostQueueTest, RetryAfterPausesExactly) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded, 120s);
  EXPECT_EQ(waiting(a_), Waiting::pause);
  EXPECT_EQ(queue().census(now_).paused, 1U);
  visit(expect_lease_after(120s));
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, AShortRetryAfterNeverShortensTheInterval) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded, 0s);
  visit(expect_lease_after(2s), Health::overloaded, -5s);
  visit(expect_lease_after(2s), Health::overloaded, 1s);
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, RetryAfterIsCappedAtADay) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded, Duration::max());
  visit(expect_lease_after(24h), Health::overloaded, 24h + kTick);
  expect_lease_after(24h);
}

TEST_F(HostQueueTest, WithoutRetryAfterThePauseDoublesToADay) {
  queue().wake(a_, now_);
  Duration rung = 5min;
  for (int i = 0; i < 40; ++i) {
    visit(expect_lease_after(i == 0 ? 0s : until_due(a_)), Health::overloaded);
    EXPECT_GE(until_due(a_), rung);
    EXPECT_LE(until_due(a_), std::min<Duration>(rung + rung / 10, 24h));
    rung = std::min<Duration>(2 * rung, 24h);
  }
  EXPECT_EQ(until_due(a_), 24h);
}

TEST_F(HostQueueTest, SuccessEasesTheLadderOneStepAtATime) {
  queue().wake(a_, now_);
  const auto go = [this](Health health) {
    if (until_due(a_) > Duration::zero()) pass(until_due(a_));
    visit(expect_lease_after(0s), health);
  };
  for (int i = 0; i < 3; ++i) go(Health::overloaded);  // third rung: 20 min
  EXPECT_GE(until_due(a_), 20min);
  go(Health::ok);
  EXPECT_EQ(until_due(a_), 2s);
  go(Health::overloaded);  // two steps down, one up
  EXPECT_GE(until_due(a_), 20min);
  EXPECT_LE(until_due(a_), 22min);
  for (int i = 0; i < 9; ++i) go(Health::ok);
  go(Health::overloaded);
  EXPECT_LE(until_due(a_), 5min + 30s);
}

TEST_F(HostQueueTest, NoAnswerPausesFromHalfAMinuteToAnHourUntilASuccess) {
  queue().wake(a_, now_);
  Duration rung = 30s;
  for (int i = 0; i < 20; ++i) {
    visit(expect_lease_after(i == 0 ? 0s : until_due(a_)), Health::failing);
    EXPECT_GE(until_due(a_), rung);
    EXPECT_LE(until_due(a_), std::min<Duration>(rung + rung / 10, 1h));
    rung = std::min<Duration>(2 * rung, 1h);
  }
  visit(expect_lease_after(until_due(a_)), Health::ok);
  visit(expect_lease_after(until_due(a_)), Health::failing);
  EXPECT_LE(until_due(a_), 33s);
}

TEST_F(HostQueueTest, APauseIsOnlyEverLengthened) {
  queue().wake(a_, now_);
  queue().pause(a_, now_.steady + 1h, now_);
  queue().pause(a_, now_.steady + 1min, now_);
  EXPECT_EQ(waiting(a_), Waiting::pause);
  visit(expect_lease_after(1h));
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, APauseDuringALeaseHoldsAfterIt) {
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  queue().pause(a_, now_.steady + 1h, now_);
  EXPECT_FALSE(queue().admit(lease, address("192.0.2.1"), now_)) << "nothing has been sent yet";
  queue().give_back(std::move(lease), true, now_);
  expect_lease_after(1h);
}

TEST_F(HostQueueTest, AnOriginMayBePausedBeforeItIsKnownAndForEver) {
  queue().pause(a_, TimePoint::max(), now_);
  EXPECT_FALSE(queue().wake(a_, now_));
  queue().wake(b_, now_);
  EXPECT_EQ(expect_lease_after(0s).origin(), b_);
  EXPECT_GE(until_due(a_), 24h * 365 * 50);
}

TEST_F(HostQueueTest, ANewPaceReTimesTheWaitingOriginAtOnce) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s));
  queue().set_pace(a_, Pace({{}, 30.0, {}}, politeness_, "a.example.com", false), now_);
  EXPECT_EQ(until_due(a_), 30s);
  EXPECT_EQ(queue().interval(a_, now_.wall), (Interval{30s, Reason::crawl_delay}));
  pass(10s);
  queue().set_pace(a_, Pace({{}, 12.0, {}}, politeness_, "a.example.com", false), now_);
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, AWindowThatOpensReTimesTheWaitingOriginAtItsBorder) {
  set_wall(now_.wall + 18h - 5s);
  queue().wake(a_, now_);
  queue().set_pace(a_, Pace({{{1, 10, {}}, {1, 1, hours(18, 19)}}, {}, {}}, politeness_, "", false), now_);
  visit(expect_lease_after(0s));
  visit(expect_lease_after(5s));
  expect_lease_after(1s);
}

TEST_F(HostQueueTest, AWindowThatHasClosedHoldsBackAnOriginThatWasDue) {
  set_wall(now_.wall + 19h - 5s);
  queue().wake(a_, now_);
  queue().set_pace(a_, Pace({{{1, 10, {}}, {1, 1, hours(18, 19)}}, {}, {}}, politeness_, "", false), now_);
  visit(expect_lease_after(0s));
  pass(6s);  // due since 5 s, but nobody asked; now the interval is 10 s
  EXPECT_FALSE(queue().next(now_));
  EXPECT_EQ(waiting(a_), Waiting::interval);
  expect_lease_after(4s);
}

TEST_F(HostQueueTest, AVisitTimeIsWaitedFor) {
  queue().wake(a_, now_);
  queue().set_pace(a_, Pace({{}, {}, {hours(6, 8)}}, politeness_, "", true), now_);
  EXPECT_EQ(waiting(a_), Waiting::visit_time);
  visit(expect_lease_after(6h));
  pass(2h);
  EXPECT_FALSE(queue().next(now_));
  EXPECT_EQ(waiting(a_), Waiting::visit_time);
  expect_lease_after(22h);
}

TEST_F(HostQueueTest, AStepOfTheWallClockMovesWindowsButShortensNoGap) {
  queue().wake(a_, now_);
  queue().wake(b_, now_);
  queue().set_pace(a_, Pace({{{1, 10, {}}, {1, 4, hours(12, 13)}}, {}, {}}, politeness_, "", false), now_);
  visit(expect_lease_after(0s));
  visit(expect_lease_after(0s));
  pass(1s);
  set_wall(now_.wall + 12h);  // somebody sets the clock: now it is 12:00:01
  EXPECT_EQ(queue().next_due(now_), now_.steady + 1s) << "b waits as before";
  EXPECT_EQ(expect_lease_after(1s).origin(), b_);
  EXPECT_EQ(expect_lease_after(2s).origin(), a_) << "4 s after its start";
}

TEST_F(HostQueueTest, AStepBackIntoASlowWindowLengthensTheWait) {
  set_wall(now_.wall + 12h);
  queue().wake(a_, now_);
  queue().set_pace(a_, Pace({{{1, 10, {}}, {1, 4, hours(12, 13)}}, {}, {}}, politeness_, "", false), now_);
  visit(expect_lease_after(0s));
  set_wall(now_.wall - 6h);
  EXPECT_EQ(queue().next_due(now_), now_.steady + 10s);
  expect_lease_after(10s);
}

TEST_F(HostQueueTest, OriginsOfOneAddressShareItsClock) {
  politeness_.per_address_interval = 250ms;
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  visit(std::move(lease));
  queue().wake(c_, now_);
  lease = expect_lease_after(0s);
  EXPECT_FALSE(queue().admit(lease, address("192.0.2.1"), now_)) << "only now its address is known";
  queue().give_back(std::move(lease), true, now_);
  EXPECT_EQ(waiting(c_), Waiting::address);
  EXPECT_EQ(until_due(c_), 250ms);
  lease = expect_lease_after(250ms);
  EXPECT_EQ(lease.origin(), c_);
  EXPECT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  visit(std::move(lease));
  visit(expect_lease_after(1750ms));  // a, by its own clock
  lease = expect_lease_after(250ms);
  EXPECT_EQ(lease.origin(), c_);
}

TEST_F(HostQueueTest, BetweenGrantAndStartNobodyElseGetsTheAddress) {
  politeness_.per_address_interval = 250ms;
  for (const Origin& o : {a_, c_}) {
    queue().wake(o, now_);
    Lease lease = expect_lease_after(0s);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
    visit(std::move(lease));
    pass(1s);
  }
  pass(1min);
  Lease lease = expect_lease_after(0s);
  EXPECT_EQ(lease.origin(), a_);
  EXPECT_FALSE(queue().next(now_));
  EXPECT_FALSE(queue().next_due(now_)) << "nothing becomes due by itself";
  EXPECT_EQ(waiting(c_), Waiting::address);
  pass(3s);
  queue().sent(lease, now_.steady);
  Lease other = expect_lease_after(250ms);
  EXPECT_EQ(other.origin(), c_);
  queue().give_back(std::move(other), true, now_);
  other = expect_lease_after(0s);
  EXPECT_EQ(other.origin(), c_) << "the address was released";
  finish(std::move(lease));
}

TEST_F(HostQueueTest, ARefusedConnectionStartsTheAddressClockButALostNameDoesNot) {
  politeness_.per_address_interval = 250ms;
  for (const Origin& o : {a_, c_}) {
    queue().wake(o, now_);
    Lease lease = expect_lease_after(0s);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
    visit(std::move(lease));
    pass(1s);
  }
  pass(1min);
  Lease lease = expect_lease_after(0s);
  finish(std::move(lease), Health::failing);  // the name leads nowhere any more
  lease = expect_lease_after(0s);
  EXPECT_EQ(lease.origin(), c_);
  ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  finish(std::move(lease), Health::failing);  // refused
  EXPECT_EQ(addresses_->reserve(address("192.0.2.1"), now_.steady), now_.steady + 250ms);
}

TEST_F(HostQueueTest, AnOriginThatMovesTakesItsNewAddressAndFreesTheOld) {
  politeness_.per_address_interval = 250ms;
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  visit(std::move(lease));
  lease = expect_lease_after(2s);
  ASSERT_TRUE(queue().admit(lease, address("2001:db8::1"), now_));
  EXPECT_FALSE(addresses_->reserve(address("192.0.2.1"), now_.steady)) << "free again";
  EXPECT_TRUE(addresses_->reserve(address("2001:db8::1"), now_.steady));
  visit(std::move(lease));
  expect_lease_after(2s);
}

TEST_F(HostQueueTest, AnotherThreadMayTakeTheAddressMeanwhile) {
  politeness_.per_address_interval = 250ms;
  queue().wake(a_, now_);
  Lease lease = expect_lease_after(0s);
  ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  visit(std::move(lease));
  pass(2s);
  ASSERT_FALSE(addresses_->reserve(address("192.0.2.1"), now_.steady));
  EXPECT_EQ(queue().next_due(now_), now_.steady);
  EXPECT_FALSE(queue().next(now_));
  ASSERT_EQ(queue().next_due(now_), now_.steady + AddressClocks::kAskAgain);
  addresses_->sent(address("192.0.2.1"), now_.steady);
  pass(AddressClocks::kAskAgain);
  EXPECT_FALSE(queue().next(now_));
  expect_lease_after(250ms - AddressClocks::kAskAgain);
}

TEST_F(HostQueueTest, ADyingQueueLeavesNoAddressTaken) {
  politeness_.per_address_interval = 250ms;
  queue().wake(a_, now_);
  {
    Lease lease = expect_lease_after(0s);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  }
  queue_.reset();
  EXPECT_FALSE(addresses_->reserve(address("192.0.2.1"), now_.steady));
}

TEST_F(HostQueueTest, OriginsOfOneSiteShareItsClock) {
  politeness_.per_site_interval = 5s;
  for (const Origin& o : {a_, b_, c_}) queue().wake(o, now_);
  Lease first = expect_lease_after(0s);
  EXPECT_EQ(first.origin(), a_);
  Lease other = expect_lease_after(0s);
  EXPECT_EQ(other.origin(), c_) << "b belongs to the site of a, which is taken";
  EXPECT_EQ(waiting(b_), Waiting::site);
  pass(3s);
  queue().sent(first, now_.steady);
  first = (finish(std::move(first)), expect_lease_after(5s));
  EXPECT_EQ(first.origin(), b_);
  visit(std::move(first));
  EXPECT_EQ(expect_lease_after(5s).origin(), a_);
}

TEST_F(HostQueueTest, SiteAndAddressClocksHoldTogether) {
  politeness_.per_site_interval = 1s;
  politeness_.per_address_interval = 3s;
  politeness_.default_interval = 0s;
  // a and b: one site on two addresses; c: another site on the address of a.
  const auto at = [&](const Origin& o) { return address(o == b_ ? "192.0.2.2" : "192.0.2.1"); };
  for (const Origin& o : {a_, b_, c_}) queue().wake(o, now_);
  std::multiset<Origin> served;
  std::map<Origin, TimePoint> last;
  for (int i = 0; i < 200; ++i) {
    std::optional<Lease> lease = queue().next(now_);
    if (!lease) {
      const auto due = queue().next_due(now_);
      ASSERT_TRUE(due && *due > now_.steady);
      pass(*due - now_.steady);
      continue;
    }
    const Origin o = lease->origin();
    if (!queue().admit(*lease, at(o), now_)) {
      queue().give_back(std::move(*lease), true, now_);
      continue;
    }
    for (const auto& [other, start] : last) {
      if (at(other) == at(o)) {
        EXPECT_GE(now_.steady - start, 3s);
      }
      if ((other == c_) == (o == c_)) {
        EXPECT_GE(now_.steady - start, 1s);
      }
    }
    last[o] = now_.steady;
    served.insert(o);
    visit(std::move(*lease));
  }
  for (const Origin& o : {a_, b_, c_}) EXPECT_GE(served.count(o), 15U) << o.text();
}

TEST_F(HostQueueTest, CensusCountsEveryOriginOnce) {
  std::vector<Origin> origins;
  for (int i = 0; i < 10; ++i) origins.push_back(origin("http://h" + std::to_string(i) + ".example.org"));
  for (const Origin& o : origins) queue().wake(o, now_);
  visit(expect_lease_after(0s));                           // waiting
  const Lease flying = expect_lease_after(0s);             // in flight
  visit(expect_lease_after(0s), Health::overloaded, 60s);  // paused
  finish(expect_lease_after(0s), Health::ok, {}, false);   // idle
  const Census census = queue().census(now_);
  EXPECT_EQ(census.waiting, 1U);
  EXPECT_EQ(census.in_flight, 1U);
  EXPECT_EQ(census.paused, 1U);
  EXPECT_EQ(census.idle, 1U);
  EXPECT_EQ(census.ready, 6U);
}

TEST_F(HostQueueTest, TheSummaryNamesTheOneThatIsDueFirst) {
  EXPECT_FALSE(queue().longest_first(now_));
  queue().wake(a_, now_);
  queue().wake(b_, now_);
  visit(expect_lease_after(0s), Health::overloaded, 60s);
  visit(expect_lease_after(0s));
  const auto first = queue().longest_first(now_);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->first, b_);
  EXPECT_EQ(first->second.waiting, Waiting::interval);
  EXPECT_EQ(first->second.due, now_.steady + 2s);
}

TEST_F(HostQueueTest, IdleOriginsBeyondTheLimitAreForgottenOnceTheirClocksHaveRunOut) {
  const auto name = [](std::size_t i) { return origin("http://h" + std::to_string(i) + ".example.org"); };
  const auto total = [this] {
    const Census census = queue().census(now_);
    return census.idle + census.ready + census.waiting + census.paused + census.in_flight;
  };
  for (std::size_t i = 0; i < HostQueue::kIdleMax + 10; ++i) {
    queue().wake(name(i), now_);
    visit(expect_lease_after(0s));
    queue().idle(name(i));
  }
  EXPECT_EQ(total(), HostQueue::kIdleMax + 10) << "their clocks still run";
  pass(2s);
  for (std::size_t i = 0; i < 30; ++i)
    queue().wake(origin("http://new" + std::to_string(i) + ".example.org"), now_);
  EXPECT_EQ(queue().census(now_).idle, HostQueue::kIdleMax);
  int forgotten = 0;
  for (std::size_t i = 0; i < HostQueue::kIdleMax + 10; ++i) forgotten += queue().wake(name(i), now_) ? 1 : 0;
  EXPECT_EQ(forgotten, 10);
}

TEST_F(HostQueueTest, AHundredThousandOriginsOfOneAddressAreServedByItsClock) {
  politeness_.per_address_interval = 10ms;
  constexpr int kOrigins = 100'000;
  for (int i = 0; i < kOrigins; ++i)
    queue().wake(origin("http://h" + std::to_string(i) + ".example.org"), now_);
  for (int i = 0; i < kOrigins; ++i) {
    Lease lease = expect_lease_after(0s);
    if (queue().admit(lease, address("192.0.2.1"), now_)) {
      visit(std::move(lease));
    } else {
      queue().give_back(std::move(lease), true, now_);
    }
  }
  std::set<Origin> served;
  for (int i = 0; i < 1000; ++i) {
    Lease lease = expect_lease_after(10ms);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
    served.insert(lease.origin());
    visit(std::move(lease));
  }
  EXPECT_EQ(served.size(), 1000U);
}

}  // namespace
}  // namespace scheduler
