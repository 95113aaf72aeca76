#pragma once
// `crawld report …`: evidence and summaries from the crawl log, and what has become of the seeds. Reads the
// log line by line, and the frontier as `crawld frontier list` does: also while a daemon runs. Each returns
// an exit code of sysexits.h.
#include "base/time.h"
#include "config/config.h"
#include "crawler/report_files.h"
#include "crawler/store.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Origins of one host that are told apart; of further ones no gaps are known, which is said.
inline constexpr std::size_t kReportOriginsMax = 10'000;
/// Hosts that are told apart; the lines of further ones are summed up as `others`.
inline constexpr std::size_t kReportHostsMax = 100'000;
/// The same for statuses, media types, fates and errors.
inline constexpr std::size_t kReportKeysMax = 10'000;
/// Rows of an origin's queue that are looked at for the instant at which a seed is tried again.
inline constexpr std::size_t kReportRetriesMax = 100'000;

/// Requests that the frontier holds to be under way: of a daemon that runs, or lost by one that was killed.
struct UnderWay {
  bool running = false;  ///< a daemon has the frontier open
  std::vector<std::string> origins;
};
/// Those to `host`.
UnderWay under_way(const Store& store, const std::string& host, bool running);

struct HostQuestion {
  std::string host;                       ///< canonical, with brackets around IPv6
  std::optional<base::WallTime> since{};  ///< requests that began at or after this
  std::optional<base::WallTime> until{};  ///< ... and before this
  bool json = false;
};

/// Every request to the host, in the order in which they ended: when it began, what came of it, how long
/// after the request before it to the same origin, which interval was in force and why, and the line of
/// robots.txt that allowed it; then a sentence about all. 65 when a gap was shorter than its interval.
int report_host(LogFiles& log, const HostQuestion& question, const std::optional<UnderWay>& marks,
                std::ostream& out, std::ostream& talk);

enum class Tallied { status, mime, hosts, fates, errors };

/// How many lines there are of each kind, the most frequent first. `limit`: rows; 0: all.
int report_tally(LogFiles& log, Tallied what, std::uint64_t limit, bool json, std::ostream& out,
                 std::ostream& talk);

/// Each seed of `config` with its fate, or why it has not been fetched yet. `limit`: seeds; 0: all.
int report_seeds(const Store& store, const config::Config& config, base::Now now, std::uint64_t limit,
                 bool json, std::ostream& out, std::ostream& talk);

}  // namespace crawler
