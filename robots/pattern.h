#pragma once
// A rule's path, read once into a form that compares with plain octets (ROBOTS.md §3, §4).
#include "robots/canonical.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// A set of units, `[a-z]` of version 2.0.
struct UnitSet {
  std::array<std::uint64_t, kUnits / 64> words{};

  void add(Unit unit) { words[unit / 64U] |= std::uint64_t{1} << (unit % 64U); }
  bool has(Unit unit) const { return (words[unit / 64U] >> (unit % 64U) & 1U) != 0; }
  friend auto operator<=>(const UnitSet&, const UnitSet&) = default;
};

/// Most different sets that one file may use; a rule that needs more is treated like one that is too long.
inline constexpr std::size_t kSetsMax = 4'096;

/// One step of a pattern over canonical text: an octet below 0x80, or one of these signs.
using Token = std::uint16_t;
inline constexpr Token kStar = 0x100;  ///< any octets, none included
inline constexpr Token kAny = 0x101;   ///< exactly one unit
inline constexpr Token kSet = 0x1000;  ///< kSet + i: one unit of the i-th set

/// What the patterns of one file need beside its text: the sets, each once, and octets that the file does not
/// show in canonical form.
class Pool {
 public:
  /// The token for `set`; nothing when kSetsMax are there already.
  std::optional<Token> token(const UnitSet& set);
  std::vector<UnitSet> take_sets() { return std::move(sets_); }
  /// Room for that many octets, for as long as the pool lives.
  char* room(std::size_t octets) { return static_cast<char*>(texts_.allocate(octets, 1)); }

 private:
  std::map<UnitSet, Token> tokens_;
  std::vector<UnitSet> sets_;
  std::pmr::monotonic_buffer_resource texts_;
};

/// A path as it was read: what it says, and its rank.
struct Written {
  std::vector<Token> tokens;  ///< runs of stars are one star
  bool anchored = false;      ///< has to match up to the end of the target
  bool complete = true;       ///< false: reading stopped at kRuleOctetsMax or kSetsMax, and anchored is false
  std::size_t length = 0;  ///< octets in canonical form, each `*` and `$` as written counted (ROBOTS.md §3)
};

/// Version 1: `*`, and `$` as the last character.
Written read_version1(std::string_view value);
/// Version 2.0: shell patterns over the whole target.
Written read_version2(std::string_view value, Pool& pool);

/// How a pattern is matched.
enum class Shape : std::uint8_t {
  prefix,  ///< the target begins with head
  exact,   ///< the target is head
  stars,   ///< head, then the middles in this order anywhere, then tail at the very end
  glob,    ///< head, then the tokens up to the end of the target
};

/// The views point into the file or into its Pool.
struct Pattern {
  Shape shape = Shape::prefix;
  std::string_view head;
  std::vector<std::string_view> middles;  ///< none is empty
  std::string_view tail;
  std::vector<Token> tokens;
};

Pattern make_pattern(const Written& written, Pool& pool);

}  // namespace robots
