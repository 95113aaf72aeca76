#include "crawler/seen.h"

#include <algorithm>
#include <utility>

namespace crawler {
namespace {

/// Of a chain when memory is full, about: the newest is half empty, and each has to be fetched when what is
/// looked for is not there.
constexpr std::size_t kChainBlocks = 6;

std::uint32_t low_of(const base::Hash128& fingerprint) {
  return static_cast<std::uint32_t>(fingerprint.low);
}

std::uint16_t high_of(const base::Hash128& fingerprint) {
  return static_cast<std::uint16_t>(fingerprint.low >> 32U);
}

}  // namespace

Seen::Seen(std::uint64_t octets_max, bool complete) : complete_(complete) {
  const std::uint64_t most = std::uint64_t{kNone} * sizeof(Block);
  const std::size_t octets = std::clamp<std::uint64_t>(octets_max, kOctetsMin, most);
  chains_.resize(octets / (kChainBlocks * sizeof(Block)));
  blocks_max_ = (octets - chains_.size() * sizeof(Chain)) / sizeof(Block);
}

std::size_t Seen::place_of(const base::Hash128& fingerprint) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>((Wide{fingerprint.high} * chains_.size()) >> 64U);
}

Seen::Slot Seen::find(const Chain& chain, const base::Hash128& fingerprint) const {
  const std::uint32_t low = low_of(fingerprint);
  const std::uint16_t high = high_of(fingerprint);
  std::size_t used = chain.used;
  for (std::uint32_t number = chain.newest; number != kNone; number = block(number).older) {
    const Block& slots = block(number);
    for (std::size_t i = 0; i < used; ++i) {
      if (slots.low[i] == low && slots.high[i] == high) return {number, i};
    }
    used = kSlots;
  }
  return {};
}

Seen::Answer Seen::contains(const base::Hash128& fingerprint) const {
  const Chain& chain = chains_[place_of(fingerprint)];
  if (find(chain, fingerprint).block != kNone) return Answer::yes;
  return complete_ && !chain.forgot ? Answer::no : Answer::ask_store;
}

void Seen::insert(const base::Hash128& fingerprint) {
  Chain& chain = chains_[place_of(fingerprint)];
  if (chain.used == kSlots) {
    std::uint32_t fresh = free_block();
    if (fresh == kNone) fresh = oldest_block(chain);
    if (fresh == kNone) return;
    block(fresh).older = chain.newest;
    chain.newest = fresh;
    chain.used = 0;
  }
  Block& slots = block(chain.newest);
  slots.low[chain.used] = low_of(fingerprint);
  slots.high[chain.used] = high_of(fingerprint);
  ++chain.used;
  ++held_;
}

void Seen::erase(const base::Hash128& fingerprint) {
  Chain& chain = chains_[place_of(fingerprint)];
  const Slot found = find(chain, fingerprint);
  if (found.block == kNone) return;
  const std::uint32_t number = chain.newest;
  Block& newest = block(number);
  --chain.used;
  --held_;
  block(found.block).low[found.place] = newest.low[chain.used];
  block(found.block).high[found.place] = newest.high[chain.used];
  if (chain.used > 0) return;
  chain.newest = std::exchange(newest.older, std::exchange(free_, number));
  chain.used = kSlots;
}

/// kNone when memory is full.
std::uint32_t Seen::free_block() {
  if (free_ != kNone) return std::exchange(free_, block(free_).older);
  if (blocks_ >= blocks_max_) return kNone;
  if (blocks_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<std::array<Block, kChunk>>());
  return blocks_++;
}

/// What the chain has held longest is forgotten. kNone when it holds nothing.
std::uint32_t Seen::oldest_block(Chain& chain) {
  chain.forgot = true;
  std::uint32_t* last = &chain.newest;
  if (*last == kNone) return kNone;
  while (block(*last).older != kNone) last = &block(*last).older;
  held_ -= kSlots;
  return std::exchange(*last, kNone);
}

std::size_t Seen::octets() const {
  return chunks_.size() * sizeof(std::array<Block, kChunk>) + chains_.size() * sizeof(Chain);
}

}  // namespace crawler
