#pragma once
// WARC files that a run which crashed has left open: cut to their last whole record, and completed.
#include "base/log.h"
#include "base/time.h"

#include <string>

namespace crawler {

/// Completes every `….open` in `directory` that no living process writes to. Says in the log what was kept
/// and what was cut. A file that cannot be mended stays as it is, and is named there. Blocks.
void salvage_all(const std::string& directory, base::Log& log, base::WallTime now);

}  // namespace crawler
