#pragma once
// URLs that look like those of a site without end, and queries without what only tells visitors apart. Pure.
#include "base/url.h"
#include "config/config.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Why a URL is not visited. The words are stable: logs, counters and tests use them.
enum class Trap {
  long_url,    ///< over traps.max_url_length octets
  deep_path,   ///< over traps.max_path_segments
  repeats,     ///< a part of the path follows upon itself more often than traps.max_repeats
  parameters,  ///< over traps.max_parameters
};
std::string_view to_string(Trap trap);

/// Segments of the longest part that is looked for in `repeats`. Longer ones meet max_path_segments first.
inline constexpr std::size_t kRepeatedPartMax = 16;

/// What is wrong with `url`, the first of the above; nothing when it looks like any other. Time is linear in
/// its length.
///
/// A segment is what follows a `/`; one that is empty counts, but not the last: `/a/b/` has two. A part is
/// one segment or several in a row; `/a/b/a/b` has one that stands there twice. Numbers count like words, so
/// with three repeats `/2024/01/01/` and `/000/000/000/17` are fine, and `/1/1/1/1` is not. Parameters are
/// the pieces between `&` that are not empty.
std::optional<Trap> trap_of(const base::Url& url, const config::Traps& limits);

/// A query with more parameters than this is not stripped.
inline constexpr std::size_t kStrippedParametersMax = 256;

/// `url` without the parameters of its query that `patterns` name: a name, or the beginning of names and a
/// `*`. Names are compared after percent-decoding (a `+` is a blank) and with case, because that is how
/// servers read them. The others stay as they are and in order; when none is left, the `?` goes too. A URL
/// without such a parameter comes back unchanged. strip(strip(u)) == strip(u).
base::Url strip(base::Url url, const std::vector<std::string>& patterns);

}  // namespace crawler
