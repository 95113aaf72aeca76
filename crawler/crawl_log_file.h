#pragma once
// The crawl log of a run: lines of crawler/crawl_log.h in a file that is rotated.
#include "base/rotating_file.h"
#include "config/config.h"
#include "crawler/crawl_log.h"

#include <atomic>
#include <string>

namespace crawler {

/// Where the crawl log of `config` is.
std::string crawl_log_path(const config::Config& config);

/// Thread-safe; never stops anybody.
class CrawlLog {
 public:
  /// Throws StartError when the file cannot be opened.
  explicit CrawlLog(const config::Config& config);
  /// The operating system has the line when this returns: what a visit settles after it in the frontier, a
  /// killed process has not lost here.
  void write(CrawlEntry entry);
  /// Another try for what the disk did not take.
  void flush() { file_.flush(); }
  /// The file may have been renamed: writes what waits into it, and goes on in one of the old name.
  void reopen() { file_.reopen(); }
  std::uint64_t dropped() const { return file_.dropped(); }

 private:
  const config::CrawlLogFormat format_;
  base::RotatingFile file_;
  std::atomic<base::WallTime::rep> run_ = 0;  ///< when the first line was written
};

}  // namespace crawler
