#pragma once
// Origins that wait, by the instant at which each is due: a few dozen octets for an origin, for crawls that
// wait for millions. What is known of an origin is elsewhere; this only says whose turn it is.
#include "base/hash.h"
#include "base/time.h"
#include "scheduler/blocks.h"
#include "scheduler/indexed_heap.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace scheduler {

/// One entry for each origin, named by a keyed hash: equal 128 bits are the same origin, and nobody outside
/// can choose them. put(), take() and pop_first() are O(log n), but for the put() that doubles the index: it
/// looks at every entry once (0.3 s at 10 million). 40 octets an entry and 8 to 16 for the index; of the
/// largest size that there ever was, but for 16 that are given back. At most 2^31 entries; a lower limit is
/// the owner's business. One thread.
class Calendar {
 public:
  struct Entry {
    base::Hash128 origin;
    std::uint16_t partition = 0;
    base::TimePoint due{};
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Adds `origin`, or gives it another instant.
  void put(const base::Hash128& origin, std::uint16_t partition, base::TimePoint due);
  /// Takes `origin` out; false when it is not in.
  bool take(const base::Hash128& origin);

  bool contains(const base::Hash128& origin) const { return find(origin) != kNone; }
  std::optional<base::TimePoint> due(const base::Hash128& origin) const;

  /// The one with the least instant; among equals the one that was put earlier (once in 2^32 put() this is
  /// forgotten).
  std::optional<Entry> first() const;
  /// Takes the first one out. There is one.
  void pop_first();

  std::size_t size() const { return order_.size(); }
  std::size_t octets() const;  ///< of memory, roughly

 private:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xffff'ffff;

  /// An instant and a turn in 12 octets, so that an entry of the heap has 16 and four of them a cache line.
  class Key {
   public:
    Key() = default;
    Key(base::TimePoint due, std::uint32_t turn);
    base::TimePoint due() const;
    friend bool operator<(const Key& a, const Key& b) {
      const std::int64_t left = a.instant();
      const std::int64_t right = b.instant();
      return left != right ? left < right : a.turn_ < b.turn_;
    }

   private:
    std::int64_t instant() const {
      return static_cast<std::int64_t>(std::uint64_t{high_} << 32U | std::uint64_t{low_});
    }
    std::uint32_t low_ = 0;
    std::uint32_t high_ = 0;
    std::uint32_t turn_ = 0;
  };
  using Order = IndexedHeap<Key, Blocks>;
  static_assert(sizeof(Order::Entry) == 16);

  struct Waiter {
    base::Hash128 origin;
    std::uint32_t place = 0;  // in the order; of an unused one: the next unused
    std::uint16_t partition = 0;
    bool used = false;
  };
  static_assert(sizeof(Waiter) == 24);

  std::size_t home(Id id) const { return waiters_[id].origin.low & (slots_.size() - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  Id find(const base::Hash128& origin) const;
  Id add(const base::Hash128& origin);
  void remove(Id id);
  void enter(Id id);
  void leave(Id id);
  void grow();

  Blocks<Waiter> waiters_;
  Id unused_ = kNone;
  Order order_;
  std::vector<Id> slots_;  // by the hash of the origin, then one after the other; a power of two
  std::uint32_t turn_ = 0;
};

}  // namespace scheduler
