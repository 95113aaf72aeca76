#pragma once
// What somebody who wrote an unknown word most likely meant.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace config {

/// Words longer than this get no suggestion.
inline constexpr std::size_t kSuggestedOctetsMax = 64;

/// Edits (insert, remove, replace, swap of neighbours) between two words, ignoring case, with `-` and blank
/// as `_`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first of equals; empty when none is within a third of its length.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// ` (did you mean "…"?)`, or nothing when `suggestion` is empty.
std::string did_you_mean(std::string_view suggestion);

/// What to say after "unknown key": the nearest key of `section`, the section that has such a key, or
/// nothing. `section` is a path, empty for the top, kHostSection inside one host's map.
std::string hint_for_unknown_key(std::string_view section, std::string_view key);
inline constexpr std::string_view kHostSection = "politeness.hosts.<host>";

}  // namespace config
