#include "scheduler/calendar.h"

#include <algorithm>
#include <cassert>

namespace scheduler {
namespace {

constexpr std::size_t kSlotsMin = 64;

}  // namespace

Calendar::Key::Key(base::TimePoint due, std::uint32_t turn)
    : low_(static_cast<std::uint32_t>(due.time_since_epoch().count())),
      high_(static_cast<std::uint32_t>(static_cast<std::uint64_t>(due.time_since_epoch().count()) >> 32U)),
      turn_(turn) {}

base::TimePoint Calendar::Key::due() const {
  return base::TimePoint(base::Duration(instant()));
}

void Calendar::put(const base::Hash128& origin, std::uint16_t partition, base::TimePoint due) {
  const auto tell = [this](Id moved, Order::Place place) { waiters_[moved].place = place; };
  const Key key(due, turn_++);
  if (const Id id = find(origin); id != kNone) {
    waiters_[id].partition = partition;
    order_.update(waiters_[id].place, key, tell);
    return;
  }
  const Id id = add(origin);
  waiters_[id].partition = partition;
  order_.push(key, id, tell);
}

bool Calendar::take(const base::Hash128& origin) {
  const Id id = find(origin);
  if (id == kNone) return false;
  remove(id);
  return true;
}

std::optional<base::TimePoint> Calendar::due(const base::Hash128& origin) const {
  const Id id = find(origin);
  if (id == kNone) return std::nullopt;
  return order_.at(waiters_[id].place).key.due();
}

std::optional<Calendar::Entry> Calendar::first() const {
  if (order_.empty()) return std::nullopt;
  const Order::Entry& top = order_.top();
  const Waiter& waiter = waiters_[top.id];
  return Entry{waiter.origin, waiter.partition, top.key.due()};
}

void Calendar::pop_first() {
  assert(!order_.empty());
  remove(order_.top().id);
}

std::size_t Calendar::octets() const {
  return sizeof(*this) + waiters_.capacity() * sizeof(Waiter) + order_.octets() +
         slots_.capacity() * sizeof(Id);
}

Calendar::Id Calendar::find(const base::Hash128& origin) const {
  if (slots_.empty()) return kNone;
  std::size_t slot = origin.low & (slots_.size() - 1);
  while (slots_[slot] != kNone && waiters_[slots_[slot]].origin != origin) slot = after(slot);
  return slots_[slot];
}

/// `origin` is not there yet. It is in the index then, but not in the order.
Calendar::Id Calendar::add(const base::Hash128& origin) {
  if (2 * (size() + 1) > slots_.size()) grow();
  Id id = unused_;
  if (id != kNone) {
    unused_ = waiters_[id].place;
  } else {
    assert(waiters_.size() < kNone / 2);
    id = static_cast<Id>(waiters_.size());
    waiters_.push_back({});
  }
  waiters_[id].origin = origin;
  waiters_[id].used = true;
  enter(id);
  return id;
}

void Calendar::remove(Id id) {
  Waiter& waiter = waiters_[id];
  order_.erase(waiter.place, [this](Id moved, Order::Place place) { waiters_[moved].place = place; });
  leave(id);
  waiter.used = false;
  waiter.place = unused_;
  unused_ = id;
}

void Calendar::enter(Id id) {
  std::size_t slot = home(id);
  while (slots_[slot] != kNone) slot = after(slot);
  slots_[slot] = id;
}

/// Those behind move up where that brings them no further from their home than it, so that no search ends
/// too early.
void Calendar::leave(Id id) {
  const auto way = [this](std::size_t from, std::size_t to) { return (to - from) & (slots_.size() - 1); };
  std::size_t hole = home(id);
  while (slots_[hole] != id) hole = after(hole);
  for (std::size_t slot = after(hole); slots_[slot] != kNone; slot = after(slot)) {
    if (way(home(slots_[slot]), slot) < way(hole, slot)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = kNone;
}

/// Half of the slots at most are in use: searches stay short. The old index is gone before the new one comes.
void Calendar::grow() {
  const std::size_t wanted = std::max(kSlotsMin, 2 * slots_.size());
  slots_ = {};
  slots_.assign(wanted, kNone);
  for (Id id = 0; id < waiters_.size(); ++id) {
    if (waiters_[id].used) enter(id);
  }
}

}  // namespace scheduler
