// What HostQueue tells people: which interval, why an origin waits, how many do what. Nothing changes here.
#include "scheduler/host_queue.h"
#include "scheduler/host_queue_impl.h"

#include <algorithm>

namespace scheduler {

using base::Now;
using base::TimePoint;
using State = Record::State;

std::string_view to_string(Waiting waiting) {
  switch (waiting) {
    case Waiting::nothing: return "nothing";
    case Waiting::in_flight: return "in_flight";
    case Waiting::interval: return "interval";
    case Waiting::latency: return "latency";
    case Waiting::pause: return "pause";
    case Waiting::address: return "address";
    case Waiting::site: return "site";
    case Waiting::visit_time: return "visit_time";
    case Waiting::idle: return "idle";
  }
  return "unknown";
}

Interval HostQueue::interval(const base::Origin& origin, base::WallTime at) const {
  const Impl::Id id = impl_->known(origin);
  return id == OriginTable::kNone ? impl_->default_pace(origin.host()).at(at)
                                  : impl_->pace(impl_->origins_[id]).at(at);
}

Status HostQueue::status(const base::Origin& origin, Now now) const {
  const Impl::Id id = impl_->known(origin);
  if (id == OriginTable::kNone) return {TimePoint::max(), Waiting::idle};
  return impl_->status(impl_->origins_[id], now);
}

/// The clock that runs longest is the reason; it is looked for from the origin outwards.
Status HostQueue::Impl::status(const Record& record, Now now) const {
  if (record.state == State::idle) return {TimePoint::max(), Waiting::idle};
  if (record.state == State::in_flight) return {TimePoint::max(), Waiting::in_flight};
  Status status{due(record, now), Waiting::nothing};
  if (status.due > now.steady) {
    const TimePoint before = status.due - base::Duration(1);
    if (status.due == record.paused_until) {
      status.waiting = Waiting::pause;
    } else if (status.due == record.ready_from) {
      status.waiting = Waiting::latency;
    } else {
      status.waiting = pace(record).open(now.wall_at(before)) ? Waiting::interval : Waiting::visit_time;
    }
  }
  const TimePoint address = clocks_.address_held_until(record.bond);
  if (address > std::max(status.due, now.steady)) status = {address, Waiting::address};
  const TimePoint site = clocks_.site_held_until(record.bond);
  if (site > std::max(status.due, now.steady)) status = {site, Waiting::site};
  return status;
}

Census HostQueue::census(Now now) const {
  Census census;
  census.in_flight = impl_->in_flight_count_;
  census.idle = impl_->origins_.idle_count();
  census.ready = impl_->tree_.count_due(now.steady);
  for (Impl::Id id = 0; id < impl_->origins_.end(); ++id) {
    const Record& record = impl_->origins_[id];
    if (record.state == State::waiting && record.paused_until > now.steady) ++census.paused;
  }
  const std::size_t others = census.ready + census.paused;
  census.waiting = impl_->waiting_count_ > others ? impl_->waiting_count_ - others : 0;
  return census;
}

void HostQueue::each(const std::function<bool(const base::Origin&)>& visitor) const {
  for (Impl::Id id = 0; id < impl_->origins_.end(); ++id) {
    const base::Origin& origin = impl_->origins_[id].origin;
    if (!origin.text().empty() && !visitor(origin)) return;
  }
}

std::optional<std::pair<base::Origin, Status>> HostQueue::longest_first(Now now) const {
  const std::optional<DueTree::First> first = impl_->tree_.first();
  if (!first || first->due == TimePoint::max()) return std::nullopt;
  const Record& record = impl_->origins_[first->leaf];
  return std::pair(record.origin, impl_->status(record, now));
}

}  // namespace scheduler
