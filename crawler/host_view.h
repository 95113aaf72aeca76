#pragma once
// What the admin endpoint tells of an origin. Plain values that go from a shard to whoever shows them.
#include "base/time.h"
#include "base/url.h"
#include "crawler/recent.h"
#include "crawler/records.h"
#include "robots/rules.h"
#include "scheduler/host_queue.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// One word for what an origin does.
enum class HostState { ready, waiting, paused, blocked, in_flight, idle, asleep };
std::string_view to_string(HostState);
std::optional<HostState> parse_host_state(std::string_view word);

/// Fates that a row tells, the newest first.
inline constexpr std::size_t kRowFates = 5;

struct HostRow {
  base::Origin origin;
  HostState state = HostState::asleep;
  scheduler::Waiting waiting = scheduler::Waiting::nothing;
  scheduler::Interval interval;
  std::optional<base::WallTime> next;  ///< when it may be asked next
  std::uint64_t owed = 0;
  std::uint64_t accepted = 0;
  std::uint64_t visits = 0;
  base::Duration latency{};
  unsigned failures = 0;               ///< in a row
  std::optional<base::WallTime> last;  ///< when the last request went out
  std::vector<Fate> last_fates;
};

/// The row of an origin that only the store knows.
HostRow row_of(const HostRecord& record, base::Now now);

/// A stretch of the UTC day, in minutes, with one interval.
struct Stretch {
  int from = 0;
  int to = 0;
  scheduler::Interval interval;
  bool open = true;  ///< inside a Visit-time that binds
};
/// The whole day of `pace`, on the day of `now`.
std::vector<Stretch> day_of(const scheduler::Pace& pace, base::WallTime now);

/// All of one origin.
struct HostView {
  HostRow row;
  std::string about;   ///< robots.txt in a clause; empty: never asked for
  std::string access;  ///< robots::Access in a word
  std::optional<robots::Rules> rules;
  std::string body;       ///< of robots.txt
  bool body_cut = false;  ///< there is more of it
  std::vector<Stretch> day;
  std::vector<PastVisit> recent;
};

}  // namespace crawler
