#pragma once
// The minute line: what the crawl does, and why nothing happens when nothing does. Pure.
#include "base/log.h"
#include "crawler/shard.h"

namespace crawler {

/// `total`: reports of all shards added up; `before`: the counters of the last line; `over`: time since then.
base::Line summary_line(const Report& total, const Counters& before, base::Duration over, base::Now now);

/// The same in a sentence, for people who ask how it goes: `12 hosts, 3 in flight, 1 ready, 96000 URLs owed`,
/// and what it waits for when nothing is under way. One line of printable text.
std::string status_sentence(const Report& total, base::Now now);

/// Adds a shard's report to `total`.
void add_report(Report& total, Report report);

}  // namespace crawler
