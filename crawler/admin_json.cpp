#include "crawler/admin_json.h"

#include "base/time_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {
namespace {

Json window_json(const base::DailyWindow& window) {
  return fmt::format("{:04}-{:04}", window.written_from, window.written_to);
}

Json wait_json(const HostRow& row, base::WallTime now) {
  return {{"origin", row.origin.text()},
          {"at", time_json(row.next)},
          {"in_seconds", row.next ? Json(seconds_of(*row.next - now)) : Json(nullptr)},
          {"reason", scheduler::to_string(row.waiting)}};
}

Json next_json(const Condition& condition) {
  if (!condition.total.next) return nullptr;
  const auto& [origin, status] = *condition.total.next;
  const base::TimePoint due = std::max(status.due, condition.now.steady);
  return {{"origin", origin.text()},
          {"at", base::rfc3339(condition.now.wall_at(due))},
          {"in_seconds", seconds_of(due - condition.now.steady)},
          {"reason", scheduler::to_string(status.waiting)}};
}

Json disk_json(const Condition& condition) {
  Json disks = Json::array();
  for (const Disk& disk : condition.disks) {
    disks.push_back({{"what", disk.what},
                     {"path", disk.path},
                     {"free", disk.free ? Json(*disk.free) : Json(nullptr)},
                     {"pause_below", condition.pause_below},
                     {"resume_above", condition.resume_above}});
  }
  return disks;
}

Json robots_json(const HostView& view) {
  if (view.about.empty()) return nullptr;
  Json out{{"about", view.about}, {"access", view.access}, {"group", ""}, {"crawl_delay", nullptr}};
  Json rates = Json::array();
  Json visit_times = Json::array();
  Json rules = Json::array();
  Json warnings = Json::array();
  Json sitemaps = Json::array();
  std::size_t count = 0;
  if (view.rules) {
    out["group"] = view.rules->group();
    if (const auto delay = view.rules->crawl_delay()) out["crawl_delay"] = *delay;
    for (const base::RequestRate& rate : view.rules->request_rates()) {
      rates.push_back({{"documents", rate.documents},
                       {"seconds", rate.seconds},
                       {"window", rate.window ? window_json(*rate.window) : Json(nullptr)}});
    }
    for (const base::DailyWindow& window : view.rules->visit_times())
      visit_times.push_back(window_json(window));
    for (const robots::Rules::Rule& rule : view.rules->listing(kRulesTold)) {
      rules.push_back({{"line", rule.line}, {"text", rule.text}, {"allow", rule.allow}});
    }
    for (const robots::Warning& warning : view.rules->warnings()) {
      warnings.push_back({{"line", warning.line}, {"text", warning.text}});
    }
    for (const std::string& sitemap : view.rules->sitemaps()) {
      if (sitemaps.size() < kRulesTold) sitemaps.push_back(sitemap);
    }
    count = view.rules->rule_count();
  }
  out["rates"] = std::move(rates);
  out["visit_times"] = std::move(visit_times);
  out["rules"] = std::move(rules);
  out["rule_count"] = count;
  out["warnings"] = std::move(warnings);
  out["sitemaps"] = std::move(sitemaps);
  out["body"] = view.body;
  out["body_cut"] = view.body_cut;
  return out;
}

}  // namespace

Json time_json(std::optional<base::WallTime> at) {
  return at ? Json(base::rfc3339(*at)) : Json(nullptr);
}

double seconds_of(base::Duration d) {
  return std::chrono::duration<double>(d).count();
}

Json json_of(const Order* order) {
  if (order == nullptr) return nullptr;
  const bool delayed = order->delay > base::Duration::zero();
  return {{"paused", order->paused},
          {"until", time_json(order->until)},
          {"delay_seconds", delayed ? Json(seconds_of(order->delay)) : Json(nullptr)},
          {"since", base::rfc3339(order->since)}};
}

Json json_of(const Condition& condition) {
  const Report& total = condition.total;
  const Counters& all = total.counters;
  Json fates = Json::object();
  for (std::size_t i = 0; i < kFates; ++i) {
    if (all.fates[i] > 0) fates[std::string(to_string(static_cast<Fate>(i)))] = all.fates[i];
  }
  Json errors = Json::object();
  for (std::size_t i = 1; i < fetch::kErrors; ++i) {
    if (all.errors[i] > 0)
      errors[std::string(fetch::to_string(static_cast<fetch::Error>(i)))] = all.errors[i];
  }
  Json waits = Json::array();
  for (const HostRow& row : condition.waits) waits.push_back(wait_json(row, condition.now.wall));
  return {{"version", CRAWLD_VERSION},
          {"state", to_string(condition.state)},
          {"sentence", sentence_of(condition)},
          {"now", base::rfc3339(condition.now.wall)},
          {"started", base::rfc3339(condition.started.wall)},
          {"uptime_seconds", seconds_of(condition.now.steady - condition.started.steady)},
          {"threads", condition.threads},
          {"requests_per_second", condition.requests_per_second},
          {"requests_per_second_minute", condition.requests_per_second_minute},
          {"octets_per_second", condition.octets_per_second},
          {"totals",
           {{"requests", all.requests},
            {"robots_requests", all.robots_requests},
            {"octets", all.octets},
            {"records", total.records},
            {"record_octets", total.record_octets},
            {"violations", all.violations}}},
          {"urls",
           {{"owed", total.urls.owed()},
            {"queued", total.urls.queued},
            {"retry", total.urls.later},
            {"again", total.urls.again},
            {"seen", total.urls.seen},
            {"origins", total.urls.origins}}},
          {"hosts",
           {{"ready", total.hosts.ready},
            {"waiting", total.hosts.waiting},
            {"paused", total.hosts.paused},
            {"in_flight", total.hosts.in_flight},
            {"idle", total.hosts.idle},
            {"asleep", asleep_of(total)}}},
          {"next", next_json(condition)},
          {"longest_waits", std::move(waits)},
          {"fates", std::move(fates)},
          {"errors", std::move(errors)},
          {"disk", disk_json(condition)},
          {"reload", {{"at", time_json(condition.reloaded)}, {"successful", condition.reload_good}}},
          {"orders", condition.orders}};
}

Json json_of(const std::deque<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& sample : samples) {
    list.push_back({{"at", base::rfc3339(sample.at)},
                    {"requests", sample.requests},
                    {"errors", sample.errors},
                    {"octets", sample.octets},
                    {"in_flight", sample.in_flight},
                    {"owed", sample.owed}});
  }
  return {{"step_seconds", seconds_of(History::kStep)}, {"samples", std::move(list)}};
}

Json json_of(const HostRow& row, const Orders& orders, base::WallTime now) {
  Json fates = Json::array();
  for (const Fate fate : row.last_fates) fates.push_back(to_string(fate));
  const bool paced = row.interval.length > base::Duration::zero();
  return {{"origin", row.origin.text()},
          {"host", row.origin.host()},
          {"state", to_string(row.state)},
          {"waiting", scheduler::to_string(row.waiting)},
          {"interval_seconds", paced ? Json(seconds_of(row.interval.length)) : Json(nullptr)},
          {"interval_reason", paced ? Json(scheduler::to_string(row.interval.reason)) : Json(nullptr)},
          {"next", time_json(row.next)},
          {"next_in_seconds", row.next ? Json(std::max(0.0, seconds_of(*row.next - now))) : Json(nullptr)},
          {"owed", row.owed},
          {"accepted", row.accepted},
          {"visits", row.visits},
          {"latency_seconds", seconds_of(row.latency)},
          {"failures", row.failures},
          {"last_request", time_json(row.last)},
          {"last_fates", std::move(fates)},
          {"order", json_of(orders.find(row.origin.host()))}};
}

Json json_of(const PastVisit& visit) {
  return {{"at", base::rfc3339(visit.at)},     {"origin", visit.origin}, {"url", visit.url},
          {"fate", to_string(visit.fate)},     {"status", visit.status}, {"octets", visit.octets},
          {"seconds", seconds_of(visit.took)}, {"links", visit.links},   {"reason", visit.reason}};
}

Json json_of(const HostView& view, const Orders& orders, base::WallTime now) {
  Json out = json_of(view.row, orders, now);
  out["robots"] = robots_json(view);
  Json day = Json::array();
  for (const Stretch& stretch : view.day) {
    day.push_back({{"from", stretch.from},
                   {"to", stretch.to},
                   {"interval_seconds", seconds_of(stretch.interval.length)},
                   {"reason", scheduler::to_string(stretch.interval.reason)},
                   {"open", stretch.open}});
  }
  out["day"] = std::move(day);
  Json recent = Json::array();
  for (const PastVisit& visit : view.recent) recent.push_back(json_of(visit));
  out["recent"] = std::move(recent);
  return out;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crawler
