#pragma once
// Who is due first, when many wait for clocks that they share: a tree of heaps. Leaves are origins, groups
// are clocks, and a group is due when its clock has run out and one of its members is due. So a clock that
// holds back 100,000 origins is one entry in the heap above it.
#include "base/time.h"
#include "scheduler/indexed_heap.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace scheduler {

/// Leaves are numbered by the caller, groups by the tree; both below 2^31. Each step is O(log n), the depth
/// is what the caller builds. One thread.
class DueTree {
 public:
  using Id = std::uint32_t;
  static constexpr Id kRoot = 0;

  struct First {
    Id leaf = 0;
    base::TimePoint due{};
  };

  DueTree();

  Id add_group(Id parent);
  /// `group` has no members.
  void remove_group(Id group);
  /// Takes the group with all its members to another parent.
  void move_group(Id group, Id parent);
  Id parent(Id group) const { return groups_[group].parent; }

  /// No member of `group` is due before `until`, which replaces the instant said before.
  void hold_off(Id group, base::TimePoint until);
  base::TimePoint held_until(Id group) const { return groups_[group].not_before; }

  /// Adds the leaf or re-keys it. Among equals the one that was put in earlier comes first.
  void put(Id leaf, Id group, base::TimePoint due);
  /// Takes the leaf out; nothing happens when it is not in.
  void take(Id leaf);

  /// The leaf that has been due the longest, and the instant from which it and its groups are.
  std::optional<First> first() const;
  /// How many leaves are due at `now`, their groups included. O(result).
  std::size_t count_due(base::TimePoint now) const;

 private:
  struct Key {
    base::TimePoint due{};
    std::uint32_t turn = 0;  // wraps after 2^32: then equals are out of order once
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Heap = IndexedHeap<Key>;
  struct Member {
    Id parent = kRoot;
    Heap::Place place = Heap::kNowhere;
  };
  struct Group : Member {
    Heap members;
    base::TimePoint not_before = base::TimePoint::min();
  };
  static constexpr Id kGroupBit = 0x8000'0000;

  Member& member(Id id);
  void enter(Id id, const Key& key);
  void leave(Id id);
  void refresh(Id group);

  std::deque<Member> leaves_;
  std::deque<Group> groups_;  // the root is the first
  std::vector<Id> unused_groups_;
  std::uint32_t turn_ = 0;
};

}  // namespace scheduler
