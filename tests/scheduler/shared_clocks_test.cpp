#include "scheduler/shared_clocks.h"

#include "gtest/gtest.h"
#include "scheduler/host_queue.h"
#include "tests/scheduler/queue_fixture.h"

#include <map>
#include <set>
#include <string>

namespace scheduler {
namespace {

using SharedClocksTest = HostQueueTest;

TEST_F(SharedClocksTest, OriginsOfOneAddressShareItsClock) {
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

TEST_F(SharedClocksTest, BetweenGrantAndStartNobodyElseGetsTheAddress) {
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

TEST_F(SharedClocksTest, ARefusedConnectionStartsTheAddressClockButALostNameDoesNot) {
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

TEST_F(SharedClocksTest, AnOriginThatMovesTakesItsNewAddressAndFreesTheOld) {
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

TEST_F(SharedClocksTest, AnotherThreadMayTakeTheAddressMeanwhile) {
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

TEST_F(SharedClocksTest, ADyingQueueLeavesNoAddressTaken) {
  politeness_.per_address_interval = 250ms;
  queue().wake(a_, now_);
  {
    Lease lease = expect_lease_after(0s);
    ASSERT_TRUE(queue().admit(lease, address("192.0.2.1"), now_));
  }
  queue_.reset();
  EXPECT_FALSE(addresses_->reserve(address("192.0.2.1"), now_.steady));
}

TEST_F(SharedClocksTest, OriginsOfOneSiteShareItsClock) {
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

TEST_F(SharedClocksTest, ARequestThatIsWrittenAgainMovesTheClocksOnAndFreesNobodyElses) {
  politeness_.per_site_interval = 1s;
  politeness_.per_address_interval = 250ms;
  for (const Origin& o : {a_, b_}) queue().wake(o, now_);
  Lease first = expect_lease_after(0s);
  ASSERT_TRUE(queue().admit(first, address("192.0.2.1"), now_));
  queue().sent(first, now_.steady);
  Lease second = expect_lease_after(1s);
  ASSERT_TRUE(queue().admit(second, address("192.0.2.1"), now_));
  queue().sent(first, now_.steady);  // its connection was dead
  pass(1min);
  EXPECT_FALSE(queue().next(now_)) << "site and address are still the second's";
  queue().give_back(std::move(second), true, now_);
  queue().sent(first, now_.steady);
  second = expect_lease_after(1s);
  EXPECT_EQ(second.origin(), b_);
  finish(std::move(first));
  EXPECT_EQ(waiting(a_), Waiting::address);
  EXPECT_EQ(queue().status(a_, now_).due, TimePoint::max()) << "nobody knows when";
}

TEST_F(SharedClocksTest, SiteAndAddressClocksHoldTogether) {
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

TEST_F(SharedClocksTest, AHundredThousandOriginsOfOneAddressAreServedByItsClock) {
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
