#include "crawler/summary.h"

#include "base/escape.h"
#include "base/time_text.h"

#include <fmt/format.h>

#include <numeric>

namespace crawler {
namespace {

std::int64_t as_number(std::uint64_t n) {
  return static_cast<std::int64_t>(n);
}

/// Counters by the words of fetch::Error: `error_timeout`.
const std::array<std::string, fetch::kErrors>& error_names() {
  static const auto names = [] {
    std::array<std::string, fetch::kErrors> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = "error_" + std::string(fetch::to_string(static_cast<fetch::Error>(i)));
    }
    return made;
  }();
  return names;
}

std::string why_quiet(const Report& total, base::Now now) {
  if (total.hosts.in_flight > 0) return "waiting for answers";
  if (total.urls.owed() == 0 && total.urls.again == 0) return "nothing is owed";
  if (!total.next) return "no host can become due by itself";
  const auto& [origin, status] = *total.next;
  const base::Duration left = std::max(status.due - now.steady, base::Duration::zero());
  const auto rounded = std::chrono::ceil<std::chrono::seconds>(left);
  return "every host waits politely; first " + std::string(origin.text()) + " in " +
         base::duration_text(rounded) + " (" + std::string(scheduler::to_string(status.waiting)) + ")";
}

}  // namespace

void add_report(Report& total, Report report) {
  total.counters += report.counters;
  total.hosts.ready += report.hosts.ready;
  total.hosts.waiting += report.hosts.waiting;
  total.hosts.paused += report.hosts.paused;
  total.hosts.in_flight += report.hosts.in_flight;
  total.hosts.idle += report.hosts.idle;
  total.urls += report.urls;
  total.held_origins += report.held_origins;
  total.waiting_origins += report.waiting_origins;
  total.frontier_octets += report.frontier_octets;
  total.damaged += report.damaged;
  total.robots_entries += report.robots_entries;
  if (report.next && (!total.next || report.next->second.due < total.next->second.due)) {
    total.next = std::move(report.next);
  }
}

base::Line summary_line(const Report& total, const Counters& before, base::Duration over, base::Now now) {
  const Counters& all = total.counters;
  const double seconds = std::chrono::duration<double>(over).count();
  const std::uint64_t requests = all.requests - before.requests;
  base::Line line(base::Level::info, "summary");
  line.number("requests", as_number(requests));
  line.word("per_second", fmt::format("{:.2f}", seconds > 0 ? static_cast<double>(requests) / seconds : 0.0));
  line.number("requests_total", as_number(all.requests))
      .number("robots_total", as_number(all.robots_requests));
  line.number("octets_total", as_number(all.octets));
  // The first is no error.
  const std::uint64_t errors = std::accumulate(all.errors.begin() + 1, all.errors.end(), std::uint64_t{0});
  line.number("errors_total", as_number(errors));
  for (std::size_t i = 1; i < fetch::kErrors; ++i) {
    if (all.errors[i] > 0) line.number(error_names()[i], as_number(all.errors[i]));
  }
  for (std::size_t i = 0; i < kFates; ++i) {
    if (all.fates[i] > 0) line.number(to_string(static_cast<Fate>(i)), as_number(all.fates[i]));
  }
  line.number("out_of_scope", as_number(all.out_of_scope)).number("over_budget", as_number(all.over_budget));
  line.number("traps", as_number(all.traps));
  if (total.records > 0) {
    line.number("records", as_number(total.records)).number("record_octets", as_number(total.record_octets));
  }
  if (total.crawl_log_dropped > 0) line.number("crawl_log_dropped", as_number(total.crawl_log_dropped));
  line.number("owed", as_number(total.urls.owed())).number("again", as_number(total.urls.again));
  line.number("seen", as_number(total.urls.seen)).number("origins", as_number(total.urls.origins));
  line.number("hosts_ready", as_number(total.hosts.ready))
      .number("hosts_waiting", as_number(total.hosts.waiting));
  line.number("hosts_paused", as_number(total.hosts.paused));
  line.number("hosts_in_flight", as_number(total.hosts.in_flight))
      .number("hosts_idle", as_number(total.hosts.idle));
  line.number("origins_held", as_number(total.held_origins));
  line.number("origins_waiting", as_number(total.waiting_origins));
  line.number("frontier_octets", as_number(total.frontier_octets));
  if (total.damaged > 0) line.number("damaged", as_number(total.damaged));
  if (all.violations > 0) line.number("violations", as_number(all.violations));
  if (all.bugs > 0) line.number("bugs", as_number(all.bugs));
  if (requests == 0) line.text("why_quiet", why_quiet(total, now));
  return line;
}

std::string status_sentence(const Report& total, base::Now now) {
  std::string sentence = fmt::format("{} hosts, {} in flight, {} ready, {} URLs owed", total.urls.origins,
                                     total.hosts.in_flight, total.hosts.ready, total.urls.owed());
  if (total.hosts.in_flight == 0 && total.hosts.ready == 0) sentence += "; " + why_quiet(total, now);
  return base::escaped(sentence);
}

}  // namespace crawler
