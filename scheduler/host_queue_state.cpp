// What HostQueue remembers of an origin beyond its run, and what it forgets.
#include "scheduler/host_queue.h"
#include "scheduler/host_queue_impl.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <limits>

namespace scheduler {

using base::Duration;
using base::Now;
using base::TimePoint;
using State = Record::State;

namespace {

/// A new exchange counts for one part in so many of the smoothed latency.
constexpr std::int64_t kLatencyShare = 8;
/// For each new origin so many idle ones are looked at: more than one, so that the list gets shorter.
constexpr int kSweep = 2;

std::uint32_t microseconds(Duration d) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto count = std::chrono::duration_cast<std::chrono::microseconds>(d).count();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 1, kMost));
}

}  // namespace

HostState HostQueue::state(const base::Origin& origin) const {
  const Impl::Id id = impl_->known(origin);
  if (id == OriginTable::kNone) return {};
  const Record& record = impl_->origins_[id];
  return {record.started,   record.ready_from, record.paused_until,
          record.overloads, record.failures,   std::chrono::microseconds(record.latency_us)};
}

void HostQueue::restore(const base::Origin& origin, const HostState& state, Now now) {
  impl_->note(now);
  const Impl::Id id = impl_->known_or_new(origin);
  Record& record = impl_->origins_[id];
  // Instants that lie too far back to matter could not be reckoned with either.
  const auto lengthen = [&](TimePoint& clock, TimePoint saved, Duration ahead) {
    if (saved > now.steady - kIntervalMax) clock = std::max(clock, std::min(saved, now.steady + ahead));
  };
  lengthen(record.started, state.started, Duration::zero());
  lengthen(record.ready_from, state.ready_from, impl_->politeness_.latency_cap);
  lengthen(record.paused_until, state.paused_until, kIntervalMax);
  record.overloads = std::max(record.overloads, std::min(state.overloads, kRungMax));
  record.failures = std::max(record.failures, std::min(state.failures, kRungMax));
  if (record.latency_us == 0 && state.latency > Duration::zero()) {
    record.latency_us = microseconds(state.latency);
  }
  if (record.state == State::waiting) impl_->tree_.put(id, record.bond.home, impl_->due(record, now));
}

void HostQueue::forget(const base::Origin& origin) {
  idle(origin);
  const Impl::Id id = impl_->known(origin);
  if (id == OriginTable::kNone) return;
  Record& record = impl_->origins_[id];
  assert(record.state == State::idle);
  if (impl_->clocks_.site_held_until(record.bond) > impl_->latest_) return;
  impl_->origins_.leave_idle(id);
  impl_->erase(id);
}

void HostQueue::Impl::erase(Id id) {
  Record& record = origins_[id];
  clocks_.unbind(record.bond, record.site());
  origins_.erase(id);
}

void HostQueue::Impl::forget_some() {
  for (int i = 0; i < kSweep && origins_.idle_count() > kIdleMax; ++i) {
    const Id id = origins_.longest_idle();
    origins_.leave_idle(id);
    if (clocks_.site_held_until(origins_[id].bond) > latest_) {
      origins_.enter_idle(id);
    } else {
      erase(id);
    }
  }
}

void HostQueue::Impl::smooth(Record& record, Duration took) {
  const std::int64_t before = record.latency_us;
  const std::int64_t now = microseconds(took);
  record.latency_us = static_cast<std::uint32_t>(before == 0 ? now : before + (now - before) / kLatencyShare);
}

}  // namespace scheduler
