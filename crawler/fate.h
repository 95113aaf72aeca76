#pragma once
// What became of a URL, decided from what the wire did. Pure.
#include "fetch/fetcher.h"
#include "scheduler/address_clocks.h"

#include <string_view>

namespace crawler {

/// One word for the log line, the counters, the frontier and the tests alike.
enum class Fate {
  fetched,     ///< 2xx: the page is here and its links were followed
  unchanged,   ///< 304
  redirected,  ///< 3xx: the target is a URL of its own
  disallowed,  ///< robots.txt says no; nothing was sent
  blocked,     ///< its address or port is not to be connected to; nothing was sent
  gone,        ///< 404, 410
  refused,     ///< any other answer that a second try would not better
  retry,       ///< to be tried again
  given_up,    ///< tried kAttemptsMax times
};
std::string_view to_string(Fate);

/// Failed attempts at one URL. A 429 or 503 speaks of the host, not of the URL, and is no attempt.
inline constexpr unsigned kAttemptsMax = 4;

struct Judgement {
  Fate fate = Fate::fetched;
  scheduler::Health health = scheduler::Health::ok;
  bool attempt = false;  ///< counts against kAttemptsMax
};

/// `attempts`: failed ones before this.
Judgement judge(const fetch::Outcome& outcome, unsigned attempts);

}  // namespace crawler
