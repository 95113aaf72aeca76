// What a queue forgets, and what its owner brings back.
#include "gtest/gtest.h"
#include "scheduler/host_queue.h"
#include "tests/scheduler/queue_fixture.h"

#include <algorithm>
#include <string>
#include <utility>

namespace scheduler {
namespace {

using HostStateTest = HostQueueTest;

TEST_F(HostStateTest, IdleOriginsBeyondTheLimitAreForgottenTheLongestIdleFirst) {
  const auto name = [](std::size_t i) { return origin("http://h" + std::to_string(i) + ".example.org"); };
  for (std::size_t i = 0; i < HostQueue::kIdleMax + 1; ++i) {
    queue().wake(name(i), now_);
    visit(expect_lease_after(0s));
    queue().idle(name(i));
  }
  EXPECT_EQ(queue().census(now_).idle, HostQueue::kIdleMax + 1) << "looked at when the next one comes";
  queue().wake(a_, now_);
  EXPECT_EQ(queue().census(now_).idle, HostQueue::kIdleMax);
  EXPECT_TRUE(queue().wake(name(0), now_)) << "although its clock still ran";
  EXPECT_EQ(queue().state(name(0)).started, TimePoint::min());
  EXPECT_FALSE(queue().wake(name(HostQueue::kIdleMax), now_));
}

TEST_F(HostStateTest, IdleOriginsAreNotForgottenWhileTheClockOfTheirSiteRuns) {
  politeness_.per_site_interval = 3s;
  const auto name = [](std::size_t i) { return origin("http://site" + std::to_string(i) + ".org"); };
  for (std::size_t i = 0; i < HostQueue::kIdleMax + 10; ++i) {
    queue().wake(name(i), now_);
    visit(expect_lease_after(0s));
    queue().idle(name(i));
  }
  pass(3s - kTick);
  queue().wake(a_, now_);
  EXPECT_EQ(queue().census(now_).idle, HostQueue::kIdleMax + 10);
  pass(kTick);
  for (std::size_t i = 0; i < 30; ++i) queue().wake(origin("http://new" + std::to_string(i) + ".org"), now_);
  EXPECT_EQ(queue().census(now_).idle, HostQueue::kIdleMax);
}

TEST_F(HostStateTest, AStateThatIsRestoredHoldsAsInTheRunBefore) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded, 1s);
  visit(expect_lease_after(2s), Health::overloaded, 1s);
  visit(expect_lease_after(2s), Health::failing);
  const HostState state = queue().state(a_);
  EXPECT_EQ(state.started, now_.steady);
  EXPECT_EQ(state.overloads, 2);
  EXPECT_EQ(state.failures, 1);
  const Duration pause = until_due(a_);
  EXPECT_EQ(state.paused_until, now_.steady + pause);
  EXPECT_EQ(queue().state(b_), HostState{});

  queue_.emplace(politeness_, *addresses_, random_);
  pass(5s);
  EXPECT_TRUE(queue().wake(a_, now_));
  EXPECT_EQ(until_due(a_), 0s);
  queue().restore(a_, state, now_);
  EXPECT_EQ(waiting(a_), Waiting::pause);
  EXPECT_EQ(queue().state(a_).started, state.started);
  visit(expect_lease_after(pause - 5s), Health::failing);
  EXPECT_GE(until_due(a_), 2 * HostQueue::kFailing.first) << "the second rung";
}

TEST_F(HostStateTest, TheIntervalHoldsAcrossARestart) {
  politeness_.latency_factor = 2.0;
  queue().wake(a_, now_);
  queue().wake(b_, now_);
  visit(expect_lease_after(0s));
  Lease lease = expect_lease_after(0s);
  queue().sent(lease, now_.steady);
  pass(1500ms);
  finish(std::move(lease));
  const HostState a = queue().state(a_);
  const HostState b = queue().state(b_);
  EXPECT_EQ(b.ready_from, now_.steady + 3s);
  queue_.emplace(politeness_, *addresses_, random_);
  for (const auto& [name, state] : {std::pair(a_, a), std::pair(b_, b)}) {
    queue().wake(name, now_);
    queue().restore(name, state, now_);
  }
  EXPECT_EQ(waiting(b_), Waiting::latency);
  EXPECT_EQ(expect_lease_after(500ms).origin(), a_);
  EXPECT_EQ(expect_lease_after(2500ms).origin(), b_);
}

TEST_F(HostStateTest, RestoringOnlyEverLengthens) {
  queue().wake(a_, now_);
  visit(expect_lease_after(0s), Health::overloaded, 60s);
  const HostState before = queue().state(a_);
  queue().restore(a_, HostState{}, now_);
  queue().restore(a_, {now_.steady - 5s, now_.steady - 5s, now_.steady + 1s, 0, 0, {}}, now_);
  EXPECT_EQ(queue().state(a_), before);
  queue().restore(a_, {now_.steady, now_.steady, now_.steady + 70s, 3, 4, {}}, now_);
  EXPECT_EQ(queue().state(a_).overloads, 3);
  EXPECT_EQ(queue().state(a_).failures, 4);
  visit(expect_lease_after(70s));
}

TEST_F(HostStateTest, AStateThatCannotBeTrueIsCut) {
  politeness_.latency_cap = 60s;
  const TimePoint far = TimePoint::max();
  queue().wake(a_, now_);
  queue().restore(a_, {far, TimePoint::min(), TimePoint::min() + kTick, 255, 255, Duration::max()}, now_);
  EXPECT_EQ(queue().state(a_).started, now_.steady);
  EXPECT_GT(queue().state(a_).latency, 71min);
  queue().wake(b_, now_);
  queue().restore(b_, {TimePoint::min() + kTick, far, TimePoint::min(), 0, 0, Duration::min()}, now_);
  EXPECT_EQ(queue().state(b_).started, TimePoint::min());
  EXPECT_EQ(queue().state(b_).latency, 0s);
  queue().wake(c_, now_);
  queue().restore(c_, {TimePoint::min(), TimePoint::min(), far, 0, 0, {}}, now_);
  EXPECT_EQ(until_due(c_), kIntervalMax);
  visit(expect_lease_after(2s), Health::failing);
  EXPECT_EQ(until_due(a_), HostQueue::kFailing.last) << "the last rung, and no further";
  EXPECT_EQ(expect_lease_after(58s).origin(), b_);
}

TEST_F(HostStateTest, TheLatencyIsSmoothedOverExchangesWithAnAnswer) {
  queue().wake(a_, now_);
  const auto exchange = [this](Duration took, Health health) {
    pass(std::max(until_due(a_), Duration::zero()));
    Lease lease = expect_lease_after(0s);
    queue().sent(lease, now_.steady);
    pass(took);
    finish(std::move(lease), health);
    return queue().state(a_).latency;
  };
  EXPECT_EQ(exchange(10s, Health::failing), 0s) << "nothing came";
  EXPECT_EQ(exchange(800ms, Health::ok), 800ms);
  EXPECT_EQ(exchange(1600ms, Health::overloaded), 900ms);
  EXPECT_EQ(exchange(100ms, Health::ok), 800ms);
  EXPECT_EQ(exchange(0s, Health::ok), 700ms + 1us);
  pass(until_due(a_));
  finish(expect_lease_after(0s));
  EXPECT_EQ(queue().state(a_).latency, 700ms + 1us) << "nothing was sent";
}

TEST_F(HostStateTest, AForgottenOriginIsNew) {
  queue().forget(a_);
  queue().wake(a_, now_);
  queue().wake(b_, now_);
  queue().wake(c_, now_);
  visit(expect_lease_after(0s));
  finish(expect_lease_after(0s), Health::ok, {}, false);
  queue().forget(a_);  // waits
  queue().forget(b_);  // idle
  const Census census = queue().census(now_);
  EXPECT_EQ(census.ready, 1U);
  EXPECT_EQ(census.waiting + census.idle + census.paused + census.in_flight, 0U);
  EXPECT_EQ(queue().state(a_), HostState{});
  EXPECT_FALSE(queue().wake(c_, now_));
  EXPECT_EQ(expect_lease_after(0s).origin(), c_);
  EXPECT_TRUE(queue().wake(a_, now_));
  EXPECT_TRUE(queue().wake(b_, now_));
  EXPECT_EQ(expect_lease_after(0s).origin(), a_);
}

TEST_F(HostStateTest, ForgettingAnOriginDoesNotStopTheClockOfItsSite) {
  politeness_.per_site_interval = 3s;
  queue().wake(a_, now_);
  visit(expect_lease_after(0s));
  queue().forget(a_);
  EXPECT_EQ(waiting(a_), Waiting::idle);
  queue().wake(b_, now_);
  EXPECT_EQ(waiting(b_), Waiting::site);
  visit(expect_lease_after(3s));
  queue().forget(b_);
  EXPECT_FALSE(queue().wake(a_, now_));
  queue().idle(a_);
  pass(3s);
  queue().forget(a_);
  queue().forget(b_);
  EXPECT_EQ(queue().census(now_).idle, 2U) << "no call has told that time has passed";
  queue().next(now_);
  queue().forget(a_);
  queue().forget(b_);
  EXPECT_EQ(queue().census(now_).idle, 0U);
  EXPECT_TRUE(queue().wake(a_, now_));
}

TEST_F(HostStateTest, ForgettingReleasesTheAddress) {
  politeness_.per_address_interval = 250ms;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(queue().wake(a_, now_));
    Lease lease = expect_lease_after(0s);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
    visit(std::move(lease));
    queue().forget(a_);
    EXPECT_TRUE(queue().wake(c_, now_));
    lease = expect_lease_after(0s);
    EXPECT_FALSE(queue().admit(lease, address("192.0.2.1"), now_)) << "its clock belongs to all";
    queue().give_back(std::move(lease), false, now_);
    queue().forget(c_);
    pass(250ms);
  }
}

TEST_F(HostStateTest, AnOriginWithALeaseIsNotForgotten) {
  queue().wake(a_, now_);
  const Lease lease = expect_lease_after(0s);
  EXPECT_DEATH(queue().forget(a_), "State::idle");
}

}  // namespace
}  // namespace scheduler
