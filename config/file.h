#pragma once
// Reading a file whole, with a limit.
#include "config/problems.h"

#include <cstddef>
#include <optional>
#include <string>

namespace config {

/// Empty when `path` is a regular file that may be read; else the reason, as the system words it.
std::string why_unreadable(const std::string& path);

/// The octets of `path`; nullopt, with an error of `file` as a whole, when it cannot be read or has more than
/// `octets_max`. Pipes and devices are read up to the limit as well.
std::optional<std::string> read_file(const std::string& path, std::size_t octets_max, std::size_t file,
                                     Problems& problems);

}  // namespace config
