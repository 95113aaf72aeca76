#pragma once
// All literal segments of a file's `*` rules, searched at once in one walk over the target, whatever the
// number of rules. Only files with many such rules, or long ones, need it (robots/matcher.h).
//
// An Aho-Corasick automaton finds which segments end at each place; each rule waits at the segment that it
// needs next. Segments that are suffixes of one another form a tree; it is cut into heavy paths, so that the
// segments with somebody waiting are found by scanning bits instead of walking the chain. One walk costs
// O(octets of the target x (log + depth / 64) + octets of all rules): no file makes it worse.
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace robots {

/// A part of a text that is known from elsewhere.
struct Slice {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::string_view of(std::string_view text) const { return text.substr(begin, size); }
};

inline constexpr std::uint32_t kNone = 0xFFFF'FFFF;

class SegmentIndex {
 public:
  /// `segments`: those of all rules, one rule after the other; none is empty. `text` holds them. `rules` is
  /// the number of rules that will wait at most.
  SegmentIndex(std::string_view text, std::span<const Slice> segments, std::size_t rules);

  /// One walk. Holds the index for its lifetime: it keeps the state there, so that checking allocates
  /// nothing.
  class Walk {
   public:
    explicit Walk(const SegmentIndex& index) : index_(index), lock_(index.mutex_) {}
    ~Walk();
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    /// A rule of rank `rank` needs the segments [first, last) in this order in the target's [begin, limit).
    void add(std::uint32_t rank, std::uint32_t first, std::uint32_t last, std::size_t begin,
             std::size_t limit);
    /// The least rank of those whose segments are all there; `best` when none has a lesser one.
    std::uint32_t run(std::string_view target, std::uint32_t best);

   private:
    void wait(std::uint32_t waiter);
    void visit(std::uint32_t place, std::uint32_t end);
    void visit_all(std::uint32_t place, std::uint32_t end);

    const SegmentIndex& index_;
    std::lock_guard<std::mutex> lock_;
    std::uint32_t waiters_ = 0;    ///< added
    std::uint32_t waiting_ = 0;    ///< neither done nor out
    std::uint32_t begin_ = kNone;  ///< first place that matters
    std::uint32_t best_ = kNone;
  };

  std::size_t octets() const;  ///< of memory

 private:
  struct Waiter {
    std::uint32_t next = kNone;  ///< in the list of those that wait at the same segment
    std::uint32_t segment = 0;   ///< the one it waits for
    std::uint32_t last = 0;      ///< behind its last one
    std::uint32_t ready = 0;     ///< least end of an occurrence that counts
    std::uint32_t limit = 0;     ///< largest
    std::uint32_t rank = 0;
  };

  /// The child of `node` by `label`; 0, the root, when there is none.
  std::uint32_t child(std::uint32_t node, char label) const {
    const std::uint32_t first = first_child_[node];
    const std::uint32_t count = first_child_[node + 1] - first;
    if (count == 0) return 0;
    const void* const found = std::memchr(&label_[first], label, count);
    return found == nullptr ? 0 : static_cast<std::uint32_t>(static_cast<const char*>(found) - label_.data());
  }
  std::vector<std::uint32_t> grow(std::string_view text, std::span<const Slice> unique);
  void link();
  void lay_paths(std::span<const std::uint32_t> node_of);

  // The automaton, breadth first: the children of a node are neighbours.
  std::vector<std::uint32_t> first_child_;
  std::vector<std::uint32_t> fail_;
  std::vector<std::uint32_t> found_;  ///< the longest segment that ends here, as its place; kNone
  std::vector<char> label_;
  // By place: segments, ordered so that each heavy path is a run of places, shorter suffixes first.
  std::vector<std::uint32_t> size_;
  std::vector<std::uint32_t> top_;       ///< where its path begins
  std::vector<std::uint32_t> up_;        ///< the longest proper suffix of the path's first segment; kNone
  std::vector<std::uint32_t> place_of_;  ///< of each segment that was given

  // State of the walk.
  mutable std::mutex mutex_;
  mutable std::vector<Waiter> waiter_;
  mutable std::vector<std::uint32_t> list_;     ///< by place: the first waiter
  mutable std::vector<std::uint64_t> awaited_;  ///< bits by place: somebody waits there
};

}  // namespace robots
