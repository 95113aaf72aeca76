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

TEST(Calendar, TheEarliestGoesFirstAndAmongEqualsTheOnePutEarlier) {
  Calendar calendar;
  EXPECT_FALSE(calendar.first());
  calendar.put(name(1), 1, kNoon + 2s);
  calendar.put(name(2), 2, kNoon + 1s);
  calendar.put(name(3), 3, kNoon + 2s);
  calendar.put(name(4), 4, kNoon);
  EXPECT_EQ(calendar.size(), 4U);
  EXPECT_EQ(drained(calendar), (std::vector<Entry>{{name(4), 4, kNoon},
                                                   {name(2), 2, kNoon + 1s},
                                                   {name(1), 1, kNoon + 2s},
                                                   {name(3), 3, kNoon + 2s}}));
  EXPECT_EQ(calendar.size(), 0U);
}

TEST(Calendar, AnOriginHasOneEntryAndTheLatestInstantCounts) {
  Calendar calendar;
  calendar.put(name(1), 7, kNoon);
  calendar.put(name(2), 8, kNoon);
  calendar.put(name(1), 7, kNoon);
  EXPECT_EQ(calendar.size(), 2U);
  EXPECT_EQ(calendar.first()->origin, name(2)) << "it was put earlier by now";
  calendar.put(name(1), 9, kNoon - 1s);
  EXPECT_EQ(calendar.due(name(1)), kNoon - 1s);
  EXPECT_EQ(*calendar.first(), (Entry{name(1), 9, kNoon - 1s}));
  calendar.put(name(1), 9, kNoon + 1s);
  EXPECT_EQ(calendar.first()->origin, name(2));
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

TEST(Calendar, AnyInstantIsKeptExactly) {
  Calendar calendar;
  const std::vector<TimePoint> instants = {
      TimePoint::min(),        TimePoint(-4294967296ns), TimePoint(-1ns), TimePoint(0ns),
      TimePoint(4294967295ns), TimePoint(4294967296ns),  TimePoint::max()};
  for (std::size_t i = instants.size(); i > 0; --i) calendar.put(name(i), 0, instants[i - 1]);
  std::vector<TimePoint> order;
  for (const Entry& entry : drained(calendar)) order.push_back(entry.due);
  EXPECT_EQ(order, instants);
}

/// The same promises, kept by looking at everything.
class Naive {
 public:
  void put(std::uint64_t i, std::uint16_t partition, TimePoint due) { all_[i] = {due, turn_++, partition}; }
  bool take(std::uint64_t i) { return all_.erase(i) > 0; }
  bool contains(std::uint64_t i) const { return all_.contains(i); }
  const auto& all() const { return all_; }
  auto first() const {
    return std::min_element(all_.begin(), all_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.due, a.second.turn) < std::pair(b.second.due, b.second.turn);
    });
  }

 private:
  struct Waiting {
    TimePoint due{};
    std::uint64_t turn = 0;
    std::uint16_t partition = 0;
  };
  std::map<std::uint64_t, Waiting> all_;
  std::uint64_t turn_ = 0;
};

/// Names whose searches in the index meet: few homes, some at its very end.
constexpr Hash128 crowded(std::uint64_t i) {
  return {i, (i % 2 == 0 ? std::uint64_t{0} : ~std::uint64_t{0}) - i % 5};
}

class AnyCalendar : public testing::TestWithParam<Hash128 (*)(std::uint64_t)> {};

TEST_P(AnyCalendar, DoesWhatANaiveOneDoes) {
  Hash128 (*const hash)(std::uint64_t) = GetParam();
  base::Random random{11};
  Calendar calendar;
  Naive naive;
  std::size_t most = 0;
  std::size_t popped = 0;
  for (int step = 0; step < 60'000; ++step) {
    const std::uint64_t names = step < 30'000 ? 400 : 60;  // many, then few
    const std::uint64_t i = random.below(names);
    const std::uint64_t dice = random.below(step % 10'000 < 5'000 ? 6 : 12);  // grows, then shrinks
    if (dice < 4) {
      const TimePoint due(std::chrono::seconds(random.below(100)));
      const auto partition = static_cast<std::uint16_t>(random.below(4096));
      calendar.put(hash(i), partition, due);
      naive.put(i, partition, due);
    } else if (dice % 2 == 0) {
      ASSERT_EQ(calendar.take(hash(i)), naive.take(i));
    } else if (!naive.all().empty()) {
      calendar.pop_first();
      naive.take(naive.first()->first);
      ++popped;
    }
    ASSERT_EQ(calendar.size(), naive.all().size());
    ASSERT_EQ(calendar.first().has_value(), !naive.all().empty());
    if (!naive.all().empty()) {
      const auto& [least, waiting] = *naive.first();
      ASSERT_EQ(*calendar.first(), (Entry{hash(least), waiting.partition, waiting.due})) << step;
    }
    const std::uint64_t other = random.below(names);
    ASSERT_EQ(calendar.contains(hash(other)), naive.contains(other)) << step;
    if (naive.contains(other)) {
      ASSERT_EQ(calendar.due(hash(other)), naive.all().at(other).due);
    }
    most = std::max(most, calendar.size());
  }
  EXPECT_GT(most, 250U);
  EXPECT_GT(popped, 5'000U);
}

INSTANTIATE_TEST_SUITE_P(Hashes, AnyCalendar, testing::Values(&name, &crowded));

TEST(Calendar, AnOriginTakesNoMoreThan64OctetsAtAnyTimeWhileItGrows) {
  base::Random random{3};
  Calendar calendar;
  constexpr std::size_t kOrigins = 1'100'000;  // the index doubles at 524,288 and at 1,048,576
  for (std::size_t i = 1; i <= kOrigins; ++i) {
    const std::uint64_t low = random.next();
    const std::uint64_t due = random.below(1'000'000);
    calendar.put({i, low}, 0, TimePoint(std::chrono::seconds(due)));
    if (calendar.octets() <= 64 * i || i < 100'000) continue;
    FAIL() << calendar.octets() << " octets for " << i;
  }
  EXPECT_GE(calendar.octets(), 40 * kOrigins) << "it counts what there is";
  const std::size_t full = calendar.octets();
  for (std::size_t i = 0; i < kOrigins; ++i) calendar.pop_first();
  EXPECT_LE(calendar.octets(), full - 15 * kOrigins) << "the order is given back";
  for (std::size_t i = 0; i < kOrigins; ++i) calendar.put(name(i), 0, kNoon);
  EXPECT_LE(calendar.octets(), full + 64 * 1024) << "what is unused is used again";
}

TEST(Blocks, GrowAndShrinkWithoutMovingWhatIsThere) {
  Blocks<std::uint64_t> blocks;
  EXPECT_TRUE(blocks.empty());
  EXPECT_EQ(blocks.capacity(), 0U);
  blocks.push_back(0);
  const std::uint64_t* const first = &blocks.front();
  const std::size_t each = blocks.capacity();
  EXPECT_EQ(each, 8192U);
  for (std::uint64_t i = 1; i < 3 * each; ++i) blocks.push_back(i);
  EXPECT_EQ(blocks.capacity(), 3 * each);
  blocks.push_back(blocks.front());
  EXPECT_EQ(blocks.capacity(), 4 * each);
  EXPECT_EQ(&blocks.front(), first);
  EXPECT_EQ(blocks.back(), 0U);
  for (std::uint64_t i = 0; i < 3 * each; ++i) ASSERT_EQ(blocks[i], i);
  while (blocks.size() > each) blocks.pop_back();
  EXPECT_EQ(blocks.capacity(), 4 * each);
  blocks.shrink_to_fit();
  EXPECT_EQ(blocks.capacity(), each);
  EXPECT_EQ(blocks.back(), each - 1);
}

}  // namespace
}  // namespace scheduler
