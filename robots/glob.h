#pragma once
// Shell patterns of version 2.0 (ROBOTS.md §4): segments between stars, each found at its leftmost place. No
// recursion; the steps of one check are counted, and end.
#include "robots/pattern.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace robots {

/// Steps that the globs of one check may take together. Only hostile files come near.
inline constexpr std::uint32_t kGlobStepsMax = 1'000'000;

enum class GlobMatch {
  no,
  yes,
  spent,  ///< kGlobStepsMax is used up: nobody knows
};

/// One target, prepared for any number of globs. Canonical text, which must outlive it.
class GlobText {
 public:
  explicit GlobText(std::string_view text);

  /// Does what follows position `begin` match `tokens` to its end?
  GlobMatch match(std::span<const Token> tokens, std::size_t begin, std::span<const UnitSet> sets);

 private:
  static constexpr Unit kInside = 0;  ///< where no unit begins; canonical text has no NUL
  static constexpr std::size_t kNowhere = std::string_view::npos;

  bool spend(std::size_t steps) {
    if (steps > steps_left_) spent_ = true;
    if (!spent_) steps_left_ -= static_cast<std::uint32_t>(steps);
    return !spent_;
  }
  bool has_member_later(const UnitSet& set, std::size_t begin) const;
  bool has_later(std::span<const Token> segment, std::size_t begin, std::span<const UnitSet> sets);
  /// Does a unit that matches `token`, which is kAny or a set, begin at `begin`?
  bool fits(Token token, std::size_t begin, std::span<const UnitSet> sets) const {
    const Unit unit = unit_at_[begin];
    return unit != kInside && (token == kAny || sets[token - kSet].has(unit));
  }

  std::size_t run(std::span<const Token> segment, std::size_t begin, std::span<const UnitSet> sets);
  std::size_t run_back(std::span<const Token> segment, std::size_t end, std::span<const UnitSet> sets);
  std::size_t find(std::span<const Token> segment, std::size_t begin, std::size_t limit,
                   std::span<const UnitSet> sets);

  std::string_view text_;
  std::uint32_t steps_left_ = kGlobStepsMax;
  bool spent_ = false;
  std::array<Unit, kCanonicalOctetsMax> unit_at_{};  ///< by place
  UnitSet units_;                                    ///< those of the text
  std::array<std::uint16_t, 0x80> octet_end_{};      ///< behind the last place of each octet; 0: nowhere
  std::array<std::uint16_t, kUnits> unit_end_{};     ///< behind the last beginning of each unit; 0: nowhere
};

}  // namespace robots
