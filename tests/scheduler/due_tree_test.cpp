#include "scheduler/due_tree.h"

#include "base/random.h"
#include "gtest/gtest.h"
#include "scheduler/indexed_heap.h"

#include <algorithm>
#include <map>
#include <vector>

namespace scheduler {
namespace {

using namespace std::chrono_literals;
using base::TimePoint;

TimePoint at(int second) {
  return TimePoint(std::chrono::seconds(second));
}

TEST(IndexedHeap, GivesTheLeastThroughAnyChanges) {
  base::Random random(1);
  IndexedHeap<int> heap;
  std::map<std::uint32_t, int> keys;
  std::map<std::uint32_t, std::uint32_t> places;
  const auto tell = [&places](std::uint32_t id, std::uint32_t place) { places[id] = place; };
  for (int step = 0; step < 5'000; ++step) {
    const auto id = static_cast<std::uint32_t>(random.below(200));
    const int key = static_cast<int>(random.below(1000));
    if (!keys.contains(id)) {
      heap.push(key, id, tell);
      keys[id] = key;
    } else if (random.below(2) == 0) {
      heap.update(places[id], key, tell);
      keys[id] = key;
    } else {
      heap.erase(places[id], tell);
      EXPECT_EQ(places[id], IndexedHeap<int>::kNowhere);
      keys.erase(id);
    }
    ASSERT_EQ(heap.size(), keys.size());
    if (keys.empty()) continue;
    const auto least = std::min_element(keys.begin(), keys.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    ASSERT_EQ(heap.top().key, least->second);
    ASSERT_EQ(keys[heap.top().id], least->second);
    for (const auto& [each, where] : keys) ASSERT_EQ(heap.at(places[each]).id, each);
  }
}

TEST(DueTree, EqualsTakeTurns) {
  DueTree tree;
  for (DueTree::Id leaf = 0; leaf < 5; ++leaf) tree.put(leaf, DueTree::kRoot, at(1));
  std::vector<DueTree::Id> order;
  for (int i = 0; i < 10; ++i) {
    order.push_back(tree.first()->leaf);
    tree.put(order.back(), DueTree::kRoot, at(1));
  }
  EXPECT_EQ(order, (std::vector<DueTree::Id>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}));
}

TEST(DueTree, AGroupIsDueWhenItsClockAndAMemberAre) {
  DueTree tree;
  const DueTree::Id group = tree.add_group(DueTree::kRoot);
  tree.put(1, group, at(1));
  tree.put(2, DueTree::kRoot, at(5));
  EXPECT_EQ(tree.first()->leaf, 1U);
  tree.hold_off(group, at(10));
  EXPECT_EQ(tree.first()->leaf, 2U);
  tree.take(2);
  EXPECT_EQ(tree.first()->leaf, 1U);
  EXPECT_EQ(tree.first()->due, at(10));
  EXPECT_EQ(tree.count_due(at(9)), 0U);
  EXPECT_EQ(tree.count_due(at(10)), 1U);
  tree.take(1);
  EXPECT_FALSE(tree.first());
  tree.remove_group(group);
  EXPECT_EQ(tree.add_group(DueTree::kRoot), group) << "numbers are used again";
}

// Against a naive picture: a leaf is due at the latest of its own instant and those of its groups.
class DueTreeModel {
 public:
  DueTreeModel() {
    for (int i = 0; i < 4; ++i) tops_.push_back(tree_.add_group(DueTree::kRoot));
    for (int i = 0; i < 12; ++i) {
      pairs_.push_back(tree_.add_group(tops_[0]));
      parent_[pairs_.back()] = tops_[0];
    }
  }

  void change(base::Random& random) {
    const TimePoint instant = at(static_cast<int>(random.below(500)));
    switch (random.below(6)) {
      case 0: {
        const DueTree::Id group = pairs_[random.below(pairs_.size())];
        parent_[group] = tops_[random.below(tops_.size())];
        tree_.move_group(group, parent_[group]);
        break;
      }
      case 1: {
        const bool pair = random.below(2) == 0;
        const DueTree::Id group =
            pair ? pairs_[random.below(pairs_.size())] : tops_[random.below(tops_.size())];
        held_[group] = instant;
        tree_.hold_off(group, instant);
        break;
      }
      case 2: {
        const auto leaf = static_cast<DueTree::Id>(random.below(60));
        tree_.take(leaf);
        leaves_.erase(leaf);
        break;
      }
      default: {
        const auto leaf = static_cast<DueTree::Id>(random.below(60));
        const std::uint64_t where = random.below(pairs_.size() + tops_.size() + 1);
        DueTree::Id home = DueTree::kRoot;
        if (where < pairs_.size()) {
          home = pairs_[where];
        } else if (where < pairs_.size() + tops_.size()) {
          home = tops_[where - pairs_.size()];
        }
        leaves_[leaf] = {home, instant};
        tree_.put(leaf, home, instant);
      }
    }
  }

  void check(TimePoint now) {
    std::optional<TimePoint> least;
    std::size_t count = 0;
    for (const auto& [leaf, entry] : leaves_) {
      const TimePoint due = due_of(leaf);
      if (!least || due < *least) least = due;
      if (due <= now) ++count;
    }
    const auto first = tree_.first();
    ASSERT_EQ(first.has_value(), least.has_value());
    if (first) {
      ASSERT_EQ(first->due, *least);
      ASSERT_EQ(due_of(first->leaf), *least);
    }
    ASSERT_EQ(tree_.count_due(now), count);
  }

 private:
  TimePoint due_of(DueTree::Id leaf) const {
    auto [group, due] = leaves_.at(leaf);
    while (group != DueTree::kRoot) {
      if (const auto held = held_.find(group); held != held_.end()) due = std::max(due, held->second);
      const auto parent = parent_.find(group);
      group = parent == parent_.end() ? DueTree::kRoot : parent->second;
    }
    return due;
  }

  DueTree tree_;
  std::vector<DueTree::Id> tops_;
  std::vector<DueTree::Id> pairs_;
  std::map<DueTree::Id, DueTree::Id> parent_;
  std::map<DueTree::Id, TimePoint> held_;
  std::map<DueTree::Id, std::pair<DueTree::Id, TimePoint>> leaves_;
};

TEST(DueTree, AgreesWithANaivePicture) {
  base::Random random(2);
  DueTreeModel model;
  for (int step = 0; step < 5'000; ++step) {
    model.change(random);
    model.check(at(static_cast<int>(random.below(500))));
    if (HasFatalFailure()) FAIL() << "step " << step;
  }
}

}  // namespace
}  // namespace scheduler
