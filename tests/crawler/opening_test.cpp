#include "crawler/opening.h"

#include "tests/support/certificates.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using base::Machine;
using base::TimePoint;
using base::WallTime;

class Opening : public ::testing::Test {
 protected:
  Opening() {
    config_.storage.directory = folder_.path("state");
    config_.storage.memory = std::uint64_t{64} * 1024 * 1024;
    config_.politeness.per_address_interval = 250ms;
    config_.politeness.per_site_interval = 3s;
  }
  crawler::Opening open(const Machine& now) {
    return crawler::open_frontier(
        config_, [&now] { return now; }, 7);
  }

  support::TempFolder folder_;
  config::Config config_;
};

TEST_F(Opening, ANewStoreTakesTheSecretAndNeedNotWait) {
  const crawler::Opening first = open({10s, WallTime(1000h), "one"});
  EXPECT_TRUE(first.fresh);
  EXPECT_TRUE(first.in_order);
  EXPECT_EQ(first.secret, 7U);
  EXPECT_EQ(first.opened, TimePoint(10s));
  EXPECT_LE(first.not_before, first.opened);
}

TEST_F(Opening, AfterACrashEveryAddressAndSiteWaitsItsInterval) {
  (void)open({10s, WallTime(1000h), "one"});
  const crawler::Opening second = open({70s, WallTime(999h), "one"});
  EXPECT_FALSE(second.fresh);
  EXPECT_FALSE(second.in_order);
  EXPECT_EQ(second.secret, 7U);
  EXPECT_EQ(second.opened, TimePoint(70s));  // the same boot: the wall clock does not matter
  EXPECT_EQ(second.not_before, second.opened + 3s);
}

TEST_F(Opening, AfterAnEndInOrderTheWaitCountsFromThere) {
  {
    const crawler::Opening first = open({10s, WallTime(1000h), "one"});
    EXPECT_TRUE(crawler::close_in_order(*first.store, {TimePoint(100s), 100s, WallTime(1000h + 90s), "one"}));
  }
  const crawler::Opening second = open({102s, WallTime(1000h + 92s), "one"});
  EXPECT_TRUE(second.in_order);
  EXPECT_EQ(second.not_before, TimePoint(103s));
}

TEST_F(Opening, TheAxisGoesOnInAnotherBoot) {
  {
    const crawler::Opening first = open({10s, WallTime(1000h), "one"});
    EXPECT_TRUE(crawler::keep_axis(*first.store, {TimePoint(70s), 70s, WallTime(1000h + 60s), "one"}));
  }
  {
    const crawler::Opening later = open({5s, WallTime(1002h), "two", true});
    EXPECT_EQ(later.opened, TimePoint(70s + 2h - 60s));
    EXPECT_EQ(later.axis_offset, 70s + 2h - 60s - 5s);
  }
  const crawler::Opening back = open({5s, WallTime(900h), "three", true});  // the wall clock went back
  EXPECT_EQ(back.opened, TimePoint(70s + 2h - 60s));                        // nothing has passed for sure
}

}  // namespace
