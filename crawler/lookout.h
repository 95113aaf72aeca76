#pragma once
// Looks at the whole crawl: a sample each ten seconds, the minute line, and how it is for whoever asks.
#include "base/clock.h"
#include "base/log.h"
#include "config/config.h"
#include "crawler/archive.h"
#include "crawler/commits.h"
#include "crawler/condition.h"
#include "crawler/crawl_log_file.h"
#include "crawler/crew.h"
#include "fetch/budget.h"

#include <optional>

namespace crawler {

/// On the main thread.
class Lookout {
 public:
  /// References must outlive it.
  struct Parts {
    Crew& crew;
    const Commits& commits;
    base::Clock& clock;
    base::Log& log;
    const config::Config& config;
    const fetch::ConnectionBudget& connections;
    const Archive* archive = nullptr;     ///< null: nothing is kept
    const CrawlLog* crawl_log = nullptr;  ///< null: there is none
  };
  explicit Lookout(const Parts& parts) : parts_(parts) {}

  void begin();
  /// When sample() should be called.
  base::TimePoint next() const { return next_; }
  /// Asks every shard; each minute it writes the summary line. A shard that is busy costs a sample.
  base::Async<> sample();
  /// After the threads have ended; unless the minute line has just said it all.
  void last_line();

  /// What the shards and the machine tell now. Nothing when a shard does not answer. The caller adds what
  /// only it knows.
  base::Async<std::optional<Condition>> condition();
  const History& history() const { return history_; }
  const Report& total() const { return total_; }  ///< of the last look

 private:
  void note_clock(base::Now now);
  void add_own(Report& total) const;
  void write_line();

  const Parts parts_;
  base::TimePoint next_{};
  base::Now line_from_;             ///< the end of the minute that the last line was about
  std::optional<base::Now> begun_;  ///< none before begin()
  bool sampling_ = false;
  Sample sampled_;  ///< totals at the last sample
  History history_;
  Report total_;
  Counters before_;
  std::optional<base::Duration> wall_offset_;
  std::uint64_t clock_steps_ = 0;
};

}  // namespace crawler
