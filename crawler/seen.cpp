#include "crawler/seen.h"

#include <algorithm>

namespace crawler {
namespace {

/// Bits of the high half that a tag keeps: with the least bits of the place they name any bucket there can
/// be.
constexpr unsigned kPlaceBits = 24;
constexpr unsigned kTagShift = 64 - kPlaceBits;

}  // namespace

Seen::Seen(std::uint64_t octets_max, bool complete)
    : buckets_max_(std::clamp<std::size_t>(octets_max / sizeof(Bucket), kChunk, kChunk << kPlaceBits)),
      complete_(complete) {
  chunks_.push_back(std::make_unique<std::array<Bucket, kChunk>>());
  forgot_.assign(kChunk, false);
}

std::uint64_t Seen::tag_of(const base::Hash128& fingerprint) {
  const std::uint64_t low = fingerprint.low & ((std::uint64_t{1} << kTagShift) - 1);
  const std::uint64_t tag = ((fingerprint.high >> kLeastBits) << kTagShift) | low;
  return tag == 0 ? 1 : tag;
}

std::size_t Seen::place(std::uint64_t hash) const {
  const std::size_t short_place = hash & ((std::uint64_t{1} << bits_) - 1);
  return short_place >= split_ ? short_place : hash & ((std::uint64_t{2} << bits_) - 1);
}

Seen::Answer Seen::contains(const base::Hash128& fingerprint) const {
  const std::size_t where = place(fingerprint.high);
  const Bucket& slots = bucket(where);
  if (std::ranges::find(slots, tag_of(fingerprint)) != slots.end()) return Answer::yes;
  return complete_ && !forgot_[where] ? Answer::no : Answer::ask_store;
}

void Seen::insert(const base::Hash128& fingerprint) {
  grow();
  const std::size_t where = place(fingerprint.high);
  Bucket& slots = bucket(where);
  if (slots.back() == 0) {
    ++held_;
  } else {
    forgot_[where] = true;
  }
  std::shift_right(slots.begin(), slots.end(), 1);
  slots.front() = tag_of(fingerprint);
}

void Seen::erase(const base::Hash128& fingerprint) {
  const std::size_t where = place(fingerprint.high);
  Bucket& slots = bucket(where);
  const auto found = std::ranges::find(slots, tag_of(fingerprint));
  if (found == slots.end()) return;
  std::shift_left(found, slots.end(), 1);
  slots.back() = 0;
  --held_;
}

/// Begins to double when three of eight slots are in use (one bucket in 260 has overflowed by then), and goes
/// on until every bucket is split: until then the buckets to be split are twice as full as the others.
void Seen::grow() {
  if (held_ * 8 > buckets() * kSlots * 3) growing_ = true;
  for (std::size_t i = 0; growing_ && i < kSplitsPerInsert; ++i) {
    if (buckets() >= buckets_max_) {
      growing_ = false;
      return;
    }
    split_next();
  }
}

void Seen::split_next() {
  const std::size_t from = split_;
  const std::size_t to = buckets();
  if (to % kChunk == 0) chunks_.push_back(std::make_unique<std::array<Bucket, kChunk>>());
  forgot_.push_back(forgot_[from]);
  Bucket& old = bucket(from);
  Bucket stay{};
  Bucket move{};
  std::size_t stays = 0;
  std::size_t moves = 0;
  const std::uint64_t bit = std::uint64_t{1} << (kTagShift + bits_ - kLeastBits);
  for (const std::uint64_t tag : old) {
    if (tag == 0) break;
    if ((tag & bit) != 0) {
      move[moves++] = tag;
    } else {
      stay[stays++] = tag;
    }
  }
  old = stay;
  (*chunks_[to / kChunk])[to % kChunk] = move;
  if (++split_ == std::size_t{1} << bits_) {
    ++bits_;
    split_ = 0;
    growing_ = false;
  }
}

std::size_t Seen::octets() const {
  return chunks_.size() * sizeof(std::array<Bucket, kChunk>) + forgot_.capacity() / 8;
}

}  // namespace crawler
