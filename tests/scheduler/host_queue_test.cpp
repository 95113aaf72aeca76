// The clocks that each origin has for itself.
#include "scheduler/host_queue.h"

#include "gtest/gtest.h"
#include "tests/scheduler/queue_fixture.h"

#include <algorithm>
#include <string>
#include <vector>

namespace scheduler {
namespace {

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

TEST_F(HostQueueTest, AVisitThatSentNothingIsNoEvidenceOfHealth) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded);  // first rung
  for (int i = 0; i < 3; ++i) {
    pass(until_due(a_));
    finish(expect_lease_after(0s), Health::ok, {}, true);
  }
  pass(until_due(a_));
  visit(expect_lease_after(0s), Health::overloaded);  // second rung: twice as long
  const base::Duration second = until_due(a_);
  EXPECT_GE(second, HostQueue::kOverloaded.first * 2);
  EXPECT_LE(second, HostQueue::kOverloaded.first * 11 / 5);
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

}  // namespace
}  // namespace scheduler
