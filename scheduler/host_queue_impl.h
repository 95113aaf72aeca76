#pragma once
// The inside of HostQueue, for host_queue*.cpp alone.
#include "scheduler/due_tree.h"
#include "scheduler/host_queue.h"
#include "scheduler/origin_table.h"
#include "scheduler/shared_clocks.h"

#include <optional>
#include <vector>

namespace scheduler {

/// The ladders have reached their last rung long before.
inline constexpr std::uint8_t kRungMax = 32;

struct HostQueue::Impl {
  using Id = OriginTable::Id;

  Impl(const config::Politeness& politeness, AddressClocks& addresses, base::Random& random);
  ~Impl();

  /// Every call that knows the time begins here: ends leases that died, and re-times when somebody has set
  /// the wall clock.
  void note(base::Now now);
  Id known(const base::Origin& origin) const { return origins_.find(origin.text()); }
  Id add(const base::Origin& origin);
  Id known_or_new(const base::Origin& origin);
  const Pace& pace(const Record& record) const { return record.pace ? *record.pace : default_pace_; }
  Pace default_pace(std::string_view host) const;

  /// The instant from which the origin's own clocks let it go, seen from `now`: not later than `now` only if
  /// it may go now.
  base::TimePoint due(const Record& record, base::Now now) const;
  Status status(const Record& record, base::Now now) const;

  bool ready(Id id, base::Now now);
  void queue(Id id, base::Now now);
  void rest(Id id);
  /// Takes the origin, which is in neither tree nor idle list, out of the table.
  void erase(Id id);
  void forget_some();

  void start(Record& record, base::TimePoint at);
  void judge(Record& record, const Feedback& feedback);
  static void smooth(Record& record, base::Duration took);
  void report(const Record& record, const Feedback& feedback, base::Duration took, base::Now now);
  void finish(Id id, Feedback feedback, bool more, base::Now now);
  void give_back(Id id, bool more, base::Now now);
  base::Duration latency_wait(const Record& record, base::Duration took) const;
  /// The record of a lease that is alive and belongs here.
  Record& held(const HostQueue& queue, const Lease& lease);
  void lease_ended(Id id, bool more, base::Now now);

  const config::Politeness& politeness_;
  AddressClocks& addresses_;
  base::Random& random_;
  const Pace default_pace_;
  OriginTable origins_;
  DueTree tree_;
  SharedClocks clocks_;
  std::vector<Id> dropped_;  // leases that died since the last call; has room for all that are out
  std::optional<base::Duration> wall_offset_;
  base::TimePoint latest_ = base::TimePoint::min();  // that any call has named
  std::size_t waiting_count_ = 0;
  std::size_t in_flight_count_ = 0;
};

}  // namespace scheduler
