#pragma once
// The clocks that origins share, hung into the tree of a host queue: those of addresses, whose truth is with
// AddressClocks because other threads use them too, and those of sites, which live here.
#include "base/address.h"
#include "base/hash.h"
#include "base/time.h"
#include "scheduler/address_clocks.h"
#include "scheduler/due_tree.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace scheduler {

/// Where an origin hangs in the tree. Without site clocks below its address; with them below the pair of its
/// site and its address, and the pair hangs below whichever of the two kept it waiting last. So neither a
/// site with many addresses nor an address with many sites is ever searched.
struct Bond {
  static constexpr DueTree::Id kNone = 0xffff'ffff;
  DueTree::Id home = DueTree::kRoot;  // the group that the origin is put into
  DueTree::Id address = kNone;
  DueTree::Id site = kNone;
};

/// Changes of a bond happen while its origin is not in the tree. One thread.
class SharedClocks {
 public:
  /// `addresses` and `tree` must outlive this.
  SharedClocks(const config::Politeness& politeness, AddressClocks& addresses, DueTree& tree);

  /// No clock but the site's, if sites have clocks.
  Bond bond(std::string_view site);
  /// The origin's name leads to `address` now; its reservation of the old address has been released.
  void set_address(Bond& bond, const base::IpAddress& address);
  bool has_address(const Bond& bond, const base::IpAddress& address) const;
  /// Null when unknown.
  const base::IpAddress* address(const Bond& bond) const;
  void unbind(Bond& bond, std::string_view site);

  bool with_addresses() const { return per_address_ > base::Duration::zero(); }

  /// Takes site and address for one request; false: one of them is not free, and the tree knows until when.
  bool take(const Bond& bond, base::TimePoint now);
  /// Takes the address alone, for a lease that has its site already.
  bool take_address(const Bond& bond, base::TimePoint now);
  /// The request went out.
  void start_site(const Bond& bond, base::TimePoint at);
  void start_address(const Bond& bond, base::TimePoint at);
  /// It had to be written once more.
  void restart(const Bond& bond, base::TimePoint at);
  /// It never did.
  void release_site(const Bond& bond);
  void release_address(const Bond& bond);

  /// Until when address and site keep the origin waiting, as far as this queue knows; TimePoint::max() while
  /// another lease has taken it.
  base::TimePoint address_held_until(const Bond& bond) const;
  base::TimePoint site_held_until(const Bond& bond) const;

 private:
  struct Clock {
    base::TimePoint next = base::TimePoint::min();
    std::uint32_t origins = 0;
    base::IpAddress address;
  };

  DueTree::Id add_group(DueTree::Id parent);
  /// True: nobody uses the group any more, and it is gone from the tree.
  bool drop(DueTree::Id group);
  void drop_address(Bond& bond);
  void join_pair(Bond& bond);
  void drop_pair(const Bond& bond);
  static std::uint64_t pair_key(const Bond& bond);

  const base::Duration per_address_;
  const base::Duration per_site_;
  AddressClocks& addresses_;
  DueTree& tree_;
  std::deque<Clock> clocks_;  // by group of the tree
  std::unordered_map<base::IpAddress, DueTree::Id> address_groups_;
  base::StringMap<DueTree::Id> site_groups_;
  std::unordered_map<std::uint64_t, DueTree::Id> pair_groups_;
};

}  // namespace scheduler
