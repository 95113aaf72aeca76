// Every waiting origin is a leaf of the tree, keyed by the instant at which its own clocks let it go; the
// groups above it are the clocks that it shares. Keys may be out of date in one direction only: when next()
// takes the first leaf, it asks all clocks again at the real `now`, and re-keys what may not go yet. So
// exactness lies in that question, and keys are only a good order to ask in.
#include "scheduler/host_queue.h"

#include "scheduler/host_queue_impl.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace scheduler {

using base::Duration;
using base::Now;
using base::TimePoint;
using State = Record::State;

namespace {

/// A wall clock that has moved more than this against the steady one has been set by somebody.
constexpr Duration kClockStep = std::chrono::seconds(1);

void step_up(std::uint8_t& rung) {
  if (rung < kRungMax) ++rung;
}

}  // namespace

Lease::Lease(Lease&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)), id_(other.id_) {}

Lease& Lease::operator=(Lease&& other) noexcept {
  Lease incoming(std::move(other));
  std::swap(queue_, incoming.queue_);
  std::swap(id_, incoming.id_);
  return *this;
}

Lease::~Lease() {
  if (queue_ != nullptr) queue_->impl_->dropped_.push_back(id_);
}

const base::Origin& Lease::origin() const {
  assert(queue_ != nullptr);
  return queue_->impl_->origins_[id_].origin;
}

HostQueue::HostQueue(const config::Politeness& politeness, AddressClocks& addresses, base::Random& random)
    : impl_(std::make_unique<Impl>(politeness, addresses, random)) {}

HostQueue::~HostQueue() = default;

bool HostQueue::wake(const base::Origin& origin, Now now) {
  impl_->note(now);
  Impl::Id id = impl_->known(origin);
  const bool unknown = id == OriginTable::kNone;
  if (unknown) id = impl_->add(origin);
  Record& record = impl_->origins_[id];
  if (record.state == State::idle) {
    impl_->origins_.leave_idle(id);
    record.ready_from = std::max(record.ready_from, now.steady);
    impl_->queue(id, now);
  }
  return unknown;
}

void HostQueue::idle(const base::Origin& origin) {
  const Impl::Id id = impl_->known(origin);
  if (id == OriginTable::kNone || impl_->origins_[id].state != State::waiting) return;
  impl_->tree_.take(id);
  --impl_->waiting_count_;
  impl_->rest(id);
}

std::optional<Lease> HostQueue::next(Now now) {
  impl_->note(now);
  // Each turn of the loop grants, or moves the first leaf or its group behind `now`.
  for (;;) {
    const std::optional<DueTree::First> first = impl_->tree_.first();
    if (!first || first->due > now.steady) return std::nullopt;
    if (impl_->ready(first->leaf, now)) return Lease(this, first->leaf);
  }
}

std::optional<TimePoint> HostQueue::next_due(Now now) {
  impl_->note(now);
  const std::optional<DueTree::First> first = impl_->tree_.first();
  if (!first || first->due == TimePoint::max()) return std::nullopt;
  return first->due;
}

bool HostQueue::admit(Lease& lease, const base::IpAddress& address, Now now) {
  impl_->note(now);
  Record& record = impl_->held(*this, lease);
  assert(!record.sent);
  SharedClocks& clocks = impl_->clocks_;
  record.admitted = false;
  if (clocks.with_addresses() && !clocks.has_address(record.bond, address)) {
    if (std::exchange(record.address_taken, false)) clocks.release_address(record.bond);
    clocks.set_address(record.bond, address);
  }
  if (impl_->due(record, now) > now.steady) return false;
  if (clocks.with_addresses() && !record.address_taken) {
    record.address_taken = clocks.take_address(record.bond, now.steady);
    if (!record.address_taken) return false;
  }
  record.admitted = true;
  return true;
}

void HostQueue::sent(const Lease& lease, TimePoint at) {
  impl_->start(impl_->held(*this, lease), at);
}

void HostQueue::finish(Lease lease, const Feedback& feedback, bool more, Now now) {
  impl_->note(now);
  impl_->held(*this, lease);
  lease.queue_ = nullptr;
  impl_->finish(lease.id_, feedback, more, now);
}

void HostQueue::give_back(Lease lease, bool more, Now now) {
  impl_->note(now);
  const Record& record = impl_->held(*this, lease);
  assert(!record.sent);
  static_cast<void>(record);
  lease.queue_ = nullptr;
  impl_->give_back(lease.id_, more, now);
}

void HostQueue::set_pace(const base::Origin& origin, Pace pace, Now now) {
  impl_->note(now);
  const Impl::Id id = impl_->known_or_new(origin);
  Record& record = impl_->origins_[id];
  record.pace = pace == impl_->default_pace_ ? nullptr : std::make_unique<const Pace>(std::move(pace));
  if (record.state == State::waiting) impl_->tree_.put(id, record.bond.home, impl_->due(record, now));
}

void HostQueue::pause(const base::Origin& origin, TimePoint until, Now now) {
  impl_->note(now);
  const Impl::Id id = impl_->known_or_new(origin);
  Record& record = impl_->origins_[id];
  // "For ever" must leave room for adding to it.
  record.paused_until = std::max(record.paused_until, std::min(until, now.steady + kIntervalMax));
  if (record.state == State::waiting) impl_->tree_.put(id, record.bond.home, impl_->due(record, now));
}

HostQueue::Impl::Impl(const config::Politeness& politeness, AddressClocks& addresses, base::Random& random)
    : politeness_(politeness),
      addresses_(addresses),
      random_(random),
      default_pace_(Wishes{}, politeness, {}, false),
      clocks_(politeness, addresses, tree_) {}

/// The clocks of addresses live on: nothing may stay taken in them.
HostQueue::Impl::~Impl() {
  if (in_flight_count_ == 0) return;
  for (Id id = 0; id < origins_.end(); ++id) {
    if (origins_[id].address_taken) clocks_.release_address(origins_[id].bond);
  }
}

void HostQueue::Impl::note(Now now) {
  latest_ = std::max(latest_, now.steady);
  while (!dropped_.empty()) {
    const Id id = dropped_.back();
    dropped_.pop_back();
    finish(id, Feedback{Health::failing, std::nullopt, now.steady}, true, now);
  }
  const Duration moved = now.offset() - wall_offset_.value_or(now.offset());
  if (wall_offset_ && moved <= kClockStep && moved >= -kClockStep) return;
  const bool stepped = wall_offset_.has_value();
  wall_offset_ = now.offset();
  if (!stepped) return;
  for (Id id = 0; id < origins_.end(); ++id) {
    const Record& record = origins_[id];
    if (record.state != State::waiting || pace(record).constant()) continue;
    tree_.put(id, record.bond.home, due(record, now));
  }
}

OriginTable::Id HostQueue::Impl::known_or_new(const base::Origin& origin) {
  const Id id = known(origin);
  return id == OriginTable::kNone ? add(origin) : id;
}

OriginTable::Id HostQueue::Impl::add(const base::Origin& origin) {
  forget_some();
  const Id id = origins_.add(origin);
  Record& record = origins_[id];
  record.bond = clocks_.bond(record.site());
  if (politeness_.host_override(origin.host()) != nullptr) {
    record.pace = std::make_unique<const Pace>(default_pace(origin.host()));
  }
  rest(id);
  return id;
}

Pace HostQueue::Impl::default_pace(std::string_view host) const {
  return Pace(Wishes{}, politeness_, host, false);
}

TimePoint HostQueue::Impl::due(const Record& record, Now now) const {
  const Pace& wished = pace(record);
  const auto from = [&](TimePoint t) {
    const base::WallTime wall = now.wall_at(t);
    const bool fresh = record.started == Record::kNever;
    return now.steady_at(fresh ? wished.first(wall) : wished.earliest(now.wall_at(record.started), wall));
  };
  const TimePoint first = from(std::max(record.ready_from, record.paused_until));
  if (first >= now.steady || wished.constant()) return first;
  // It could have gone at `first`. Whether it may still go is another question: the window may have changed.
  const TimePoint again = from(now.steady);
  return again > now.steady ? again : first;
}

/// Asks all clocks at `now`. True: they are taken, and the origin is in flight. False: the tree has been
/// told.
bool HostQueue::Impl::ready(Id id, Now now) {
  Record& record = origins_[id];
  assert(record.state == State::waiting);
  const TimePoint instant = due(record, now);
  if (instant > now.steady) {
    tree_.put(id, record.bond.home, instant);
    return false;
  }
  if (!clocks_.take(record.bond, now.steady)) return false;
  assert(record.paused_until <= now.steady);
  record.state = State::in_flight;
  record.sent = false;
  record.admitted = false;
  record.address_taken = record.bond.address != Bond::kNone;
  tree_.take(id);
  --waiting_count_;
  ++in_flight_count_;
  if (dropped_.capacity() < in_flight_count_) dropped_.reserve(2 * in_flight_count_);
  return true;
}

void HostQueue::Impl::queue(Id id, Now now) {
  Record& record = origins_[id];
  record.state = State::waiting;
  ++waiting_count_;
  tree_.put(id, record.bond.home, due(record, now));
}

void HostQueue::Impl::rest(Id id) {
  origins_[id].state = State::idle;
  origins_.enter_idle(id);
}

Record& HostQueue::Impl::held(const HostQueue& queue, const Lease& lease) {
  assert(lease.queue_ == &queue);
  Record& record = origins_[lease.id_];
  assert(record.state == State::in_flight);
  return record;
}

void HostQueue::Impl::start(Record& record, TimePoint at) {
  record.started = std::max(record.started, at);
  if (std::exchange(record.sent, true)) {
    clocks_.restart(record.bond, at);
    return;
  }
  clocks_.start_site(record.bond, at);
  if (std::exchange(record.address_taken, false)) clocks_.start_address(record.bond, at);
}

void HostQueue::Impl::finish(Id id, Feedback feedback, bool more, Now now) {
  Record& record = origins_[id];
  // An end that cannot be true would let the next request start too early.
  if (feedback.ended == TimePoint{} || feedback.ended < record.started) feedback.ended = now.steady;
  Duration took{};
  const bool sent = record.sent;
  if (sent) {
    took = feedback.ended - record.started;
    if (feedback.health != Health::failing) smooth(record, took);
  } else {
    // Only an address that was spoken to has its clock started; a name that leads nowhere never reached one.
    if (!record.admitted && std::exchange(record.address_taken, false)) clocks_.release_address(record.bond);
    start(record, feedback.ended);
  }
  record.ready_from = std::max(record.ready_from, feedback.ended + latency_wait(record, took));
  // That nothing was sent and nothing failed is no evidence of anything.
  if (sent || feedback.health != Health::ok) {
    judge(record, feedback);
    report(record, feedback, took, now);
  }
  lease_ended(id, more, now);
}

void HostQueue::Impl::give_back(Id id, bool more, Now now) {
  Record& record = origins_[id];
  clocks_.release_site(record.bond);
  if (std::exchange(record.address_taken, false)) clocks_.release_address(record.bond);
  lease_ended(id, more, now);
}

void HostQueue::Impl::lease_ended(Id id, bool more, Now now) {
  --in_flight_count_;
  if (more) {
    queue(id, now);
  } else {
    rest(id);
  }
}

Duration HostQueue::Impl::latency_wait(const Record& record, Duration took) const {
  const config::HostOverride* by_hand = politeness_.host_override(record.origin.host());
  const double factor =
      (by_hand != nullptr ? by_hand->latency_factor : std::nullopt).value_or(politeness_.latency_factor);
  const double wait = factor * static_cast<double>(took.count());
  const bool below = wait < static_cast<double>(politeness_.latency_cap.count());
  return below ? Duration(static_cast<Duration::rep>(std::max(wait, 0.0))) : politeness_.latency_cap;
}

/// What the answer means for the next visits (ROBOTS.md §9).
void HostQueue::Impl::judge(Record& record, const Feedback& feedback) {
  Duration wait{};
  switch (feedback.health) {
    case Health::ok:
      if (record.overloads > 0) --record.overloads;
      record.failures = 0;
      return;
    case Health::overloaded:
      step_up(record.overloads);
      record.failures = 0;
      wait = feedback.retry_after ? std::clamp(*feedback.retry_after, Duration::zero(), kRetryAfterMax)
                                  : kOverloaded.after(record.overloads, random_);
      break;
    case Health::failing:
      step_up(record.failures);
      wait = kFailing.after(record.failures, random_);
      break;
  }
  record.paused_until = std::max(record.paused_until, feedback.ended + wait);
}

void HostQueue::Impl::report(const Record& record, const Feedback& feedback, Duration took, Now now) {
  const base::IpAddress* address = record.admitted ? clocks_.address(record.bond) : nullptr;
  if (address != nullptr) addresses_.report(*address, record.site(), feedback.health, took, now.steady);
}

}  // namespace scheduler
