#include "scheduler/calendar.h"

#include <cassert>

namespace scheduler {
namespace {

using base::TimePoint;

// 48 bits of ticks reach further than TimePoint does, so every instant has one.
constexpr std::int64_t kTicksMax = std::int64_t{1} << 47U;
constexpr std::int64_t kPerTick = Calendar::kTick.count();
static_assert(TimePoint::max().time_since_epoch().count() / kPerTick < kTicksMax - 1);
static_assert(TimePoint::min().time_since_epoch().count() / kPerTick > -kTicksMax);

Waiter::When packed(TimePoint due, std::uint16_t partition) {
  const std::int64_t count = due.time_since_epoch().count();
  const std::int64_t ticks = count / kPerTick + (count % kPerTick > 0 ? 1 : 0);
  return static_cast<std::uint64_t>(ticks + kTicksMax) << Waiter::kPartitionBits | partition;
}

TimePoint due_of(Waiter::When when) {
  const std::int64_t ticks = static_cast<std::int64_t>(when >> Waiter::kPartitionBits) - kTicksMax;
  // The last tick ends behind the end of time.
  if (ticks > TimePoint::max().time_since_epoch().count() / kPerTick) return TimePoint::max();
  return TimePoint(base::Duration(ticks * kPerTick));
}

}  // namespace

void Calendar::put(const base::Hash128& origin, std::uint16_t partition, TimePoint due) {
  index_.prefetch(origin);  // it is on its way while the order is changed
  const Waiters::Ref ref = order_.add(Waiter{origin, packed(due, partition)});
  const Waiters::Ref earlier = index_.find(origin);
  if (earlier != Waiters::kNone) index_.remove(origin, earlier);
  index_.add(origin, ref);
  if (earlier != Waiters::kNone) order_.remove(earlier);
}

bool Calendar::take(const base::Hash128& origin) {
  const Waiters::Ref ref = index_.find(origin);
  if (ref == Waiters::kNone) return false;
  index_.remove(origin, ref);
  order_.remove(ref);
  return true;
}

std::optional<TimePoint> Calendar::due(const base::Hash128& origin) const {
  const Waiters::Ref ref = index_.find(origin);
  if (ref == Waiters::kNone) return std::nullopt;
  return due_of(waiters_[ref].when);
}

std::optional<Calendar::Entry> Calendar::first() const {
  const Waiters::Ref ref = order_.first();
  if (ref == Waiters::kNone) return std::nullopt;
  const Waiter& waiter = waiters_[ref];
  index_.prefetch(waiter.origin);  // most of the time it is taken out next
  return Entry{waiter.origin, static_cast<std::uint16_t>(waiter.when), due_of(waiter.when)};
}

void Calendar::pop_first() {
  const Waiters::Ref ref = order_.first();
  assert(ref != Waiters::kNone);
  index_.remove(waiters_[ref].origin, ref);
  order_.remove(ref);
}

std::size_t Calendar::octets() const {
  return sizeof(*this) + waiters_.octets() + index_.octets() + order_.octets();
}

}  // namespace scheduler
