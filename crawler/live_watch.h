#pragma once
// `crawld status --watch`.
#include <string>

namespace crawler::live {

/// Shows what the crawl behind the socket at `path` does, every second: on a terminal a view that is redrawn
/// in place, until `q` or a signal, and through times in which nobody answers; elsewhere a line each (with
/// `json` an object each), until nobody answers. Gives the terminal back as it was. Returns an exit code;
/// throws AdminError and Refused when there is no first answer, or no terminal and no next one.
int watch(const std::string& path, bool json);

}  // namespace crawler::live
