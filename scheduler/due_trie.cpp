#include "scheduler/due_trie.h"

#include <bit>

namespace scheduler {

DueTrie::Ref DueTrie::add(const Waiter& waiter) {
  make_room();
  if (!root_.is_node() && root_.count == 0) {
    prefix_ = waiter.when;
    shift_ = kLastShift;
  }
  while (!fits(waiter.when)) raise();
  Slot* slot = &root_;
  for (int shift = shift_;; shift -= kDigitBits) {
    if (!slot->is_node()) {
      if (slot->count < kBucketMax || shift < kLastShift) break;
      divide(*slot, shift);
    }
    Node& below = node(*slot);
    const std::uint32_t next = digit(waiter.when, shift);
    below.used |= 1U << next;
    slot = &below.slots[next];
  }
  const Ref ref = push(*slot, waiter);
  if (first_ != kNone && waiter.when < (*waiters_)[first_].when) first_ = ref;
  return ref;
}

void DueTrie::remove(Ref ref) {
  first_ = kNone;
  const Waiter::When when = (*waiters_)[ref].when;
  Slot* path[kDepthMax];
  int depth = 0;
  Slot* slot = &root_;
  for (int shift = shift_; slot->is_node(); shift -= kDigitBits) {
    path[depth++] = slot;
    slot = &node(*slot).slots[digit(when, shift)];
  }
  // The last one fills the gap.
  const Ref last = Waiters::ref(slot->id, in_first_chunk(*slot) - 1);
  if (last != ref) {
    (*waiters_)[ref] = (*waiters_)[last];
    index_->move((*waiters_)[ref].origin, last, ref);
    ++moves_;
  }
  pop(*slot);
  if (slot->count > 0) return;
  while (depth > 0) {
    Slot& above = *path[--depth];
    Node& emptier = node(above);
    emptier.used &= ~(1U << digit(when, shift_ - depth * kDigitBits));
    if (emptier.used != 0) break;
    drop(above.id & ~kNodeBit);
    above = {};
  }
  lower();
}

DueTrie::Ref DueTrie::first() {
  if (first_ != kNone) return first_;
  make_room();
  Slot* slot = &root_;
  for (int shift = shift_;; shift -= kDigitBits) {
    if (!slot->is_node()) {
      if (slot->count == 0) return kNone;
      if (shift < kLastShift) return first_ = Waiters::ref(slot->id, in_first_chunk(*slot) - 1);
      if (slot->count <= kFirstMax) return first_ = least(*slot);
      divide(*slot, shift);
    }
    Node& below = node(*slot);
    slot = &below.slots[std::countr_zero(below.used)];
  }
}

/// So that no node moves while a way leads through them.
void DueTrie::make_room() {
  const std::size_t wanted = nodes_.size() + 2 * kDepthMax;
  if (nodes_.capacity() < wanted) nodes_.reserve(2 * wanted);
}

/// The root looks at one more digit.
void DueTrie::raise() {
  shift_ += kDigitBits;
  if (!root_.is_node()) return;
  const std::uint32_t id = new_node();
  const std::uint32_t only = digit(prefix_, shift_);
  nodes_[id].used = 1U << only;
  nodes_[id].slots[only] = root_;
  root_ = Slot{id | kNodeBit, 0};
}

/// The root no longer looks at digits that all have in common.
void DueTrie::lower() {
  while (root_.is_node() && std::has_single_bit(node(root_).used)) {
    const std::uint32_t id = root_.id & ~kNodeBit;
    const auto only = static_cast<std::uint32_t>(std::countr_zero(nodes_[id].used));
    const auto shift = static_cast<unsigned>(shift_);
    prefix_ = (prefix_ & ~(Waiter::When{kFanOut - 1} << shift)) | Waiter::When{only} << shift;
    root_ = nodes_[id].slots[only];
    shift_ -= kDigitBits;
    drop(id);
  }
}

DueTrie::Ref DueTrie::push(Slot& bucket, const Waiter& waiter) {
  const std::uint32_t place = bucket.count % Waiters::kPerChunk;
  if (place == 0) bucket.id = waiters_->take(bucket.id);
  ++bucket.count;
  const Ref ref = Waiters::ref(bucket.id, place);
  (*waiters_)[ref] = waiter;
  return ref;
}

void DueTrie::pop(Slot& bucket) {
  if (in_first_chunk(bucket) == 1) {
    const Waiters::Chunk empty = bucket.id;
    bucket.id = waiters_->next(empty);
    waiters_->give_back(empty);
  }
  if (--bucket.count == 0) bucket = {};
}

/// Calls visit(chunk, waiters in it) for each chunk of the bucket, which may give it back. The next one is on
/// its way then.
template <class Visit>
void DueTrie::for_chunks(Slot bucket, Visit visit) const {
  while (bucket.count > 0) {
    const std::uint32_t here = in_first_chunk(bucket);
    const Waiters::Chunk chunk = bucket.id;
    bucket.count -= here;
    bucket.id = waiters_->next(chunk);
    if (bucket.count > 0) waiters_->prefetch(bucket.id);
    visit(chunk, here);
  }
}

/// Makes the bucket a node with buckets below it. Where all come into the same one, it stays as it is.
void DueTrie::divide(Slot& bucket, int shift) {
  first_ = kNone;
  const Slot whole = bucket;
  std::uint32_t digits = 0;  // a bit for each
  for_chunks(whole, [&](Waiters::Chunk chunk, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Waiter& waiter = (*waiters_)[Waiters::ref(chunk, i)];
      digits |= 1U << digit(waiter.when, shift);
    }
  });
  const std::uint32_t id = new_node();
  bucket = Slot{id | kNodeBit, 0};
  Node& below = nodes_[id];
  below.used = digits;
  if (std::has_single_bit(digits)) {
    below.slots[std::countr_zero(digits)] = whole;
    return;
  }
  for_chunks(whole, [&](Waiters::Chunk chunk, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) index_->prefetch((*waiters_)[Waiters::ref(chunk, i)].origin);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Ref from = Waiters::ref(chunk, i);
      const Waiter waiter = (*waiters_)[from];
      const Ref to = push(below.slots[digit(waiter.when, shift)], waiter);
      index_->move(waiter.origin, from, to);
    }
    waiters_->give_back(chunk);
  });
  moves_ += whole.count;
}

DueTrie::Ref DueTrie::least(const Slot& bucket) const {
  Ref least = Waiters::ref(bucket.id, 0);
  for_chunks(bucket, [&](Waiters::Chunk chunk, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Ref ref = Waiters::ref(chunk, i);
      if ((*waiters_)[ref].when < (*waiters_)[least].when) least = ref;
    }
  });
  return least;
}

std::uint32_t DueTrie::new_node() {
  if (unused_ == kNone) {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t id = unused_;
  unused_ = nodes_[id].used;
  nodes_[id] = {};
  return id;
}

void DueTrie::drop(std::uint32_t node) {
  nodes_[node].used = unused_;
  unused_ = node;
}

}  // namespace scheduler
