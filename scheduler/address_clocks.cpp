#include "scheduler/address_clocks.h"

#include "base/hash.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace scheduler {

using base::Duration;
using base::IpAddress;
using base::TimePoint;

namespace {
// Each new address drops at most so many old ones: more than one, so that the table shrinks after a peak.
constexpr int kSweep = 3;
}  // namespace

AddressClocks::AddressClocks(const config::Politeness& politeness, std::size_t addresses_max)
    : interval_(politeness.per_address_interval), addresses_max_(std::max<std::size_t>(addresses_max, 1)) {}

std::optional<TimePoint> AddressClocks::reserve(const IpAddress& address, TimePoint now) {
  if (interval_ <= Duration::zero()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  latest_ = std::max(latest_, now);
  auto found = by_address_.find(address);
  if (found == by_address_.end()) {
    if (!make_room(now)) return now + interval_;
    Entry entry;
    entry.address = address;
    found = by_address_.emplace(address, entries_.insert(entries_.end(), entry)).first;
  }
  touch(found->second, now);
  Entry& entry = *found->second;
  if (entry.taken) return now + kAskAgain;
  const TimePoint next = next_of(entry);
  if (next > now) return next;
  entry.taken = true;
  return std::nullopt;
}

TimePoint AddressClocks::sent(const IpAddress& address, TimePoint at) {
  if (interval_ <= Duration::zero()) return at;
  const std::lock_guard lock(mutex_);
  latest_ = std::max(latest_, at);
  const auto found = by_address_.find(address);
  assert(found != by_address_.end() && found->second->taken);
  Entry& entry = *found->second;
  entry.taken = false;
  entry.started = std::max(entry.started, at);
  touch(found->second, at);
  return next_of(entry);
}

TimePoint AddressClocks::sent_again(const IpAddress& address, TimePoint at) {
  if (interval_ <= Duration::zero()) return at;
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return at + interval_;
  Entry& entry = *found->second;  // taken by somebody else, perhaps: that stays
  entry.started = std::max(entry.started, at);
  return next_of(entry);
}

void AddressClocks::release(const IpAddress& address) {
  if (interval_ <= Duration::zero()) return;
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  assert(found != by_address_.end() && found->second->taken);
  found->second->taken = false;
}

void AddressClocks::report(const IpAddress& address, std::string_view site, Health health, Duration took,
                           TimePoint now) {
  if (interval_ <= Duration::zero()) return;
  const std::uint64_t hash = base::secret_hash(site);
  const std::lock_guard lock(mutex_);
  latest_ = std::max(latest_, now);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return;  // forgotten: no evidence, the whole interval
  Entry& entry = *found->second;
  touch(found->second, now);
  if (health == Health::overloaded) {
    entry.evidence.clear();
    return;
  }
  forget_evidence(entry, hash);
  if (health == Health::failing || took > kFast) return;
  if (entry.evidence.size() == kEvidenceMax) entry.evidence.erase(entry.evidence.begin());
  entry.evidence.push_back(Evidence{hash, now});
}

Duration AddressClocks::interval(const IpAddress& address) const {
  if (interval_ <= Duration::zero()) return Duration::zero();
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? interval_ : interval_of(*found->second);
}

std::size_t AddressClocks::size() const {
  const std::lock_guard lock(mutex_);
  return by_address_.size();
}

Duration AddressClocks::interval_of(const Entry& entry) const {
  const auto fresh = [this](const Evidence& evidence) { return latest_ - evidence.at <= kHorizon; };
  const auto sites = std::count_if(entry.evidence.begin(), entry.evidence.end(), fresh);
  const Duration::rep divisor = std::max<Duration::rep>(sites / Duration::rep{kSitesPerStep}, 1);
  return Duration((interval_.count() + divisor - 1) / divisor);
}

TimePoint AddressClocks::next_of(const Entry& entry) const {
  return entry.started == TimePoint::min() ? TimePoint::min() : entry.started + interval_of(entry);
}

void AddressClocks::touch(Entries::iterator entry, TimePoint now) {
  entry->last_used = std::max(entry->last_used, now);
  entries_.splice(entries_.end(), entries_, entry);
}

/// Drops addresses that nobody has used within the horizon, and when the table is full others whose clock has
/// run out; false when there is still no room.
bool AddressClocks::make_room(TimePoint now) {
  for (int i = 0; i < kSweep && !entries_.empty(); ++i) {
    const auto oldest = entries_.begin();
    const bool stale = now - oldest->last_used > kHorizon;
    if (!stale && entries_.size() < addresses_max_) return true;
    if (oldest->taken || next_of(*oldest) > now) {
      entries_.splice(entries_.end(), entries_, oldest);
    } else {
      by_address_.erase(oldest->address);
      entries_.erase(oldest);
    }
  }
  return entries_.size() < addresses_max_;
}

void AddressClocks::forget_evidence(Entry& entry, std::uint64_t site) {
  std::erase_if(entry.evidence, [site](const Evidence& evidence) { return evidence.site == site; });
}

}  // namespace scheduler
