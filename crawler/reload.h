#pragma once
// Which keys SIGHUP exchanges, and which have to wait for a restart.
#include "config/config.h"

#include <string_view>
#include <vector>

namespace crawler {

/// True for a key that the daemon takes up while it runs.
bool taken_up_by_reload(std::string_view path);

/// Keys in which `fresh` differs from what the daemon was started with, and that need a restart.
std::vector<std::string_view> keys_for_restart(const config::Config& started, const config::Config& fresh);

}  // namespace crawler
