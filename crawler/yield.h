#pragma once
// What the pages of one origin are worth: the brake on folders that give the same content again and again,
// and the cap of queries for one path. Pure; kept in the origin's record.
#include "base/random.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Counts pages and repeated ones below the prefixes of an origin: a path whose queries differ
/// (`/cal.php?`), the first two folders (`/shop/shoes/`), the first (`/shop/`), the origin (`/`). A prefix is
/// braked when of at least `brake_after` pages below it 90 in 100 had content that the site had shown before;
/// then one URL in kProbeEvery is visited, and when such probes bring new content the brake is off.
///
/// What is not counted: a folder tells those above it of a quarter of `brake_after` repeated pages and no
/// more, so that one trap does not brake the site around it; of new pages all. Counts are halved at four
/// times `brake_after`, so old ones fade. The table is bounded: when it is full, prefixes with little to
/// tell make room (Misra and Gries 1982).
///
/// Prefixes are kept as hashes of 32 bits. Two that collide share a fate within their origin, and harm nobody
/// else. One thread.
class Yield {
 public:
  /// Prefixes that are counted beside the origin itself.
  static constexpr std::size_t kPrefixesMax = 16;
  /// Paths whose queries are counted.
  static constexpr std::size_t kPathsMax = 16;
  /// encode() is no longer than this; of an origin without repeated pages and queries it is 4 octets or so.
  static constexpr std::size_t kOctetsMax = 450;
  /// Of the URLs below a braked prefix one in so many is visited all the same.
  static constexpr std::uint64_t kProbeEvery = 20;

  struct Brake {
    std::string what;  ///< the prefix: `/shop/`, `/cal.php?`, `/` for the whole origin
    std::uint64_t pages = 0;
    std::uint64_t repeated = 0;
  };

  /// A page was stored. `target`: its path and query. `repeated`: its content was known in this site.
  /// `brake_after`: of config::Traps; 0 notes nothing.
  void note(std::string_view target, bool repeated, std::uint32_t brake_after);

  /// Why `target` is braked; nothing when it is not. The nearest prefix with enough pages decides.
  std::optional<Brake> brake_of(std::string_view target, std::uint32_t brake_after) const;

  /// Whether a URL that is braked is visited nevertheless.
  static bool lets_through(base::Random& random) { return random.below(kProbeEvery) == 0; }

  /// A new URL with a query is about to be accepted: false when `path` (without the query) has had `most`.
  /// Counts it when true. Never false too early; of n URLs in all, up to n / 17 too many may be let in when
  /// more than kPathsMax paths have queries.
  bool admit_query(std::string_view path, std::uint64_t most);

  /// For the origin's record; decode() takes any octets, and says when they are not a Yield.
  std::string encode() const;
  static std::optional<Yield> decode(std::string_view octets);

 private:
  struct Count {
    std::uint32_t pages = 0;
    std::uint32_t repeated = 0;

    bool enough(std::uint32_t brake_after) const { return brake_after > 0 && pages >= brake_after; }
    bool braked(std::uint32_t brake_after) const;
    void add(bool is_repeated, std::uint32_t brake_after);
  };
  struct Prefix {
    std::uint32_t hash = 0;
    Count count;
  };
  struct Path {
    std::uint32_t hash = 0;
    std::uint64_t queries = 0;
  };

  template <class Self>
  static auto find(Self& self, std::string_view prefix) -> decltype(&self.origin_);
  Count* take(std::string_view prefix, bool repeated, std::uint32_t brake_after);

  Count origin_;
  std::vector<Prefix> prefixes_;
  std::vector<Path> paths_;
};

}  // namespace crawler
