#include "scheduler/due_tree.h"

#include <cassert>

namespace scheduler {

using base::TimePoint;

DueTree::DueTree() : groups_(1) {}

DueTree::Id DueTree::add_group(Id parent) {
  Id group = static_cast<Id>(groups_.size());
  if (unused_groups_.empty()) {
    groups_.emplace_back();
  } else {
    group = unused_groups_.back();
    unused_groups_.pop_back();
  }
  groups_[group].parent = parent;
  return group;
}

void DueTree::remove_group(Id group) {
  assert(group != kRoot && groups_[group].members.empty());
  groups_[group] = Group{};
  unused_groups_.push_back(group);
}

void DueTree::move_group(Id group, Id parent) {
  if (groups_[group].parent == parent) return;
  leave(group | kGroupBit);
  groups_[group].parent = parent;
  refresh(group);
}

void DueTree::hold_off(Id group, TimePoint until) {
  groups_[group].not_before = until;
  refresh(group);
}

void DueTree::put(Id leaf, Id group, TimePoint due) {
  assert(leaf < kGroupBit);
  if (leaf >= leaves_.size()) leaves_.resize(std::size_t{leaf} + 1);
  if (leaves_[leaf].parent != group) {
    leave(leaf);
    leaves_[leaf].parent = group;
  }
  enter(leaf, Key{due, turn_++});
  refresh(group);
}

void DueTree::take(Id leaf) {
  if (leaf < leaves_.size()) leave(leaf);
}

std::optional<DueTree::First> DueTree::first() const {
  if (groups_[kRoot].members.empty()) return std::nullopt;
  const Heap::Entry& top = groups_[kRoot].members.top();
  Id id = top.id;
  while ((id & kGroupBit) != 0) id = groups_[id & ~kGroupBit].members.top().id;
  return First{id, top.key.due};
}

std::size_t DueTree::count_due(TimePoint now) const {
  struct Visit {
    Id group;
    Heap::Place place;
  };
  std::size_t count = 0;
  std::vector<Visit> open;
  if (!groups_[kRoot].members.empty()) open.push_back({kRoot, 0});
  // No entry is due before the one above it in its heap, so only due ones are looked at.
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    const Heap& heap = groups_[visit.group].members;
    const Heap::Entry& entry = heap.at(visit.place);
    if (entry.key.due > now) continue;
    heap.for_children(visit.place, [&](Heap::Place child) { open.push_back({visit.group, child}); });
    if ((entry.id & kGroupBit) != 0) {
      open.push_back({entry.id & ~kGroupBit, 0});
    } else {
      ++count;
    }
  }
  return count;
}

DueTree::Member& DueTree::member(Id id) {
  if ((id & kGroupBit) != 0) return groups_[id & ~kGroupBit];
  return leaves_[id];
}

/// Puts the member into its parent's heap, or re-keys it there.
void DueTree::enter(Id id, const Key& key) {
  const Member& entry = member(id);
  Heap& heap = groups_[entry.parent].members;
  const auto tell = [this](Id moved, Heap::Place place) { member(moved).place = place; };
  if (entry.place == Heap::kNowhere) {
    heap.push(key, id, tell);
  } else {
    heap.update(entry.place, key, tell);
  }
}

void DueTree::leave(Id id) {
  const Member& entry = member(id);
  if (entry.place == Heap::kNowhere) return;
  const auto tell = [this](Id moved, Heap::Place place) { member(moved).place = place; };
  groups_[entry.parent].members.erase(entry.place, tell);
  refresh(entry.parent);
}

/// Tells the groups above that `group`'s first member or clock has changed.
void DueTree::refresh(Id group) {
  for (; group != kRoot; group = groups_[group].parent) {
    const Group& changed = groups_[group];
    if (changed.members.empty()) {
      leave(group | kGroupBit);
      return;
    }
    Key key = changed.members.top().key;
    if (changed.not_before > key.due) key.due = changed.not_before;
    if (changed.place != Heap::kNowhere && groups_[changed.parent].members.at(changed.place).key == key)
      return;
    enter(group | kGroupBit, key);
  }
}

}  // namespace scheduler
