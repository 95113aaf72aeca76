#pragma once
// What only shows when all keys have been read: keys that are missing, and keys that do not fit each other.
#include "config/config.h"
#include "config/problems.h"
#include "config/reader.h"

namespace config {

void check_whole(const Config& config, const Places& places, Problems& problems);

}  // namespace config
