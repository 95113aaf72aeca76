#include "crawler/watchdog.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using base::TimePoint;
using crawler::Watchdog;
using Parts = std::vector<std::size_t>;

constexpr std::size_t kParts = 3;  // two shards and the store
constexpr base::Duration kTimeout = 60s;

/// Asks at each period for `length`; the parts in `alive` answer. How often the manager was told.
int feeds(Watchdog& watchdog, TimePoint& now, base::Duration length, const Parts& alive) {
  int fed = 0;
  for (const TimePoint end = now + length; now < end; now += watchdog.period(5s)) {
    fed += watchdog.look(now).feed ? 1 : 0;
    for (const std::size_t part : alive) watchdog.answered(part);
  }
  return fed;
}

TEST(Watchdog, IsFedAtEachTurnWhileAllAnswer) {
  Watchdog watchdog(kParts, kTimeout);
  TimePoint now(1000s);
  EXPECT_EQ(watchdog.period(5s), base::Duration(5s));
  EXPECT_EQ(feeds(watchdog, now, 24h, {0, 1, 2}), 24 * 3600 / 5 - 1);  // the first turn has only asked
}

TEST(Watchdog, OnePartThatHangsSilencesAll) {
  for (std::size_t stuck = 0; stuck < kParts; ++stuck) {
    Watchdog watchdog(kParts, kTimeout);
    TimePoint now(1000s);
    EXPECT_GT(feeds(watchdog, now, 60s, {0, 1, 2}), 0);
    Parts alive;
    for (std::size_t part = 0; part < kParts; ++part) {
      if (part != stuck) alive.push_back(part);
    }
    // The turn in which it stopped is the last that was whole.
    EXPECT_LE(feeds(watchdog, now, 5s, alive), 1) << stuck;
    EXPECT_EQ(feeds(watchdog, now, 24h, alive), 0) << stuck;
    watchdog.answered(stuck);
    EXPECT_GT(feeds(watchdog, now, 60s, {0, 1, 2}), 0) << "it has come back";
  }
}

TEST(Watchdog, NobodyIsAskedTwiceAtATime) {
  Watchdog watchdog(kParts, kTimeout);
  EXPECT_EQ(watchdog.look(TimePoint(0s)).ask, (Parts{0, 1, 2}));
  watchdog.answered(0);
  watchdog.answered(2);
  EXPECT_EQ(watchdog.look(TimePoint(5s)).ask, Parts{});
  watchdog.answered(1);
  const Watchdog::Turn turn = watchdog.look(TimePoint(10s));
  EXPECT_TRUE(turn.feed);
  EXPECT_EQ(turn.ask, (Parts{0, 1, 2}));
}

TEST(Watchdog, APartThatHangsIsNamedOnceBeforeTheManagerActs) {
  Watchdog watchdog(kParts, kTimeout);
  watchdog.look(TimePoint(100s));
  watchdog.answered(1);
  EXPECT_EQ(watchdog.look(TimePoint(100s) + kTimeout / 2 - 1ns).silent, Parts{});
  EXPECT_EQ(watchdog.look(TimePoint(100s) + kTimeout / 2).silent, (Parts{0, 2}));
  EXPECT_EQ(watchdog.look(TimePoint(100s) + kTimeout).silent, Parts{});
  watchdog.answered(0);
  watchdog.answered(2);
  EXPECT_TRUE(watchdog.look(TimePoint(200s)).feed);
  EXPECT_EQ(watchdog.look(TimePoint(230s)).silent, (Parts{0, 1, 2})) << "another round, another word";
}

TEST(Watchdog, AShortTimeoutIsMetInTime) {
  const Watchdog watchdog(kParts, 4s);
  EXPECT_EQ(watchdog.period(5s), base::Duration(1s));
}

TEST(Watchdog, WithoutATimeoutPartsAreAskedAndNobodyIsTold) {
  Watchdog watchdog(kParts, std::nullopt);
  TimePoint now(0s);
  EXPECT_EQ(watchdog.period(5s), base::Duration(5s));
  EXPECT_EQ(watchdog.look(now).ask.size(), kParts);
  EXPECT_EQ(feeds(watchdog, now, 1h, {0, 1, 2}), 0);
  EXPECT_EQ(watchdog.look(now).ask.size(), kParts);
  EXPECT_EQ(watchdog.look(now + 24h).silent, Parts{});
}

}  // namespace
