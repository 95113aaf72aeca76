#pragma once
// Where an origin is, by its hash: one cache line a look-up, 6 to 7 octets an origin, and growing by small
// steps, so that nobody waits for it.
#include "base/hash.h"
#include "scheduler/waiters.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scheduler {

/// An open-addressing table of groups of twelve references with a tag of 8 bits each. An origin that finds
/// its group full goes to the next one; each group counts those that went past it, so that a search knows
/// when to end, and nothing is left behind where one is removed.
///
/// The home of an origin is its hash scaled to the number of groups, so that a larger table has the same
/// order as a smaller one: it grows in place by an eighth, from its end to its beginning, some groups with
/// each add(). `settled_` is how far it has come. It never shrinks. One thread.
class HashIndex {
 public:
  using Ref = Waiters::Ref;
  /// Of the places at which growing begins; it ends before 19/20 are in use.
  static constexpr double kLoadMax = 0.9;

  /// `waiters` is where the references lead, and must outlive the index.
  explicit HashIndex(const Waiters& waiters);

  /// kNone when it is not there.
  Ref find(const base::Hash128& origin) const;
  /// `origin` is not there yet, and waiters[ref] is it.
  void add(const base::Hash128& origin, Ref ref);
  /// It is there, as `ref`.
  void remove(const base::Hash128& origin, Ref ref);
  void move(const base::Hash128& origin, Ref from, Ref to);
  /// Tells the processor that `origin` is going to be looked for.
  void prefetch(const base::Hash128& origin) const { __builtin_prefetch(&groups_[home(origin)]); }

  std::size_t size() const { return size_; }
  std::size_t octets() const { return groups_.octets(); }  ///< of memory
  /// References that growing has moved so far.
  std::uint64_t moves() const { return moves_; }

 private:
  static constexpr std::size_t kPerGroup = 12;
  using Tag = std::uint8_t;
  static constexpr Tag kFree = 0;

  struct alignas(64) Group {
    /// A bit for each slot with this tag.
    std::uint32_t with(Tag tag) const;
    Tag tags[kPerGroup] = {};
    std::uint32_t passed = 0;  // those whose home is here or before, but whose place is behind
    Ref refs[kPerGroup] = {};
  };
  static_assert(sizeof(Group) == 64);
  struct Place {
    std::size_t group;
    std::size_t slot;
  };

  static Tag tag(const base::Hash128& origin) {
    const auto tag = static_cast<Tag>(origin.high);
    return tag == kFree ? Tag{1} : tag;
  }
  static std::size_t scaled(const base::Hash128& origin, std::size_t groups) {
    return (origin.low >> 32U) * groups >> 32U;
  }
  std::size_t home(const base::Hash128& origin) const {
    const std::size_t group = scaled(origin, count_);
    return group < settled_ ? group : scaled(origin, wanted_);
  }
  Place place(const base::Hash128& origin, Ref ref) const;
  void enter(const base::Hash128& origin, Ref ref);
  void leave(const base::Hash128& origin, Ref ref);
  void grow_some();
  void settle(std::size_t group);

  const Waiters* waiters_;
  Blocks<Group> groups_;     // those behind `wanted_` are for what finds no room in the last ones
  std::size_t count_ = 1;    // of groups, before growing
  std::size_t wanted_ = 1;   // of groups, after it
  std::size_t settled_ = 1;  // homes below this one are by `count_`, the others by `wanted_`
  std::vector<Ref> settling_;
  std::size_t size_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace scheduler
