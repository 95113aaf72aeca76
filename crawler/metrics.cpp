#include "crawler/metrics.h"

#include <fmt/format.h>

#include <iterator>

namespace crawler {
namespace {

/// Writes families; values of labels are words of ours.
class Families {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    fmt::format_to(std::back_inserter(text_), "# HELP crawld_{} {}\n# TYPE crawld_{} {}\n", name, help, name,
                   type);
  }
  template <class Value>
  void value(Value value) {
    fmt::format_to(std::back_inserter(text_), "crawld_{} {}\n", name_, value);
  }
  template <class Value>
  void value(std::string_view label, std::string_view word, Value value) {
    fmt::format_to(std::back_inserter(text_), "crawld_{}{{{}=\"{}\"}} {}\n", name_, label, word, value);
  }
  template <class Value>
  void single(std::string_view name, std::string_view type, std::string_view help, Value only) {
    family(name, type, help);
    value(only);
  }
  /// `label` empty: the family has but one.
  void histogram(std::string_view label, std::string_view word, const Histogram& histogram) {
    const std::string own = label.empty() ? std::string() : fmt::format("{}=\"{}\"", label, word);
    const std::string_view comma = label.empty() ? "" : ",";
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < Histogram::kBounds.size(); ++i) {
      count += histogram.counts[i];
      fmt::format_to(std::back_inserter(text_), "crawld_{}_bucket{{{}{}le=\"{}\"}} {}\n", name_, own, comma,
                     Histogram::kBounds[i], count);
    }
    count += histogram.counts.back();
    fmt::format_to(std::back_inserter(text_), "crawld_{}_bucket{{{}{}le=\"+Inf\"}} {}\n", name_, own, comma,
                   count);
    const std::string braces = own.empty() ? std::string() : "{" + own + "}";
    fmt::format_to(std::back_inserter(text_), "crawld_{}_sum{} {}\n", name_, braces, histogram.sum);
    fmt::format_to(std::back_inserter(text_), "crawld_{}_count{} {}\n", name_, braces, count);
  }
  std::string take() { return std::move(text_); }
  std::string& raw() { return text_; }

 private:
  std::string text_;
  std::string_view name_;
};

double seconds_since_1970(base::WallTime at) {
  return std::chrono::duration<double>(at.time_since_epoch()).count();
}

std::uint64_t error(const Counters& all, fetch::Error which) {
  return all.errors[static_cast<std::size_t>(which)];
}

std::uint64_t fate(const Counters& all, Fate which) {
  return all.fates[static_cast<std::size_t>(which)];
}

void add_process(Families& page, const ProcessStats& process) {
  const auto add = [&page](std::string_view name, std::string_view type, std::string_view help, auto value) {
    fmt::format_to(std::back_inserter(page.raw()),
                   "# HELP process_{} {}\n# TYPE process_{} {}\nprocess_{} {}\n", name, help, name, type,
                   name, value);
  };
  add("cpu_seconds_total", "counter", "User and system CPU time", process.cpu_seconds);
  add("resident_memory_bytes", "gauge", "Resident memory", process.resident_octets);
  add("virtual_memory_bytes", "gauge", "Virtual memory", process.virtual_octets);
  add("open_fds", "gauge", "Open file descriptors", process.open_descriptors);
  add("max_fds", "gauge", "Most file descriptors that may be open", process.max_descriptors);
  add("threads", "gauge", "Threads", process.threads);
  add("start_time_seconds", "gauge", "Start of the process, in seconds since 1970", process.started);
}

void add_state(Families& page, const Condition& condition) {
  page.family("build_info", "gauge", "Always 1; the labels say what runs");
  fmt::format_to(std::back_inserter(page.raw()), "crawld_build_info{{version=\"{}\",compiler=\"{}\"}} 1\n",
                 CRAWLD_VERSION, __VERSION__);
  page.family("state", "gauge", "1 for the state that the crawl is in");
  for (std::size_t i = 0; i < kCrawlStates; ++i) {
    const auto state = static_cast<CrawlState>(i);
    page.value("state", to_string(state), condition.state == state ? 1 : 0);
  }
  page.single("config_last_reload_successful", "gauge", "1 when the last reload was taken",
              condition.reload_good ? 1 : 0);
  page.single("config_last_reload_success_timestamp_seconds", "gauge",
              "When the configuration in force was read", seconds_since_1970(condition.reload_good_at));
  page.single("orders", "gauge", "Hosts that the operator has paused or slowed down", condition.orders);
}

void add_fetches(Families& page, const Counters& all) {
  page.family("fetches_total", "counter", "Answers that came, by what was asked for and kind of answer");
  for (std::size_t asked = 0; asked < kAsked; ++asked) {
    for (std::size_t i = 0; i < kAnswered; ++i) {
      fmt::format_to(
          std::back_inserter(page.raw()), "crawld_fetches_total{{kind=\"{}\",outcome=\"{}\"}} {}\n",
          to_string(static_cast<Asked>(asked)), to_string(static_cast<Answered>(i)), all.answers[asked][i]);
    }
  }
  page.single("requests_total", "counter", "Requests that were sent", all.requests);
  page.family("fetch_errors_total", "counter", "Exchanges without a usable answer, by reason");
  for (std::size_t i = 1; i < fetch::kErrors; ++i) {
    page.value("reason", fetch::to_string(static_cast<fetch::Error>(i)), all.errors[i]);
  }
  page.family("fetch_skipped_total", "counter", "URLs that were not asked for, by reason");
  page.value("reason", "robots_disallow", fate(all, Fate::disallowed));
  page.value("reason", "out_of_scope", fate(all, Fate::out_of_scope));
  page.value("reason", "blocked", fate(all, Fate::blocked));
  page.value("reason", "trap", fate(all, Fate::trap));
  page.family("fetch_truncated_total", "counter", "Answers of which not all was taken, by reason");
  page.value("reason", "body_bytes", all.cut);
  page.value("reason", "header_bytes", error(all, fetch::Error::head_limit));
  page.value("reason", "disconnect", error(all, fetch::Error::truncated));
  page.value("reason", "slow", error(all, fetch::Error::slow));
  page.value("reason", "ratio", error(all, fetch::Error::bomb));
  page.family("visits_total", "counter", "Visits that ended, by fate");
  for (std::size_t i = 0; i < kFates; ++i) {
    page.value("fate", to_string(static_cast<Fate>(i)), all.fates[i]);
  }
  page.family("fetch_phase_duration_seconds", "histogram", "How long the parts of exchanges took");
  page.histogram("phase", "dns", all.dns);
  page.histogram("phase", "connect", all.connect);
  page.histogram("phase", "tls", all.tls);
  page.histogram("phase", "first_byte", all.first_octet);
  page.histogram("phase", "body", all.body);
  page.single("received_bytes_total", "counter", "Octets of answers on the wire", all.octets);
  page.single("decoded_bytes_total", "counter", "Octets of bodies after decoding", all.decoded);
  page.family("blocked_addresses_total", "counter", "Visits that the address guard stopped, by class");
  for (std::size_t i = 0; i < kAddressClasses; ++i) {
    const auto what = static_cast<fetch::AddressClass>(i);
    page.value("class", what == fetch::AddressClass::global ? "port" : fetch::to_string(what),
               all.blocked[i]);
  }
}

void add_manners(Families& page, const Condition& condition) {
  const Report& total = condition.total;
  const Counters& all = total.counters;
  page.single("politeness_violations_total", "counter",
              "Requests that came sooner than their interval; there must be none", all.violations);
  page.family("politeness_wait_seconds", "histogram", "Between two requests to one origin");
  page.histogram({}, {}, all.gaps);
  page.family("dispatch_lag_seconds", "histogram", "From when a request might be sent to when it was");
  page.histogram({}, {}, all.lag);
  page.family("hosts", "gauge", "Origins by state");
  page.value("state", "ready", total.hosts.ready);
  page.value("state", "waiting", total.hosts.waiting);
  page.value("state", "paused", total.hosts.paused);
  page.value("state", "in_flight", total.hosts.in_flight);
  page.value("state", "idle", total.hosts.idle);
  page.value("state", "asleep", asleep_of(total));
  page.family("robots_fetches_total", "counter", "Answers to requests for robots.txt, by kind of answer");
  for (std::size_t i = 0; i < kAnswered; ++i) {
    page.value("outcome", to_string(static_cast<Answered>(i)),
               all.answers[static_cast<std::size_t>(Asked::robots)][i]);
  }
  page.single("robots_cache_entries", "gauge", "Origins whose robots.txt is in memory", total.robots_entries);
  page.family("robots_cache_requests_total", "counter",
              "Whether robots.txt was in memory when it was needed");
  page.value("result", "hit", all.robots_known);
  page.value("result", "disk", all.robots_recalled);
}

void add_frontier(Families& page, const Condition& condition) {
  const Report& total = condition.total;
  const Counters& all = total.counters;
  page.family("frontier_urls", "gauge", "URLs by state");
  page.value("state", "queued", total.urls.queued);
  page.value("state", "retry", total.urls.later);
  page.value("state", "again", total.urls.again);
  page.value("state", "done", total.urls.seen - std::min(total.urls.seen, total.urls.owed()));
  double oldest = 0;
  if (total.next && total.next->second.due < condition.now.steady) {
    oldest = std::chrono::duration<double>(condition.now.steady - total.next->second.due).count();
  }
  page.single("frontier_oldest_due_seconds", "gauge",
              "How long the origin that may be asked and was not has been due", oldest);
  page.family("urls_discovered_total", "counter", "URLs that were found, by what became of them");
  page.value("verdict", "enqueued", all.queued);
  page.value("verdict", "seen", all.seen);
  page.value("verdict", "out_of_scope", all.out_of_scope);
  page.value("verdict", "over_budget", all.over_budget);
  page.value("verdict", "trap", all.traps);
  page.single("frontier_memory_bytes", "gauge", "Memory of the frontier, roughly", total.frontier_octets);
  page.single("frontier_damaged_rows_total", "counter", "Rows of the frontier that could not be read",
              total.damaged);
}

void add_storage(Families& page, const Condition& condition) {
  const Report& total = condition.total;
  page.family("connections", "gauge", "Connections, by state");
  page.value("state", "open", condition.connections);
  page.single("warc_records_total", "counter", "Records that were written", total.records);
  page.single("warc_written_bytes_total", "counter", "Octets of them, packed", total.record_octets);
  page.family("storage_free_bytes", "gauge", "Octets that may still be written");
  for (const Disk& disk : condition.disks) {
    if (disk.free) page.value("directory", disk.what, *disk.free);
  }
  page.family("storage_errors_total", "counter", "What the disk did not take");
  page.value("operation", "store", condition.state == CrawlState::store_failed ? 1 : 0);
  page.value("operation", "crawl_log", total.crawl_log_dropped);
  page.single("checkpoint_last_success_timestamp_seconds", "gauge", "When the store was durable last",
              seconds_since_1970(condition.syncs.last));
  page.family("checkpoint_duration_seconds", "histogram", "How long making the store durable took");
  page.histogram({}, {}, condition.syncs.times);
  page.family("event_loop_lag_seconds", "histogram", "How long work waited for a thread of the crawl");
  page.histogram({}, {}, condition.loop_lag);
  page.family("clock_steps_total", "counter", "Times that somebody has set the wall clock");
  page.value(condition.clock_steps);
  page.single("bugs_total", "counter", "Visits that ended as none should", total.counters.bugs);
}

void add_log(Families& page, const Condition& condition) {
  page.family("log_messages_total", "counter", "Lines of the log, by level");
  for (std::size_t i = 0; i < base::kLevels; ++i) {
    page.value("level", base::to_string(static_cast<base::Level>(i)), condition.log_lines[i]);
  }
  page.single("log_dropped_messages_total", "counter", "Lines that could not be written",
              condition.log_dropped);
}

}  // namespace

std::string metrics_text(const Condition& condition, const ProcessStats& process) {
  Families page;
  add_state(page, condition);
  add_fetches(page, condition.total.counters);
  add_manners(page, condition);
  add_frontier(page, condition);
  add_storage(page, condition);
  add_log(page, condition);
  add_process(page, process);
  return page.take();
}

}  // namespace crawler
