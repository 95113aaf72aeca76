#pragma once
// A block under the log of `crawld run` in a terminal: what the crawl does, once a second. Log lines go
// through here, so that neither overwrites the other.
#include "crawler/live_status.h"

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Most lines of the block. A terminal keeps at least one row for the log.
inline constexpr std::size_t kProgressRows = 12;

/// Thread-safe. What the terminal does not take is lost, and the crawl goes on.
class Progress {
 public:
  /// Is there a terminal at `descriptor` that a block can be drawn on?
  static bool possible(int descriptor);

  /// `descriptor`: a terminal, usually standard error; it stays open. Nothing else writes there meanwhile.
  explicit Progress(int descriptor) : descriptor_(descriptor) {}
  /// Takes the block away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Draws the block anew. `status`: what /api/v1/status answers (crawler/ADMIN.md); once a second is enough.
  void show(const live::Json& status);
  /// Writes a line of the log, without its end, above the block.
  void line(std::string_view text);

 private:
  std::string erased(std::size_t columns);
  std::string drawn(const live::Place& place);

  const int descriptor_;
  std::mutex mutex_;
  live::Json status_;                ///< null before the first show()
  std::vector<std::size_t> widths_;  ///< of the lines that are on the screen
};

}  // namespace crawler
