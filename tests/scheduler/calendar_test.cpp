#include "scheduler/calendar.h"

#include "base/random.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace scheduler {
namespace {

using namespace std::chrono_literals;
using base::Hash128;
using base::TimePoint;
using Entry = Calendar::Entry;

constexpr TimePoint kNoon{12h};

constexpr Hash128 name(std::uint64_t i) {
  return {i, i * 0x9e37'79b9'7f4a'7c15U};
}

/// All that is in, in its order.
std::vector<Entry> drained(Calendar& calendar) {
  std::vector<Entry> all;
  for (auto first = calendar.first(); first; first = calendar.first()) {
    all.push_back(*first);
    calendar.pop_first();
  }
  return all;
}

TEST(Calendar, TheEarliestGoesFirst) {
  Calendar calendar;
  EXPECT_FALSE(calendar.first());
  calendar.put(name(1), 1, kNoon + 2s);
  calendar.put(name(2), 2, kNoon + 1s);
  calendar.put(name(3), 3, kNoon + 3s);
  calendar.put(name(4), 4095, kNoon);
  calendar.put(name(5), 65535, kNoon - 1s);
  EXPECT_EQ(calendar.size(), 5U);
  EXPECT_EQ(drained(calendar), (std::vector<Entry>{{name(5), 65535, kNoon - 1s},
                                                   {name(4), 4095, kNoon},
                                                   {name(2), 2, kNoon + 1s},
                                                   {name(1), 1, kNoon + 2s},
                                                   {name(3), 3, kNoon + 3s}}));
  EXPECT_EQ(calendar.size(), 0U);
}

TEST(Calendar, AnOriginHasOneEntryAndTheLatestInstantCounts) {
  Calendar calendar;
  calendar.put(name(1), 7, kNoon);
  calendar.put(name(2), 8, kNoon);
  calendar.put(name(1), 7, kNoon);
  EXPECT_EQ(calendar.size(), 2U);
  calendar.put(name(1), 9, kNoon - 1s);
  EXPECT_EQ(calendar.due(name(1)), kNoon - 1s);
  EXPECT_EQ(*calendar.first(), (Entry{name(1), 9, kNoon - 1s}));
  calendar.put(name(1), 9, kNoon + 1s);
  EXPECT_EQ(calendar.first()->origin, name(2));
  calendar.put(name(1), 6, kNoon + 1s);
  EXPECT_EQ(drained(calendar), (std::vector<Entry>{{name(2), 8, kNoon}, {name(1), 6, kNoon + 1s}}));
}

TEST(Calendar, WhatIsTakenOutIsNotThere) {
  Calendar calendar;
  EXPECT_FALSE(calendar.take(name(1)));
  EXPECT_FALSE(calendar.contains(name(1)));
  EXPECT_EQ(calendar.due(name(1)), std::nullopt);
  calendar.put(name(1), 0, kNoon);
  calendar.put(name(2), 0, kNoon + 1s);
  EXPECT_TRUE(calendar.contains(name(1)));
  EXPECT_TRUE(calendar.take(name(1)));
  EXPECT_FALSE(calendar.take(name(1)));
  EXPECT_FALSE(calendar.contains(name(1)));
  EXPECT_EQ(calendar.first()->origin, name(2));
  EXPECT_TRUE(calendar.take(name(2)));
  EXPECT_FALSE(calendar.first());
}

TEST(Calendar, OriginsThatShareHalfOfTheirHashAreTwo) {
  Calendar calendar;
  calendar.put({1, 5}, 1, kNoon);
  calendar.put({2, 5}, 2, kNoon);
  calendar.put({1, 6}, 3, kNoon);
  EXPECT_EQ(calendar.size(), 3U);
  EXPECT_TRUE(calendar.take({2, 5}));
  EXPECT_TRUE(calendar.contains({1, 5}));
  EXPECT_TRUE(calendar.contains({1, 6}));
}

TEST(Calendar, InstantsAreRoundedUpToATickAndNeverDown) {
  Calendar calendar;
  const std::vector<std::pair<TimePoint, TimePoint>> instants = {
      {TimePoint(-100'001ns), TimePoint(-100us)},
      {TimePoint(-99'999ns), TimePoint(0s)},
      {TimePoint(0s), TimePoint(0s)},
      {TimePoint(1ns), TimePoint(100us)},
      {TimePoint(100us), TimePoint(100us)},
      {TimePoint(100'001ns), TimePoint(200us)},
      {TimePoint(86'400'001ms), TimePoint(86'400'001ms)}};
  for (const auto& [said, kept] : instants) {
    calendar.put(name(1), 3, said);
    EXPECT_EQ(calendar.due(name(1)), kept) << said.time_since_epoch().count();
    EXPECT_EQ(*calendar.first(), (Entry{name(1), 3, kept}));
  }
}

TEST(Calendar, AnyInstantHasItsPlace) {
  Calendar calendar;
  const std::vector<TimePoint> instants = {
      TimePoint::min(), TimePoint(-24h * 365 * 200), TimePoint(-1s),        TimePoint(0s),
      TimePoint(1s),    TimePoint(24h * 365 * 200),  TimePoint::max() - 1s, TimePoint::max()};
  for (std::size_t i = instants.size(); i > 0; --i) calendar.put(name(i), 0, instants[i - 1]);
  for (const TimePoint instant : instants) {
    const TimePoint due = calendar.first()->due;
    EXPECT_GE(due, instant);
    EXPECT_LT(due - instant, Calendar::kTick);
    calendar.pop_first();
  }
  EXPECT_EQ(calendar.size(), 0U);
}

/// The same promises, kept by looking at everything.
class Naive {
 public:
  void put(std::uint64_t i, std::uint16_t partition, TimePoint due) { all_[i] = {due, partition}; }
  bool take(std::uint64_t i) { return all_.erase(i) > 0; }
  bool contains(std::uint64_t i) const { return all_.contains(i); }
  const auto& all() const { return all_; }
  TimePoint least() const {
    return std::min_element(all_.begin(), all_.end(),
                            [](const auto& a, const auto& b) { return a.second.due < b.second.due; })
        ->second.due;
  }

 private:
  struct Waiting {
    TimePoint due{};
    std::uint16_t partition = 0;
  };
  std::map<std::uint64_t, Waiting> all_;
};

/// Names whose searches in the index meet: few homes, some at its very end.
constexpr Hash128 crowded(std::uint64_t i) {
  return {i, (i % 2 == 0 ? std::uint64_t{0} : ~std::uint64_t{0}) - i % 5};
}

/// Instants that a calendar meets: close together, spread over years, one for all, and going down and up.
TimePoint instant(int kind, std::uint64_t step, base::Random& random) {
  switch (kind) {
    case 0: return TimePoint(std::chrono::seconds(random.below(100)));
    case 1: {
      const std::uint64_t digits = random.below(12);  // 16^11 ticks are 55 years
      std::uint64_t span = 1;
      for (std::uint64_t i = 0; i < digits; ++i) span *= 16;
      return TimePoint(Calendar::kTick * (static_cast<std::int64_t>(random.below(span)) - 1000));
    }
    case 2: return kNoon;
    default: return TimePoint(std::chrono::milliseconds(step % 20'000 < 10'000 ? step : 60'000 - step));
  }
}

struct Case {
  Hash128 (*hash)(std::uint64_t);
  int instants;
  std::uint64_t names;
};

class AnyCalendar : public testing::TestWithParam<Case> {};

/// Which of equals comes first is open, so the naive one follows.
TEST_P(AnyCalendar, DoesWhatANaiveOneDoes) {
  Hash128 (*const hash)(std::uint64_t) = GetParam().hash;
  base::Random random{11};
  Calendar calendar;
  Naive naive;
  std::size_t most = 0;
  std::size_t popped = 0;
  for (std::uint64_t step = 0; step < 60'000; ++step) {
    const std::uint64_t names = step < 30'000 ? GetParam().names : 60;  // many, then few
    const std::uint64_t i = random.below(names);
    const std::uint64_t dice = random.below(step % 10'000 < 5'000 ? 6 : 12);  // grows, then shrinks
    if (dice < 4) {
      const TimePoint due = instant(GetParam().instants, step, random);
      const auto partition = static_cast<std::uint16_t>(random.below(4096));
      calendar.put(hash(i), partition, due);
      naive.put(i, partition, due);
    } else if (dice % 2 == 0) {
      ASSERT_EQ(calendar.take(hash(i)), naive.take(i));
    } else if (const auto first = calendar.first()) {
      calendar.pop_first();
      ASSERT_FALSE(calendar.contains(first->origin));
      ASSERT_TRUE(naive.take(first->origin.high));
      ++popped;
    }
    ASSERT_EQ(calendar.size(), naive.all().size());
    if (step % 8 == 0 || naive.all().size() < 100) {
      const auto first = calendar.first();
      ASSERT_EQ(first.has_value(), !naive.all().empty());
      if (first) {
        ASSERT_EQ(first->due, naive.least()) << step;
        const auto& waiting = naive.all().at(first->origin.high);
        ASSERT_EQ(*first, (Entry{hash(first->origin.high), waiting.partition, waiting.due})) << step;
      }
    }
    const std::uint64_t other = random.below(names);
    ASSERT_EQ(calendar.contains(hash(other)), naive.contains(other)) << step;
    if (naive.contains(other)) {
      ASSERT_EQ(calendar.due(hash(other)), naive.all().at(other).due);
    }
    most = std::max(most, calendar.size());
  }
  EXPECT_GT(most, GetParam().names / 2);
  EXPECT_GT(popped, 5'000U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyCalendar,
                         testing::Values(Case{&name, 0, 400}, Case{&crowded, 0, 400}, Case{&name, 1, 400},
                                         Case{&name, 2, 400}, Case{&crowded, 3, 400}, Case{&name, 1, 2'000}));

/// So many that buckets are divided again and again and the index grows many times.
class ManyOrigins : public testing::TestWithParam<int> {};

TEST_P(ManyOrigins, ComeOutInTheirOrderAndNoCallMovesManyOfThem) {
  base::Random random{5};
  Calendar calendar;
  std::vector<TimePoint> instants;
  std::uint64_t before = 0;
  std::uint64_t most = 0;
  const auto count = [&] {
    most = std::max(most, calendar.moves() - before);
    before = calendar.moves();
  };
  constexpr std::uint64_t kOrigins = 60'000;
  for (std::uint64_t i = 0; i < kOrigins; ++i) {
    const TimePoint due = instant(GetParam(), i, random);
    instants.push_back(due);
    calendar.put(name(i), static_cast<std::uint16_t>(i), due);
    count();
  }
  ASSERT_EQ(calendar.size(), kOrigins);
  for (std::uint64_t i = 0; i < kOrigins; ++i) ASSERT_EQ(calendar.due(name(i)), instants[i]) << i;
  // One of ten is taken out, and one of ten gets another instant.
  for (std::uint64_t i = 0; i < kOrigins; i += 10) {
    ASSERT_TRUE(calendar.take(name(i)));
    instants[i] = TimePoint::max();
    instants[i + 1] = instant(GetParam(), i, random);
    calendar.put(name(i + 1), 1, instants[i + 1]);
    count();
  }
  std::sort(instants.begin(), instants.end());
  instants.resize(kOrigins - kOrigins / 10);
  for (const TimePoint due : instants) {
    ASSERT_EQ(calendar.first()->due, due);
    count();
    calendar.pop_first();
    count();
  }
  EXPECT_EQ(calendar.size(), 0U);
  EXPECT_LE(most, Calendar::kMovesMax);
  EXPECT_GT(calendar.moves(), kOrigins) << "they are counted";
}

INSTANTIATE_TEST_SUITE_P(Instants, ManyOrigins, testing::Values(0, 1, 2, 3));

TEST(Calendar, AnOriginTakesNoMoreThan32OctetsAtAnyTimeWhileItGrows) {
  base::Random random{3};
  Calendar calendar;
  constexpr std::size_t kOrigins = 1'100'000;
  constexpr std::size_t kAlways = 256 * 1024;  // blocks that have just been begun
  const auto hour = [&random] { return base::Duration(random.below(3'600'000'000'000)); };
  for (std::size_t i = 1; i <= kOrigins; ++i) {
    const std::uint64_t low = random.next();
    calendar.put({i, low}, 0, TimePoint(hour()));
    if (i < 100'000 || calendar.octets() <= kAlways + 32 * i) continue;
    FAIL() << calendar.octets() << " octets for " << i;
  }
  EXPECT_GE(calendar.octets(), 30 * kOrigins) << "it counts what there is";
  for (std::size_t i = 0; i < 2 * kOrigins; ++i) {
    const auto first = calendar.first();
    calendar.pop_first();
    calendar.put(first->origin, 0, first->due + hour());
  }
  EXPECT_LE(calendar.octets(), kAlways + 32 * kOrigins) << "nor while they come and go";
  const std::size_t full = calendar.octets();
  for (std::size_t i = 0; i < kOrigins; ++i) calendar.pop_first();
  for (std::size_t i = 0; i < kOrigins; ++i) calendar.put(name(i), 0, kNoon);
  EXPECT_LE(calendar.octets(), full) << "what is unused is used again";
}

TEST(Blocks, GrowWithoutMovingWhatIsThere) {
  Blocks<std::uint64_t> blocks;
  EXPECT_EQ(blocks.octets(), 0U);
  blocks.push_back(0);
  const std::uint64_t* const first = &blocks[0];
  constexpr std::size_t kEach = 8192;
  EXPECT_EQ(blocks.octets(), kEach * 8);
  for (std::uint64_t i = 1; i < 3 * kEach; ++i) blocks.push_back(i);
  EXPECT_EQ(blocks.octets(), 3 * kEach * 8);
  blocks.push_back(blocks[0]);
  EXPECT_EQ(blocks.octets(), 4 * kEach * 8);
  EXPECT_EQ(&blocks[0], first);
  EXPECT_EQ(blocks[3 * kEach], 0U);
  for (std::uint64_t i = 0; i < 3 * kEach; ++i) ASSERT_EQ(blocks[i], i);
}

}  // namespace
}  // namespace scheduler
