#pragma once
// What a crawl is doing, as lines for people: `crawld status`, its live view, and the block under the log of
// `crawld run`. Pure: the JSON of /api/v1/status goes in.
#include "crawler/live_fields.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crawler::live {

/// Where lines go.
struct Place {
  std::size_t rows = 0;     ///< at most so many lines
  std::size_t columns = 0;  ///< none of them is wider
  bool colour = false;      ///< with escape sequences of SGR (ECMA-48 §8.3.117), which take no column
};

/// State, rates, URLs, hosts by state, what comes next, longest waits with reasons, fates, errors, disk,
/// violations of politeness. When they do not fit, the least important are left out; at least the state is
/// there.
std::vector<std::string> status_lines(const Json& status, const Place& place);

/// The same in one line of `key=value`, as in the log.
std::string status_line(const Json& status);

}  // namespace crawler::live
