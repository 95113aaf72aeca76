#pragma once
// What a host queue remembers of each origin, found by number or by name, and the order in which idle ones
// may be forgotten.
#include "base/hash.h"
#include "base/time.h"
#include "base/url.h"
#include "scheduler/pace.h"
#include "scheduler/shared_clocks.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace scheduler {

/// One origin. Kept small: there may be millions.
struct Record {
  enum class State : std::uint8_t { idle, waiting, in_flight };
  static constexpr base::TimePoint kNever = base::TimePoint::min();

  base::Origin origin;
  std::unique_ptr<const Pace> pace;     // null: the default pace
  base::TimePoint started = kNever;     // when the last request went out
  base::TimePoint ready_from = kNever;  // end of the last exchange and the wait for its latency, or the wake
  base::TimePoint paused_until = kNever;
  Bond bond;
  std::uint32_t idle_before = 0;
  std::uint32_t idle_after = 0;
  std::uint32_t latency_us = 0;   // smoothed; 0: no answer yet
  std::uint16_t site_octets = 0;  // the registrable domain is so long a tail of the host
  std::uint8_t overloads = 0;     // rung of the ladder after 429 and 503
  std::uint8_t failures = 0;      // rung of the ladder after no answer
  State state = State::idle;
  bool sent = false;           // by the lease in flight
  bool admitted = false;       // the same
  bool address_taken = false;  // the same: it holds the reservation

  std::string_view site() const;
};

/// Numbers are reused after erase(). References to a record stay valid until its erase().
class OriginTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xffff'ffff;

  OriginTable();
  OriginTable(const OriginTable&) = delete;
  OriginTable& operator=(const OriginTable&) = delete;

  Record& operator[](Id id) { return records_[id]; }
  const Record& operator[](Id id) const { return records_[id]; }
  /// kNone when unknown.
  Id find(std::string_view origin) const;
  /// `origin` is not there yet. The new record is idle, but not in the idle list.
  Id add(const base::Origin& origin);
  /// `id` is not in the idle list.
  void erase(Id id);
  std::size_t size() const { return names_.size(); }
  /// Numbers below this have been used; erased ones have an empty origin.
  Id end() const { return static_cast<Id>(records_.size()); }

  /// The idle list, the longest idle first.
  void enter_idle(Id id);
  void leave_idle(Id id);
  std::size_t idle_count() const { return idle_count_; }
  Id longest_idle() const { return records_[kEnds].idle_after; }

 private:
  static constexpr Id kEnds = 0;  // record 0 is nobody: it holds both ends of the idle list

  struct Hash {
    using is_transparent = void;
    const std::deque<Record>* records;
    std::size_t operator()(std::string_view name) const { return base::secret_hash(name); }
    std::size_t operator()(Id id) const { return base::secret_hash((*records)[id].origin.text()); }
  };
  struct Equal {
    using is_transparent = void;
    const std::deque<Record>* records;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(Id a, std::string_view b) const { return (*records)[a].origin.text() == b; }
    bool operator()(std::string_view a, Id b) const { return (*records)[b].origin.text() == a; }
  };

  std::deque<Record> records_;
  std::vector<Id> unused_;
  std::unordered_set<Id, Hash, Equal> names_;
  std::size_t idle_count_ = 0;
};

}  // namespace scheduler
