#include "crawler/condition.h"

#include "base/time_text.h"
#include "crawler/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {

std::string_view to_string(CrawlState state) {
  switch (state) {
    case CrawlState::starting: return "starting";
    case CrawlState::running: return "running";
    case CrawlState::paused: return "paused";
    case CrawlState::disk_full: return "disk_full";
    case CrawlState::archive_waits: return "archive_waits";
    case CrawlState::draining: return "draining";
    case CrawlState::store_failed: return "store_failed";
  }
  return "?";
}

std::uint64_t asleep_of(const Report& total) {
  const auto& hosts = total.hosts;
  const std::uint64_t awake = hosts.ready + hosts.waiting + hosts.paused + hosts.in_flight + hosts.idle;
  return total.urls.origins - std::min<std::uint64_t>(total.urls.origins, awake);
}

std::string sentence_of(const Condition& condition) {
  const Report& total = condition.total;
  switch (condition.state) {
    case CrawlState::starting: return "starting";
    case CrawlState::paused:
      return "paused by the operator: no request is sent until " +
             (condition.paused_until ? base::rfc3339(*condition.paused_until)
                                     : std::string("`crawld resume`"));
    case CrawlState::disk_full: return "paused: the disk is nearly full";
    case CrawlState::archive_waits: return "paused: the archive cannot be written";
    case CrawlState::store_failed: return "ending: the store has failed";
    case CrawlState::draining: return fmt::format("ending: {} requests are under way", total.hosts.in_flight);
    case CrawlState::running: break;
  }
  return status_sentence(total, condition.now);
}

}  // namespace crawler
