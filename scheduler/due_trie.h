#pragma once
// Waiters by the instant at which they are due: a tree that looks at four bits of the instant at a time, and
// goes only as deep as there are many. Below it are buckets, in no order; only the one that is first is
// divided until few are left. So a waiter moves about three times from far to first, a far instant costs no
// more than a near one, and there is no present that a clock could leave behind.
#include "scheduler/hash_index.h"
#include "scheduler/waiters.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scheduler {

/// Tells the index of each waiter that it moves. One thread.
///
/// The root divides by the highest digit in which any two differ, so that what all have in common costs
/// nothing.
class DueTrie {
 public:
  using Ref = Waiters::Ref;
  static constexpr Ref kNone = Waiters::kNone;
  /// A larger bucket is divided, unless all are of one tick: so many move in one add().
  static constexpr std::uint32_t kBucketMax = 4096;
  /// And the first one if it is larger than this.
  static constexpr std::uint32_t kFirstMax = 32;

  /// Both must outlive the tree.
  DueTrie(Waiters& waiters, HashIndex& index) : waiters_(&waiters), index_(&index) {}

  /// Where it is until another call says otherwise. The index is not told of it.
  Ref add(const Waiter& waiter);
  /// The index knows nothing of it any more.
  void remove(Ref ref);
  /// One of those that are due first; kNone when there is none.
  Ref first();

  std::size_t octets() const { return nodes_.capacity() * sizeof(Node); }  ///< of memory, but for the waiters
  std::uint64_t moves() const { return moves_; }  ///< of waiters to another place, so far

 private:
  static constexpr int kDigitBits = 4;
  static constexpr std::uint32_t kFanOut = 1U << kDigitBits;
  static constexpr int kLastShift = Waiter::kPartitionBits;  // of the last digit in a When
  static constexpr int kDepthMax = (64 - kLastShift) / kDigitBits;
  static constexpr std::uint32_t kNodeBit = 0x8000'0000;

  /// A bucket, or another node.
  struct Slot {
    bool is_node() const { return (id & kNodeBit) != 0; }
    std::uint32_t id = 0;  // of the node, with kNodeBit; or of the first chunk, the only one that is not full
    std::uint32_t count = 0;  // of waiters in the bucket
  };
  struct Node {
    std::uint32_t used = 0;  // a bit for each slot that is not empty; of an unused node: the next unused one
    Slot slots[kFanOut];
  };

  static std::uint32_t digit(Waiter::When when, int shift) {
    return static_cast<std::uint32_t>(when >> static_cast<unsigned>(shift)) % kFanOut;
  }
  static std::uint32_t in_first_chunk(const Slot& bucket) {
    return (bucket.count - 1) % Waiters::kPerChunk + 1;
  }
  Node& node(const Slot& slot) { return nodes_[slot.id & ~kNodeBit]; }
  /// Whether all digits above the root's are those of the others.
  bool fits(Waiter::When when) const {
    return shift_ + kDigitBits == 64 || (when ^ prefix_) >> static_cast<unsigned>(shift_ + kDigitBits) == 0;
  }
  void make_room();
  void raise();
  void lower();
  Ref push(Slot& bucket, const Waiter& waiter);
  void pop(Slot& bucket);
  void divide(Slot& bucket, int shift);
  template <class Visit>
  void for_chunks(Slot bucket, Visit visit) const;
  Ref least(const Slot& bucket) const;
  std::uint32_t new_node();
  void drop(std::uint32_t node);

  Waiters* waiters_;
  HashIndex* index_;
  Slot root_;
  int shift_ = kLastShift;   // of the digit at which the root divides
  Waiter::When prefix_ = 0;  // the digits above it
  std::vector<Node> nodes_;
  std::uint32_t unused_ = kNone;
  Ref first_ = kNone;  // what first() said, while it is true
  std::uint64_t moves_ = 0;
};

}  // namespace scheduler
