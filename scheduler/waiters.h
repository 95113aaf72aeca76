#pragma once
// The memory of a Calendar: entries of 24 octets in chunks, which the buckets of a DueTrie take and give
// back.
#include "base/hash.h"
#include "scheduler/blocks.h"

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace scheduler {

/// An origin, and when it is due.
struct Waiter {
  /// Instant and partition in one number that sorts by the instant: a tick of 48 bits, then 16 bits.
  using When = std::uint64_t;
  static constexpr int kPartitionBits = 16;

  base::Hash128 origin;
  When when = 0;
};
static_assert(sizeof(Waiter) == 24);

/// Chunks of kPerChunk waiters, each with a number of another chunk, so that they make lists. What is given
/// back is used again, never freed. One thread.
class Waiters {
 public:
  using Ref = std::uint32_t;    ///< of a waiter: its chunk and its place there
  using Chunk = std::uint32_t;  ///< the number of a chunk
  static constexpr Ref kNone = 0xffff'ffff;
  static constexpr std::uint32_t kPerChunk = 16;
  /// The chunks of 2^31 waiters.
  static constexpr Chunk kChunksMax = 0x8000'0000 / kPerChunk;

  static constexpr Ref ref(Chunk chunk, std::uint32_t place) { return chunk * kPerChunk + place; }

  Waiter& operator[](Ref ref) { return chunks_[ref / kPerChunk].waiters[ref % kPerChunk]; }
  const Waiter& operator[](Ref ref) const { return chunks_[ref / kPerChunk].waiters[ref % kPerChunk]; }

  /// The chunk behind this one in its list.
  Chunk next(Chunk chunk) const { return chunks_[chunk].next; }

  /// An unused chunk, in front of `next`.
  Chunk take(Chunk next) {
    Chunk chunk = unused_;
    if (chunk != kNone) {
      unused_ = chunks_[chunk].next;
    } else {
      assert(chunks_.size() < kChunksMax);
      chunk = static_cast<Chunk>(chunks_.size());
      chunks_.push_back({});
    }
    chunks_[chunk].next = next;
    return chunk;
  }
  void give_back(Chunk chunk) {
    chunks_[chunk].next = unused_;
    unused_ = chunk;
  }

  /// Tells the processor that it is wanted soon.
  void prefetch_waiter(Ref ref) const { __builtin_prefetch(&(*this)[ref]); }
  void prefetch(Chunk chunk) const {
    const auto* const octets = reinterpret_cast<const char*>(&chunks_[chunk]);
    for (std::size_t line = 0; line < sizeof(List); line += 64) __builtin_prefetch(octets + line);
  }

  std::size_t octets() const { return chunks_.octets(); }  ///< of memory

 private:
  struct List {
    Waiter waiters[kPerChunk];
    Chunk next = kNone;
  };

  Blocks<List> chunks_;
  Chunk unused_ = kNone;
};

}  // namespace scheduler
