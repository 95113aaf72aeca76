#pragma once
// The lines of a crawl log, through all its rotated files, the oldest first, one at a time: memory does not
// grow with the log.
#include "crawler/report_line.h"

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// Unreadable lines that are named; the others are counted.
inline constexpr std::uint64_t kUnreadableShown = 20;

class LogFiles {
 public:
  /// FILE and its rotated ones FILE.1, FILE.2 and so on, as they are at this moment: if a daemon rotates
  /// them meanwhile, they are found by their new names. `max_files`: how many rotated ones it keeps. Throws
  /// StartError (66 when there is none).
  static LogFiles of_log(const std::string& path, std::uint32_t max_files);
  /// These files, in the order of the times of their first lines; one that is given twice is read once.
  /// Throws StartError (66 when one cannot be read).
  static LogFiles of_files(const std::vector<std::string>& paths);

  /// Calls `visitor` for each line that can be read. What cannot be read is named on `talk` and counted.
  /// Once. Throws StartError (74 when a file cannot be read to its end).
  void read(const std::function<void(const LogLine&)>& visitor, std::ostream& talk);

  // Of what has been read.
  std::uint64_t lines() const { return lines_; }
  std::uint64_t unreadable() const { return unreadable_; }
  /// When the first readable line was written: from then on the log is complete. None: there is no line.
  std::optional<base::WallTime> first() const { return first_; }
  /// As many rotated files as the daemon keeps: it may have deleted older ones.
  bool full() const { return full_; }

 private:
  struct File {
    std::string path;
    std::uint32_t number = 0;  ///< 0: not rotated
    dev_t device = 0;
    ino_t inode = 0;
  };

  int open_file(const File& file) const;
  void read_file(const File& file, const std::function<void(const LogLine&)>& visitor, std::ostream& talk);
  void take(std::string_view text, const File& file, std::uint64_t line, bool ended,
            const std::function<void(const LogLine&)>& visitor, std::ostream& talk);
  void name(const File& file, std::uint64_t line, std::string_view why, std::ostream& talk);

  std::string base_;  ///< of rotated files; empty when they were named one by one
  std::vector<File> files_;
  bool full_ = false;
  LogLine line_;
  std::uint64_t lines_ = 0;
  std::uint64_t unreadable_ = 0;
  std::optional<base::WallTime> first_;
};

}  // namespace crawler
