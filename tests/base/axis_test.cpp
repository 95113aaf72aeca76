#include "base/axis.h"

#include "base/clock.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using base::AxisMark;
using base::Machine;
using base::WallTime;

/// What the axis says in a run on `now`, `later` after its begin.
base::Duration axis(const AxisMark& last, const Machine& now) {
  return now.boot + base::resumed_offset(last, now) - last.steady.time_since_epoch();
}

const AxisMark kLast{base::TimePoint(1000h), 10h, WallTime(500'000h), "one"};

TEST(Axis, InTheSameBootTheBootClockCountsWhateverTheWallClockSays) {
  EXPECT_EQ(axis(kLast, {10h + 5s, WallTime(500'000h + 5s), "one", true}), 5s);
  EXPECT_EQ(axis(kLast, {10h + 5s, WallTime(600'000h), "one", true}), 5s);
  EXPECT_EQ(axis(kLast, {10h + 5s, WallTime(1h), "one", true}), 5s);
}

TEST(Axis, InAnotherBootTheWallClockCountsButNeverBackwards) {
  EXPECT_EQ(axis(kLast, {1min, WallTime(500'000h + 2h), "two", true}), 2h);
  EXPECT_EQ(axis(kLast, {20h, WallTime(500'000h + 2h), "two", true}), 2h);
  EXPECT_EQ(axis(kLast, {1min, WallTime(499'999h), "two", true}), 0s);
}

TEST(Axis, AWallClockThatNobodyHasSetSaysNothingInAnotherBoot) {
  EXPECT_EQ(axis(kLast, {1min, WallTime(500'000h + 2h), "two", false}), 0s);
  EXPECT_EQ(axis(kLast, {10h + 5s, WallTime(500'000h + 2h), "one", false}), 5s);
}

TEST(Axis, WithoutAnIdAWayBackOrAVeryLongAbsenceItStaysInRange) {
  EXPECT_EQ(axis(kLast, {10h + 5s, WallTime(500'000h + 3s), "", true}), 3s);
  EXPECT_EQ(axis(kLast, {9h, WallTime(500'000h + 3s), "one", true}), 3s);  // a boot clock that went back
  EXPECT_EQ(axis(kLast, {1min, WallTime(base::Duration::max()), "two", true}), 24h * 3650);
}

TEST(Axis, TheSystemClockGoesOnWhereItWasLeft) {
  const base::SystemClock first;
  const AxisMark mark = first.mark();
  const Machine now = base::machine_now();
  EXPECT_FALSE(now.boot_id.empty());
  EXPECT_EQ(base::resumed_offset(mark, now), 0s);
  const base::SystemClock second(1000h);
  const base::Duration ahead = second.now().steady - first.now().steady;
  EXPECT_GT(ahead, 1000h - 1s);
  EXPECT_LT(ahead, 1000h + 1s);
}

}  // namespace
