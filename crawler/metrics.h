#pragma once
// The crawl for Prometheus: its text format 0.0.4. Pure. No host, URL or address is ever a label.
#include "crawler/condition.h"
#include "crawler/process_stats.h"

#include <string>

namespace crawler {

std::string metrics_text(const Condition& condition, const ProcessStats& process);

}  // namespace crawler
