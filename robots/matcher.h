#pragma once
// Which of a file's rules decides about a target. Rules are filed under their literal head: the heads that a
// target begins with are one chain, found by one binary search. Rules of which the head already says all are
// summed up along the chain; the others are tried in order of rank, behind cheap tests that say no.
#include "robots/glob.h"
#include "robots/order.h"
#include "robots/pattern.h"
#include "robots/segments.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// With at most this many `*` rules, of segments not longer than kShortSegment, each is simply tried.
inline constexpr std::size_t kFewStarRules = 16;
inline constexpr std::size_t kShortSegment = 64;
/// With at most this many `*` rules, none is asked first whether its octets are in the target at all.
inline constexpr std::size_t kUnasked = 8;
/// In other files, octets searched rule by rule before the rest goes through the SegmentIndex.
inline constexpr std::size_t kTriedOctetsMax = 64 * 1024;

class Matcher {
 public:
  struct Entry {
    Pattern pattern;
    bool allow = false;
  };

  Matcher() = default;
  /// `entries` in order of rank: the first that matches decides. `sets`: those that their tokens name.
  Matcher(const std::vector<Entry>& entries, std::vector<UnitSet> sets);

  /// The number of the deciding entry; kNone when none matches. `target` is canonical. When kGlobStepsMax
  /// runs out, the remaining globs are taken strictly: a Disallow as matching, an Allow as not.
  std::uint32_t find(std::string_view target) const;

  std::size_t octets() const;  ///< of memory, roughly

 private:
  /// All rules with one head.
  struct Node {
    Slice head;
    std::uint32_t parent = kNone;  ///< the longest other head that this one begins with
    std::uint32_t prefix = kNone;  ///< best rank of the prefix rules, those of the parents included
    std::uint32_t exact = kNone;   ///< best rank of its exact rules
    std::uint32_t first_wild = 0;  ///< its stars and globs, by rank
    std::uint32_t last_wild = 0;
    std::uint32_t wild_parent = kNone;  ///< the nearest parent with some
  };
  /// A rule with stars, or a glob.
  struct Wild {
    std::uint32_t rank = 0;
    std::uint32_t least = 0;               ///< octets of the shortest target that it matches
    std::array<std::uint64_t, 2> needs{};  ///< octets that its target has
    Slice tail;
    std::uint32_t first = 0;  ///< its segments, or its tokens
    std::uint32_t last = 0;
    std::uint32_t head_size = 0;
    bool glob = false;
    bool allow = false;
  };
  /// What one check has learnt about its target.
  struct Search;

  std::vector<Keyed> order_by_head(const std::vector<Entry>& entries);
  void add_node(const std::vector<Entry>& entries, std::span<const Keyed> ranks);
  void add_wild(const Entry& entry, std::uint32_t rank);
  Slice keep(std::string_view octets);
  std::uint32_t find_node(std::string_view target) const;
  void try_stars(const Node& node, Search& search) const;
  void try_globs(const Node& node, GlobText& glob_text, Search& search) const;
  void find_glob(std::uint32_t node, Search& search) const;
  bool matches_stars(const Wild& wild, std::string_view target) const;

  std::string text_;                 ///< heads, segments, tails
  std::size_t common_ = 0;           ///< octets with which all heads begin
  std::vector<Node> nodes_;          ///< by head
  std::vector<std::uint64_t> keys_;  ///< of each node: the eight octets of its head behind the common ones
  std::vector<Wild> wilds_;
  std::vector<Slice> segments_;
  std::vector<Token> tokens_;
  std::vector<UnitSet> sets_;
  std::unique_ptr<const SegmentIndex> index_;  ///< null for files with few `*` rules
};

}  // namespace robots
