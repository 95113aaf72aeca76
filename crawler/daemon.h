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

struct RunOptions {
  bool until_idle = false;                ///< end when nothing is owed
  std::optional<base::Duration> run_for;  ///< end after this long
  /// Reads the configuration once more: the new one, or what is wrong with it. Called on SIGHUP.
  std::function<std::variant<config::Config, std::vector<std::string>>()> reload;
};

/// Crawls until told to stop: SIGTERM and SIGINT let the visits under way end (at most kGrace), a second
/// signal cuts them off. SIGHUP reads the configuration again: seeds, scope and recrawl are exchanged, and
/// one with errors changes nothing. Returns an exit code of sysexits.h: 74 when the store has failed. Throws
/// StoreError, and std::runtime_error when it cannot start otherwise (trust store). Blocks; call it once,
/// from the main thread.
int run_daemon(const config::Config& config, const RunOptions& options, base::Log& log);

/// Longest wait for visits under way once the crawl is to end.
inline constexpr base::Duration kGrace = std::chrono::seconds(20);

}  // namespace crawler
