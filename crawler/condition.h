#pragma once
// How the crawl as a whole is, at one moment: what the admin endpoint, metrics and the service manager tell.
#include "base/log_events.h"
#include "base/time.h"
#include "crawler/commits.h"
#include "crawler/history.h"
#include "crawler/shard.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

enum class CrawlState { starting, running, paused, disk_full, archive_waits, draining, store_failed };
inline constexpr std::size_t kCrawlStates = static_cast<std::size_t>(CrawlState::store_failed) + 1;
std::string_view to_string(CrawlState);

/// A folder that the crawl fills.
struct Disk {
  std::string_view what;  ///< state, archive
  std::string path;
  std::optional<std::uint64_t> free;  ///< octets
};

/// A value, made on the main thread.
struct Condition {
  CrawlState state = CrawlState::starting;
  base::Now now;
  base::Now started;
  std::size_t threads = 0;
  Report total;
  std::vector<HostRow> waits;  ///< origins that have something to do and wait longest
  std::vector<Disk> disks;
  std::uint64_t pause_below = 0;
  std::uint64_t resume_above = 0;
  std::optional<base::WallTime> paused_until;  ///< by the operator
  std::optional<base::WallTime> reloaded;      ///< when a reload was asked for last
  bool reload_good = true;
  base::WallTime reload_good_at{};  ///< when the configuration in force was read
  std::size_t orders = 0;           ///< hosts of which the operator has said something
  std::uint32_t connections = 0;    ///< open
  double requests_per_second = 0;   ///< of the last ten seconds
  double requests_per_second_minute = 0;
  double octets_per_second = 0;
  std::uint64_t clock_steps = 0;  ///< of the wall clock
  Commits::Past syncs;            ///< of the store
  Histogram loop_lag;
  std::array<std::uint64_t, base::kLevels> log_lines{};  ///< by level
  std::uint64_t log_dropped = 0;
};

/// Origins that are known and not in memory.
std::uint64_t asleep_of(const Report& total);

/// One sentence: what the crawl does, and when it does nothing why and when the next thing will happen.
std::string sentence_of(const Condition& condition);

}  // namespace crawler
