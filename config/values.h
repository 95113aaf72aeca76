#pragma once
// The text of one value -> the value, and back. Nothing here knows files or places.
#include "config/config.h"
#include "config/keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace config {

/// A value, or what is wrong with its text. Check `wrong` first; it is empty when `value` is good.
template <class T>
struct Reading {
  T value{};
  std::string wrong;
};

/// `true` or `false`, nothing else (YAML 1.1 has twenty more).
Reading<bool> read_boolean(std::string_view text);
/// Decimal digits without a leading zero, within the bounds.
Reading<std::uint64_t> read_count(std::string_view text, Bounds bounds);
/// `2`, `0.5`: digits and at most one point between digits, within the bounds.
Reading<double> read_real(std::string_view text, Bounds bounds);
/// What base::parse_duration() takes, within the bounds. nullopt means `off`, and only where that is allowed.
Reading<std::optional<Duration>> read_duration(std::string_view text, Bounds bounds, bool off_allowed);
/// `64KiB`, `512KB`, `100B`, `0`; KB, MB, GB, TB are decimal and KiB, MiB, GiB, TiB binary; within the
/// bounds.
Reading<std::uint64_t> read_size(std::string_view text, Bounds bounds);
/// The index of `text` in `choices`.
Reading<std::size_t> read_choice(std::string_view text, std::span<const std::string_view> choices);
/// UTF-8 without control characters, its octets within the bounds.
Reading<std::string> read_text(std::string_view text, Bounds bounds);
/// The same, and nothing that a file's name should not have: `A-Z a-z 0-9 . _ -`, no point in front.
Reading<std::string> read_file_name(std::string_view text, Bounds bounds);
/// A query parameter: `sessionid`, `utm_*`. No `&`, `=`, `#`, blanks or control characters.
Reading<std::string> read_parameter(std::string_view text);
/// `text/html`, `image/*`; in lower case, without parameters.
Reading<std::string> read_media_type(std::string_view text);
/// `200`, or `2xx` for all from 200 to 299.
Reading<std::string> read_status(std::string_view text);
/// The shortest texts that read back to the same value.
std::string real_text(double value);
std::string size_text(std::uint64_t octets);

}  // namespace config
