#pragma once
// What became of a URL, decided from what the wire did. Pure.
#include "base/backoff.h"
#include "fetch/fetcher.h"
#include "scheduler/address_clocks.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace crawler {

/// One word for the log line, the counters, the frontier and the tests alike.
enum class Fate {
  fetched,       ///< 2xx: the page is here and its links were followed
  unchanged,     ///< 304
  redirected,    ///< 3xx: the target is a URL of its own
  disallowed,    ///< robots.txt says no; nothing was sent
  blocked,       ///< its address or port is not to be connected to; nothing was sent
  gone,          ///< 404, 410
  refused,       ///< any other answer that a second try would not better
  retry,         ///< to be tried again
  given_up,      ///< tried as often as its kind of failure is worth
  out_of_scope,  ///< queued once, and the configuration has changed since; nothing was sent
  trap,          ///< below a path that is braked, because its pages repeat each other; nothing was sent
};
/// Their numbers are part of the frontier's format: new ones go to the end.
inline constexpr std::size_t kFates = static_cast<std::size_t>(Fate::trap) + 1;
std::string_view to_string(Fate);

/// How often one URL is tried, and after which waits, when it fails. What may pass soon is tried soon, what
/// takes somebody's hand is tried late, and what the server says on purpose is not tried often.
struct Ladder {
  base::Backoff wait;
  unsigned attempts = 1;
};
/// Of an outcome that failed. A 429 or 503 speaks of the host, not of the URL, and is no attempt.
const Ladder& ladder_of(const fetch::Outcome& outcome);
/// Why it failed, in a word that stays the same: an error of fetch, or `status_500`.
std::string failure_word(const fetch::Outcome& outcome);

struct Judgement {
  Fate fate = Fate::fetched;
  scheduler::Health health = scheduler::Health::ok;
  bool attempt = false;  ///< counts against the ladder
};

/// `attempts`: failed ones before this.
Judgement judge(const fetch::Outcome& outcome, unsigned attempts);

}  // namespace crawler
