// Which origins are in memory with their next URLs, which wait in the calendar, and which are on disk alone.
#include "crawler/shard.h"

#include <algorithm>

namespace crawler {
namespace {

/// Origins that are due later than this wait on disk.
constexpr base::Duration kHorizon = std::chrono::minutes(10);
/// Not worth the way to the disk and back.
constexpr base::Duration kSoon = std::chrono::seconds(1);
/// Origins that are taken into memory before others get the thread.
constexpr std::size_t kWokenAtATime = 256;
/// Rows of the disk's list that are read at a time.
constexpr std::size_t kColdBatch = 1'000;

}  // namespace

/// `origin` has no business now: it is woken when it has.
void Shard::rest(const base::Origin& origin, base::Now now) {
  std::optional<base::TimePoint> until = frontier_.next_due(origin);
  if (frontier_.ready(origin, now.steady) || consulted_.contains(origin.text())) {
    const auto due = robots_.due(origin, now.steady);
    if (!due) {  // the answer for its robots.txt will wake it
      frontier_.release(origin);
      return;
    }
    if (robots_.access(origin) == robots::Access::defer) until = due;
  }
  put_away(origin, until, now);
}

/// `origin` leaves the memory until `until`, or for good.
void Shard::put_away(const base::Origin& origin, std::optional<base::TimePoint> until, base::Now now) {
  if (!until || (*until > cold_until_ && (*until > now.steady + kHorizon || calendar_full()))) {
    frontier_.list(origin, until);
    queue_.forget(origin);
  } else {
    put_into_calendar(frontier_.row_of(origin, *until));
  }
  frontier_.release(origin);
}

void Shard::put_into_calendar(const DueRow& row) {
  calendar_.put(row.origin, row.partition, row.due);
}

/// `origin` waits outside when that takes long, or when memory is full and others are due earlier.
void Shard::make_room(const base::Origin& origin, base::Now now) {
  const base::TimePoint due = queue_.status(origin, now).due;
  if (due == base::TimePoint::max()) return;  // in flight, or another lease has its address: that ends soon
  const auto first = calendar_.first();
  const bool crowded = frontier_.full() && first && first->due < due;
  if (due <= now.steady + kHorizon && !crowded) return;
  queue_.idle(origin);
  put_away(origin, due, now);
}

/// `origin` has business from now on. Without room it waits in the calendar, or on disk alone, where it is
/// listed.
void Shard::wake(const base::Origin& origin, base::Now now) {
  if (frontier_.held(origin) || !frontier_.full()) {
    activate(origin, now);
    make_room(origin, now);
  } else if (!calendar_full()) {
    put_into_calendar(frontier_.row_of(origin, now.steady));
    alarm_->ring();
  }
}

/// Under which instant an origin with new business is listed. Where there is no room at all, under one that
/// has not been read yet, so that it is read when there is.
base::TimePoint Shard::listing(base::Now now) const {
  if (!frontier_.full() || !calendar_full()) return now.steady;
  return std::max(now.steady, cold_until_ + base::Duration(1));
}

/// Takes `origin` into memory with all that is known of it.
void Shard::activate(const base::Origin& origin, base::Now now) {
  if (!frontier_.held(origin)) {
    frontier_.hold(origin);
    calendar_.take(frontier_.row_of(origin, now.steady).origin);
  }
  // The queue may have forgotten an idle origin; the frontier has not.
  if (queue_.wake(origin, now)) {
    queue_.restore(origin, frontier_.clocks(origin), now);
    recall_robots(origin);
    queue_.set_pace(origin, pace_of(origin), now);
  }
  alarm_->ring();
}

/// The cache may have forgotten what robots.txt said, or never known it in this run; the frontier knows.
void Shard::recall_robots(const base::Origin& origin) {
  if (robots_.access(origin) != robots::Access::unknown) {
    ++counters_.robots_known;
    return;
  }
  auto found = frontier_.robots(origin);
  if (!found) return;
  ++counters_.robots_recalled;
  robots_.restore(origin, std::move(found->first), found->second);
}

/// Origins that are listed on disk come into the calendar some time before they are due. Whatever is due
/// until `cold_until_` is in memory, and what is put away to the disk alone is due later.
void Shard::load_cold(base::Now now) {
  if (now.steady < cold_next_) return;
  bool more = true;
  if (!calendar_full()) {
    std::vector<DueRow> rows;
    const base::TimePoint until = now.steady + kHorizon;
    cold_until_ = frontier_.due_rows(cold_after_, until, kColdBatch, rows);
    more = cold_until_ < until;
    for (const DueRow& row : rows) {
      if (!calendar_.contains(row.origin)) put_into_calendar(row);
    }
  }
  const bool at_once = more && !calendar_full();
  cold_next_ = now.steady + (at_once ? base::Duration::zero() : more ? kSoon : kHorizon / 4);
}

/// False: there are more, and others want the thread as well.
bool Shard::wake_waiting(base::Now now) {
  for (std::size_t woken = 0; woken < kWokenAtATime; ++woken) {
    const auto first = calendar_.first();
    if (frontier_.full() || !first || first->due > now.steady) return true;
    calendar_.pop_first();
    const auto origin = frontier_.hold(DueRow{first->partition, first->origin, first->due});
    if (!origin) continue;
    activate(*origin, now);
    make_room(*origin, now);
  }
  return false;
}

}  // namespace crawler
