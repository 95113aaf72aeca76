#pragma once
// The process: threads, signals, the minute line, and a polite end.
#include "base/log.h"
#include "base/time.h"
#include "config/config.h"

#include <optional>

namespace crawler {

struct RunOptions {
  bool until_idle = false;                ///< end when nothing is owed
  std::optional<base::Duration> run_for;  ///< end after this long
};

/// Crawls until told to stop: SIGTERM, SIGINT and SIGHUP let the visits under way end (at most kGrace), a
/// second signal cuts them off. Returns an exit code of sysexits.h. Throws std::runtime_error when it cannot
/// start (trust store). Blocks; call it once, from the main thread.
int run_daemon(const config::Config& config, const RunOptions& options, base::Log& log);

/// Longest wait for visits under way once the crawl is to end.
inline constexpr base::Duration kGrace = std::chrono::seconds(20);

}  // namespace crawler
