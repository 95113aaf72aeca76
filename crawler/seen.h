#pragma once
// Which URLs were seen, as far as memory knows: in front of the store, which knows all of them. Most links of
// a page lead to what was seen before, and a look at the disk for each would cost more than all else.
#include "base/hash.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace crawler {

/// A bounded set of fingerprints that forgets when it is full, and knows where it has forgotten: elsewhere,
/// what it does not hold was never seen. Each that it holds takes some 7 octets when much is held, and no
/// call takes long: nothing is ever moved to make room. One thread.
///
/// Some bits of a fingerprint name a chain of blocks, each a cache line, and 48 others are kept there. So a
/// new URL is taken for one of the sixty or so in its chain once in 4 * 10^12 times: of 50 million URLs, one
/// is lost in some hundred thousand crawls.
class Seen {
 public:
  enum class Answer { yes, no, ask_store };

  /// `octets_max`: of memory; at least kOctetsMin are used. `complete`: nothing has been seen so far. False
  /// when the store holds URLs of an earlier run: what is not held has to be asked for until it is.
  Seen(std::uint64_t octets_max, bool complete);

  static constexpr std::size_t kOctetsMin = std::size_t{64} * 1024;

  Answer contains(const base::Hash128& fingerprint) const;
  /// The fingerprint is not held.
  void insert(const base::Hash128& fingerprint);
  /// It was not seen after all; nothing happens when it is not held.
  void erase(const base::Hash128& fingerprint);

  std::size_t octets() const;
  std::size_t held() const { return held_; }

 private:
  static constexpr std::size_t kSlots = 10;
  static constexpr std::size_t kChunk = 1024;  ///< blocks that are made together
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Of a chain, only the newest block may have free slots, behind those in use.
  struct alignas(64) Block {
    std::array<std::uint32_t, kSlots> low;
    std::array<std::uint16_t, kSlots> high;
    std::uint32_t older;  ///< the next of the chain; kNone: there is none
  };
  static_assert(sizeof(Block) == 64);

  struct Chain {
    std::uint32_t newest = kNone;
    std::uint8_t used = kSlots;  ///< slots of the newest
    bool forgot = false;
  };

  struct Slot {
    std::uint32_t block = kNone;  ///< not held
    std::size_t place = 0;
  };

  Block& block(std::uint32_t number) { return (*chunks_[number / kChunk])[number % kChunk]; }
  const Block& block(std::uint32_t number) const { return (*chunks_[number / kChunk])[number % kChunk]; }
  std::size_t place_of(const base::Hash128& fingerprint) const;
  Slot find(const Chain& chain, const base::Hash128& fingerprint) const;
  std::uint32_t free_block();
  std::uint32_t oldest_block(Chain& chain);

  std::size_t blocks_max_ = 0;
  bool complete_;
  std::size_t held_ = 0;
  std::uint32_t blocks_ = 0;
  std::uint32_t free_ = kNone;  ///< a chain of blocks that erase() has emptied
  std::vector<Chain> chains_;
  std::vector<std::unique_ptr<std::array<Block, kChunk>>> chunks_;
};

}  // namespace crawler
