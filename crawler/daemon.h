#pragma once
// The process: threads, signals, the minute line, and a polite end.
#include "base/log.h"
#include "base/time.h"
#include "config/config.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace crawler {

class Progress;

struct RunOptions {
  bool until_idle = false;                ///< end when nothing is owed
  std::optional<base::Duration> run_for;  ///< end after this long
  Progress* progress = nullptr;           ///< shows how it goes every second; null: nobody looks on
  /// Reads the configuration once more: the new one, or what is wrong with it. Called on SIGHUP.
  std::function<std::variant<config::Config, std::vector<std::string>>()> reload;
};

/// Crawls until told to stop: SIGTERM and SIGINT let the visits under way end (at most kGrace), a second
/// signal cuts them off. SIGHUP reads the configuration again: what crawler/reload.h names is exchanged,
/// other keys that have changed are named in the log, and one with errors changes nothing. SIGUSR1 opens the
/// logs anew. A service manager hears how it goes. Returns an exit code of sysexits.h: 74 when the store has
/// failed. Throws StartError, and std::runtime_error when it cannot start otherwise (trust store). Blocks;
/// call it once, from the main thread.
int run_daemon(const config::Config& config, const RunOptions& options, base::Log& log);

/// Longest wait for visits under way once the crawl is to end.
inline constexpr base::Duration kGrace = std::chrono::seconds(20);

}  // namespace crawler
