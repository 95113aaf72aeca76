#pragma once
// A 4-ary heap whose entries can be re-keyed and removed in O(log n). Four children a node: half the depth of
// a binary heap, and the children share a cache line.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace scheduler {

/// Least key first. The heap does not know where its owner keeps an entry's place: each call that moves
/// entries takes `place`, called as place(id, where) for every entry that has moved; kNowhere means gone.
template <class Key>
class IndexedHeap {
 public:
  using Id = std::uint32_t;
  using Place = std::uint32_t;
  static constexpr Place kNowhere = 0xffff'ffff;

  struct Entry {
    Key key{};
    Id id = 0;
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  const Entry& at(Place where) const { return entries_[where]; }

  /// Calls visit(place) for each entry right below `where`.
  template <class Visit>
  void for_children(Place where, Visit visit) const {
    const std::size_t first = std::size_t{where} * kChildren + 1;
    const std::size_t end = std::min(first + kChildren, entries_.size());
    for (std::size_t child = first; child < end; ++child) visit(static_cast<Place>(child));
  }

  template <class Tell>
  void push(const Key& key, Id id, Tell&& place) {
    entries_.push_back(Entry{key, id});
    rise(static_cast<Place>(entries_.size() - 1), Entry{key, id}, place);
  }

  template <class Tell>
  void update(Place where, const Key& key, Tell&& place) {
    assert(where < entries_.size());
    settle(where, Entry{key, entries_[where].id}, place);
  }

  template <class Tell>
  void erase(Place where, Tell&& place) {
    assert(where < entries_.size());
    place(entries_[where].id, kNowhere);
    const Entry last = entries_.back();
    entries_.pop_back();
    if (where < entries_.size()) settle(where, last, place);
    if (entries_.size() < entries_.capacity() / 4) entries_.shrink_to_fit();
  }

 private:
  static constexpr Place kChildren = 4;

  template <class Tell>
  void settle(Place where, const Entry& entry, Tell& place) {
    if (where > 0 && entry.key < entries_[(where - 1) / kChildren].key) {
      rise(where, entry, place);
    } else {
      sink(where, entry, place);
    }
  }

  template <class Tell>
  void rise(Place where, const Entry& entry, Tell& place) {
    while (where > 0) {
      const Place parent = (where - 1) / kChildren;
      if (!(entry.key < entries_[parent].key)) break;
      put(where, entries_[parent], place);
      where = parent;
    }
    put(where, entry, place);
  }

  template <class Tell>
  void sink(Place where, const Entry& entry, Tell& place) {
    for (;;) {
      const std::size_t first = std::size_t{where} * kChildren + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + kChildren, entries_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child].key < entries_[least].key) least = child;
      }
      if (!(entries_[least].key < entry.key)) break;
      put(where, entries_[least], place);
      where = static_cast<Place>(least);
    }
    put(where, entry, place);
  }

  template <class Tell>
  void put(Place where, const Entry entry, Tell& place) {
    entries_[where] = entry;
    place(entry.id, where);
  }

  std::vector<Entry> entries_;
};

}  // namespace scheduler
