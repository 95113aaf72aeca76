#include "robots/segments.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace robots {

SegmentIndex::SegmentIndex(std::string_view text, std::span<const Slice> segments, std::size_t rules)
    : place_of_(segments.size()), waiter_(rules) {
  std::vector<std::uint32_t> order(segments.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return segments[i].of(text); });
  std::vector<Slice> unique;
  for (const std::uint32_t i : order) {
    if (unique.empty() || unique.back().of(text) != segments[i].of(text)) unique.push_back(segments[i]);
    place_of_[i] = static_cast<std::uint32_t>(unique.size() - 1);  // not yet a place: its number in order
  }
  const std::vector<std::uint32_t> node_of = grow(text, unique);
  link();
  for (const Slice& segment : unique) size_.push_back(segment.size);
  lay_paths(node_of);
  list_.assign(unique.size(), kNone);
  awaited_.assign(unique.size() / 64 + 1, 0);
}

/// Builds the trie of `unique`, which is sorted: each node stands for a range of it. Returns the node of
/// each.
std::vector<std::uint32_t> SegmentIndex::grow(std::string_view text, std::span<const Slice> unique) {
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t depth = 0;
  };
  std::vector<std::uint32_t> node_of(unique.size());
  std::vector<Range> ranges{{0, static_cast<std::uint32_t>(unique.size()), 0}};
  label_.push_back('\0');
  found_.push_back(kNone);
  for (std::size_t node = 0; node < ranges.size(); ++node) {
    auto [i, end, depth] = ranges[node];
    first_child_.push_back(static_cast<std::uint32_t>(ranges.size()));
    if (i < end && unique[i].size == depth) {
      node_of[i] = static_cast<std::uint32_t>(node);
      found_[node] = i++;
    }
    while (i < end) {
      const char label = unique[i].of(text)[depth];
      const std::uint32_t begin = i;
      while (i < end && unique[i].of(text)[depth] == label) ++i;
      ranges.push_back({begin, i, depth + 1});
      label_.push_back(label);
      found_.push_back(kNone);
    }
  }
  first_child_.push_back(static_cast<std::uint32_t>(ranges.size()));
  return node_of;
}

/// Gives each node its longest proper suffix that is a node, and the longest segment that ends there.
void SegmentIndex::link() {
  fail_.assign(label_.size(), 0);
  for (std::uint32_t node = 0; node < label_.size(); ++node) {
    if (found_[node] == kNone) found_[node] = found_[fail_[node]];
    for (std::uint32_t below = first_child_[node]; below < first_child_[node + 1]; ++below) {
      if (node == 0) continue;
      std::uint32_t suffix = fail_[node];
      std::uint32_t next = child(suffix, label_[below]);
      while (next == 0 && suffix != 0) {
        suffix = fail_[suffix];
        next = child(suffix, label_[below]);
      }
      fail_[below] = next;
    }
  }
}

/// Orders the segments by heavy paths of the tree "longest proper suffix", and turns their numbers into
/// places.
void SegmentIndex::lay_paths(std::span<const std::uint32_t> node_of) {
  const std::size_t count = size_.size();
  std::vector<std::uint32_t> by_size(count);
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::ranges::sort(by_size, {},
                    [&](std::uint32_t i) { return node_of[i]; });  // breadth first: shorter ones first
  std::vector<std::uint32_t> parent(count);
  for (std::size_t i = 0; i < count; ++i) parent[i] = found_[fail_[node_of[i]]];

  std::vector<std::uint32_t> weight(count, 1);
  std::vector<std::uint32_t> heavy(count, kNone);
  for (std::size_t k = count; k-- > 0;) {
    const std::uint32_t i = by_size[k];
    const std::uint32_t above = parent[i];
    if (above == kNone) continue;
    weight[above] += weight[i];
    if (heavy[above] == kNone || weight[heavy[above]] < weight[i]) heavy[above] = i;
  }

  std::vector<std::uint32_t> place(count, kNone);
  std::vector<std::uint32_t> size(count);
  top_.resize(count);
  up_.resize(count);
  std::uint32_t next = 0;
  for (const std::uint32_t first : by_size) {
    if (place[first] != kNone) continue;  // on the path of a shorter one
    const std::uint32_t top = next;
    for (std::uint32_t i = first; i != kNone; i = heavy[i]) {
      place[i] = next;
      size[next] = size_[i];
      top_[next] = top;
      up_[next] = parent[first] == kNone ? kNone : place[parent[first]];
      ++next;
    }
  }
  size_ = std::move(size);
  for (std::uint32_t& found : found_) found = found == kNone ? kNone : place[found];
  for (std::uint32_t& number : place_of_) number = place[number];
}

std::size_t SegmentIndex::octets() const {
  return sizeof *this + label_.capacity() +
         (first_child_.capacity() + fail_.capacity() + found_.capacity() + size_.capacity() +
          top_.capacity() + up_.capacity() + place_of_.capacity() + list_.capacity()) *
             sizeof(std::uint32_t) +
         waiter_.capacity() * sizeof(Waiter) + awaited_.capacity() * sizeof(std::uint64_t);
}

SegmentIndex::Walk::~Walk() {
  for (std::size_t word = 0; word < index_.awaited_.size(); ++word) {
    for (std::uint64_t bits = index_.awaited_[word]; bits != 0; bits &= bits - 1) {
      index_.list_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = kNone;
    }
    index_.awaited_[word] = 0;
  }
}

void SegmentIndex::Walk::add(std::uint32_t rank, std::uint32_t first, std::uint32_t last, std::size_t begin,
                             std::size_t limit) {
  assert(first < last && waiters_ < index_.waiter_.size());
  const auto from = static_cast<std::uint32_t>(begin);
  const std::uint32_t ready = from + index_.size_[index_.place_of_[first]];
  index_.waiter_[waiters_] = {kNone, first, last, ready, static_cast<std::uint32_t>(limit), rank};
  wait(waiters_++);
  ++waiting_;
  begin_ = std::min(begin_, from);
}

void SegmentIndex::Walk::wait(std::uint32_t waiter) {
  const std::uint32_t place = index_.place_of_[index_.waiter_[waiter].segment];
  index_.waiter_[waiter].next = index_.list_[place];
  index_.list_[place] = waiter;
  index_.awaited_[place / 64] |= std::uint64_t{1} << (place % 64);
}

/// The segment at `place` ends at `end`: those that wait for it move on.
void SegmentIndex::Walk::visit(std::uint32_t place, std::uint32_t end) {
  std::uint32_t number = index_.list_[place];
  index_.list_[place] = kNone;
  index_.awaited_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
  while (number != kNone) {
    Waiter& waiter = index_.waiter_[number];
    const std::uint32_t next = waiter.next;
    if (waiter.rank < best_ && end <= waiter.limit) {
      if (end < waiter.ready) {
        wait(number);
        number = next;
        continue;
      }
      if (++waiter.segment != waiter.last) {
        waiter.ready = end + index_.size_[index_.place_of_[waiter.segment]];
        wait(number);
        number = next;
        continue;
      }
      best_ = waiter.rank;
    }
    --waiting_;
    number = next;
  }
}

/// All segments that end at `end`: the one at `place` and those that are suffixes of it.
void SegmentIndex::Walk::visit_all(std::uint32_t place, std::uint32_t end) {
  for (; place != kNone; place = index_.up_[place]) {
    const std::uint32_t top = index_.top_[place];
    for (std::uint32_t word = top / 64; word <= place / 64; ++word) {
      std::uint64_t bits = index_.awaited_[word];
      if (word == top / 64) bits &= ~std::uint64_t{0} << (top % 64);
      if (word == place / 64) bits &= ~std::uint64_t{0} >> (63 - place % 64);
      for (; bits != 0; bits &= bits - 1)
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)), end);
    }
  }
}

std::uint32_t SegmentIndex::Walk::run(std::string_view target, std::uint32_t best) {
  best_ = best;
  std::uint32_t node = 0;
  for (std::size_t i = begin_; i < target.size() && waiting_ > 0; ++i) {
    std::uint32_t next = index_.child(node, target[i]);
    while (next == 0 && node != 0) {
      node = index_.fail_[node];
      next = index_.child(node, target[i]);
    }
    node = next;
    visit_all(index_.found_[node], static_cast<std::uint32_t>(i + 1));
  }
  return best_;
}

}  // namespace robots
