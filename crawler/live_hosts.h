#pragma once
// Tables and pages about hosts, visits and seeds, from the JSON of the admin endpoint (crawler/ADMIN.md).
// Pure: lines without ends.
#include "crawler/live_fields.h"

#include <cstddef>
#include <string>
#include <vector>

namespace crawler::live {

/// /api/v1/hosts: a line an origin.
std::vector<std::string> hosts_table(const Json& hosts, std::size_t columns);

/// /api/v1/host: all that is known of one host, an origin after the other.
std::vector<std::string> host_page(const Json& host, std::size_t columns);

/// What an operator has said of a host: `paused until …; at least 30s apart`; empty when nothing.
std::string order_text(const Json& order);

/// A day of windows: `00:00-06:00  2s (default_interval)`, `closed` where the site may not be asked.
std::vector<std::string> day_lines(const Json& day);

/// /api/v1/seeds: a line a seed.
std::vector<std::string> seeds_table(const Json& seeds, std::size_t columns);

}  // namespace crawler::live
