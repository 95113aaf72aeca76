#include "scheduler/hash_index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace scheduler {
namespace {

// While one of eight groups is added, and each of them settles once, an add() takes so many: growing is over
// when the origins have become a fortieth more.
constexpr int kAddedAtATime = 8;
constexpr int kSettledAtATime = 4;

}  // namespace

std::uint32_t HashIndex::Group::with(Tag tag) const {
  // Octets of which eight are compared at once: the highest bit of each says that it is zero.
  const auto zeros = [](std::uint64_t word) {
    constexpr std::uint64_t kLow = 0x7f7f'7f7f'7f7f'7f7fU;
    return ~(((word & kLow) + kLow) | word | kLow);
  };
  // Bits 7, 15, ... 63 go to 0, 1, ... 7.
  const auto packed = [](std::uint64_t bits) { return (bits >> 7U) * 0x0102'0408'1020'4080U >> 56U; };
  std::uint64_t words[2] = {};
  static_assert(sizeof(tags) == 12 && std::endian::native == std::endian::little);
  std::memcpy(words, tags, sizeof(tags));
  const std::uint64_t all = tag * 0x0101'0101'0101'0101U;
  const std::uint64_t mask = packed(zeros(words[0] ^ all)) | packed(zeros(words[1] ^ all)) << 8U;
  return static_cast<std::uint32_t>(mask) & ((1U << kPerGroup) - 1);
}

HashIndex::HashIndex(const Waiters& waiters) : waiters_(&waiters) {
  groups_.push_back({});
}

HashIndex::Ref HashIndex::find(const base::Hash128& origin) const {
  const Tag wanted = tag(origin);
  for (std::size_t at = home(origin);; ++at) {
    const Group& group = groups_[at];
    for (std::uint32_t slots = group.with(wanted); slots != 0; slots &= slots - 1) {
      const Ref ref = group.refs[std::countr_zero(slots)];
      if ((*waiters_)[ref].origin == origin) return ref;
    }
    if (group.passed == 0) return Waiters::kNone;
  }
}

void HashIndex::add(const base::Hash128& origin, Ref ref) {
  grow_some();
  enter(origin, ref);
  ++size_;
}

void HashIndex::remove(const base::Hash128& origin, Ref ref) {
  leave(origin, ref);
  --size_;
}

void HashIndex::move(const base::Hash128& origin, Ref from, Ref to) {
  const Place found = place(origin, from);
  groups_[found.group].refs[found.slot] = to;
}

HashIndex::Place HashIndex::place(const base::Hash128& origin, Ref ref) const {
  const Tag wanted = tag(origin);
  for (std::size_t at = home(origin);; ++at) {
    const Group& group = groups_[at];
    for (std::uint32_t slots = group.with(wanted); slots != 0; slots &= slots - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(slots));
      if (group.refs[slot] == ref) return {at, slot};
    }
    assert(group.passed > 0);
  }
}

void HashIndex::enter(const base::Hash128& origin, Ref ref) {
  for (std::size_t at = home(origin);; ++at) {
    if (at == groups_.size()) groups_.push_back({});
    Group& group = groups_[at];
    if (const std::uint32_t free = group.with(kFree); free != 0) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(free));
      group.tags[slot] = tag(origin);
      group.refs[slot] = ref;
      return;
    }
    ++group.passed;
  }
}

void HashIndex::leave(const base::Hash128& origin, Ref ref) {
  const Place found = place(origin, ref);
  for (std::size_t at = home(origin); at < found.group; ++at) --groups_[at].passed;
  groups_[found.group].tags[found.slot] = kFree;
}

/// The part of growing that is due with one add().
void HashIndex::grow_some() {
  if (wanted_ == count_) {
    if (static_cast<double>(size_) < kLoadMax * static_cast<double>(kPerGroup * count_)) return;
    wanted_ = count_ + count_ / 8 + 1;
  }
  for (int added = 0; groups_.size() < wanted_; ++added) {
    if (added == kAddedAtATime) return;
    groups_.push_back({});
  }
  for (int settled = 0; settled < kSettledAtATime && settled_ > 0; ++settled) settle(settled_ - 1);
  // The origins of those that are next are on their way until then.
  for (std::size_t at = settled_ - std::min<std::size_t>(settled_, kSettledAtATime); at < settled_; ++at) {
    for (const Ref ref : groups_[at].refs) waiters_->prefetch_waiter(ref);
  }
  if (settled_ > 0) return;
  count_ = wanted_;
  settled_ = count_;
}

/// Those whose home is `group` go to their new one. None of a later home is in the way: they have gone
/// before, and a new home is never before the old one.
void HashIndex::settle(std::size_t group) {
  settling_.clear();
  for (std::size_t at = group;; ++at) {
    for (std::size_t slot = 0; slot < kPerGroup; ++slot) {
      if (groups_[at].tags[slot] == kFree) continue;
      const Ref ref = groups_[at].refs[slot];
      if (scaled((*waiters_)[ref].origin, count_) == group) settling_.push_back(ref);
    }
    if (groups_[at].passed == 0) break;
  }
  for (const Ref ref : settling_) leave((*waiters_)[ref].origin, ref);
  settled_ = group;
  for (const Ref ref : settling_) enter((*waiters_)[ref].origin, ref);
  moves_ += settling_.size();
}

}  // namespace scheduler
