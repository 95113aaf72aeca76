#pragma once
// What only shows when all keys have been read: keys that are missing, and keys that do not fit each other.
#include "config/config.h"
#include "config/problems.h"
#include "config/reader.h"

namespace config {

/// What admin.listen says; nothing when that is no loopback address with a port.
std::optional<Nameserver> listen_address(const Admin& admin);

void check_whole(const Config& config, const Places& places, Problems& problems);

/// An error for each file that a key names (Kind::input_file) and that cannot be read as this user.
/// Changes nothing: slots point to what may be written to.
void check_files(Config& config, const Places& places, Problems& problems);

}  // namespace config
