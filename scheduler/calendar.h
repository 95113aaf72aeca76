#pragma once
// Origins that wait, by the instant at which each is due: 32 octets for an origin, for crawls that wait for
// millions. What is known of an origin is elsewhere; this only says whose turn it is.
#include "base/hash.h"
#include "base/time.h"
#include "scheduler/due_trie.h"
#include "scheduler/hash_index.h"
#include "scheduler/waiters.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace scheduler {

/// One entry for each origin, named by a keyed hash: equal 128 bits are the same origin, and nobody outside
/// can choose them.
///
/// Instants are kept in ticks of 100 us, rounded up: an origin never comes out before it is due, and due() is
/// up to a tick later than what was said; whole milliseconds are exact. Of origins with the same tick any may
/// come first. Nobody waits for ever as long as what is put is later than what came out.
///
/// No call is long: it moves kMovesMax entries at most. At most 32 octets an origin, and 256 KiB, while
/// origins are added and come out in their order; more where many are taken out from between. What is unused
/// is used again, not given back. At most 2^31 entries; a lower limit is the owner's business. One thread.
class Calendar {
 public:
  struct Entry {
    base::Hash128 origin;
    std::uint16_t partition = 0;
    base::TimePoint due{};
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  static constexpr base::Duration kTick = std::chrono::microseconds(100);

  /// A bucket is divided once for a put(). For a first() it may be divided at each of twelve digits, when all
  /// but a few are crowded into the last; and growing moves some groups.
  static constexpr std::uint64_t kMovesMax = 13 * std::uint64_t{DueTrie::kBucketMax};

  Calendar() = default;
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  /// Adds `origin`, or gives it another instant.
  void put(const base::Hash128& origin, std::uint16_t partition, base::TimePoint due);
  /// Takes `origin` out; false when it is not in.
  bool take(const base::Hash128& origin);

  bool contains(const base::Hash128& origin) const { return index_.find(origin) != Waiters::kNone; }
  std::optional<base::TimePoint> due(const base::Hash128& origin) const;

  /// One of those with the least instant.
  std::optional<Entry> first() const;
  /// Takes out the one that first() says. There is one.
  void pop_first();

  std::size_t size() const { return index_.size(); }
  std::size_t octets() const;  ///< of memory, roughly
  /// Entries moved so far: what the longest call costs is what it adds here.
  std::uint64_t moves() const { return order_.moves() + index_.moves(); }

 private:
  // What is in does not change when first() divides the bucket that it looks at.
  mutable Waiters waiters_;
  mutable HashIndex index_{waiters_};
  mutable DueTrie order_{waiters_, index_};
};

}  // namespace scheduler
