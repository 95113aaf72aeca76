#include "scheduler/shared_clocks.h"

#include <algorithm>
#include <cassert>

namespace scheduler {

using base::Duration;
using base::TimePoint;

SharedClocks::SharedClocks(const config::Politeness& politeness, AddressClocks& addresses, DueTree& tree)
    : per_address_(politeness.per_address_interval),
      per_site_(politeness.per_site_interval),
      addresses_(addresses),
      tree_(tree) {}

Bond SharedClocks::bond(std::string_view site) {
  Bond bond;
  if (per_site_ <= Duration::zero()) return bond;
  auto found = site_groups_.find(site);
  if (found == site_groups_.end()) {
    found = site_groups_.emplace(std::string(site), add_group(DueTree::kRoot)).first;
  }
  bond.site = found->second;
  ++clocks_[bond.site].origins;
  join_pair(bond);
  return bond;
}

void SharedClocks::set_address(Bond& bond, const base::IpAddress& address) {
  if (has_address(bond, address)) return;
  drop_pair(bond);
  drop_address(bond);
  const auto [found, added] = address_groups_.try_emplace(address, 0);
  if (added) {
    found->second = add_group(DueTree::kRoot);
    clocks_[found->second].address = address;
  }
  bond.address = found->second;
  ++clocks_[bond.address].origins;
  join_pair(bond);
}

bool SharedClocks::has_address(const Bond& bond, const base::IpAddress& address) const {
  return bond.address != Bond::kNone && clocks_[bond.address].address == address;
}

const base::IpAddress* SharedClocks::address(const Bond& bond) const {
  return bond.address == Bond::kNone ? nullptr : &clocks_[bond.address].address;
}

void SharedClocks::unbind(Bond& bond, std::string_view site) {
  drop_pair(bond);
  drop_address(bond);
  if (bond.site != Bond::kNone && drop(bond.site)) site_groups_.erase(site_groups_.find(site));
  bond = Bond{};
}

bool SharedClocks::take(const Bond& bond, TimePoint now) {
  if (site_held_until(bond) > now) {
    tree_.move_group(bond.home, bond.site);
    return false;
  }
  if (!take_address(bond, now)) {
    if (bond.site != Bond::kNone) tree_.move_group(bond.home, bond.address);
    return false;
  }
  if (bond.site != Bond::kNone) tree_.hold_off(bond.site, TimePoint::max());
  return true;
}

bool SharedClocks::take_address(const Bond& bond, TimePoint now) {
  if (bond.address == Bond::kNone) return true;
  if (address_held_until(bond) > now) return false;
  if (const auto next = addresses_.reserve(clocks_[bond.address].address, now)) {
    clocks_[bond.address].next = *next;
    tree_.hold_off(bond.address, *next);
    return false;
  }
  tree_.hold_off(bond.address, TimePoint::max());
  return true;
}

void SharedClocks::start_site(const Bond& bond, TimePoint at) {
  if (bond.site == Bond::kNone) return;
  TimePoint& next = clocks_[bond.site].next;
  next = std::max(next, at + per_site_);
  tree_.hold_off(bond.site, next);
}

void SharedClocks::start_address(const Bond& bond, TimePoint at) {
  Clock& clock = clocks_[bond.address];
  clock.next = addresses_.sent(clock.address, at);
  tree_.hold_off(bond.address, clock.next);
}

/// Another lease may have taken the clock meanwhile: then it stays taken, and this start counts when it is
/// free.
void SharedClocks::restart(const Bond& bond, TimePoint at) {
  const auto move_on = [this](DueTree::Id group, TimePoint next) {
    clocks_[group].next = std::max(clocks_[group].next, next);
    if (tree_.held_until(group) != TimePoint::max()) tree_.hold_off(group, clocks_[group].next);
  };
  if (bond.site != Bond::kNone) move_on(bond.site, at + per_site_);
  if (bond.address != Bond::kNone)
    move_on(bond.address, addresses_.sent_again(clocks_[bond.address].address, at));
}

void SharedClocks::release_site(const Bond& bond) {
  if (bond.site != Bond::kNone) tree_.hold_off(bond.site, clocks_[bond.site].next);
}

void SharedClocks::release_address(const Bond& bond) {
  addresses_.release(clocks_[bond.address].address);
  tree_.hold_off(bond.address, clocks_[bond.address].next);
}

TimePoint SharedClocks::address_held_until(const Bond& bond) const {
  return bond.address == Bond::kNone ? TimePoint::min() : tree_.held_until(bond.address);
}

TimePoint SharedClocks::site_held_until(const Bond& bond) const {
  return bond.site == Bond::kNone ? TimePoint::min() : tree_.held_until(bond.site);
}

DueTree::Id SharedClocks::add_group(DueTree::Id parent) {
  const DueTree::Id group = tree_.add_group(parent);
  if (group >= clocks_.size()) clocks_.resize(std::size_t{group} + 1);
  clocks_[group] = Clock{};
  return group;
}

bool SharedClocks::drop(DueTree::Id group) {
  assert(clocks_[group].origins > 0);
  if (--clocks_[group].origins > 0) return false;
  tree_.remove_group(group);
  return true;
}

void SharedClocks::drop_address(Bond& bond) {
  if (bond.address == Bond::kNone) return;
  const base::IpAddress address = clocks_[bond.address].address;
  if (drop(bond.address)) address_groups_.erase(address);
  bond.address = Bond::kNone;
}

/// Sets the origin's home: without site clocks its address; with them the pair, below its site for a start.
void SharedClocks::join_pair(Bond& bond) {
  if (bond.site == Bond::kNone) {
    bond.home = bond.address == Bond::kNone ? DueTree::kRoot : bond.address;
    return;
  }
  const auto [found, added] = pair_groups_.try_emplace(pair_key(bond), 0);
  if (added) found->second = add_group(bond.site);
  bond.home = found->second;
  ++clocks_[bond.home].origins;
}

void SharedClocks::drop_pair(const Bond& bond) {
  if (bond.site != Bond::kNone && drop(bond.home)) pair_groups_.erase(pair_key(bond));
}

std::uint64_t SharedClocks::pair_key(const Bond& bond) {
  return std::uint64_t{bond.site} << 32U | bond.address;
}

}  // namespace scheduler
