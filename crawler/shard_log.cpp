// The lines that a shard writes: one for each visit, at its end.
#include "base/time_text.h"
#include "crawler/crawl_log.h"
#include "crawler/keeping.h"
#include "crawler/shard.h"

#include <algorithm>

namespace crawler {
namespace {

std::int64_t milliseconds_between(base::Now from, base::Now to) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(to.steady - from.steady).count();
}

void add_exchange(base::Line& line, const fetch::Outcome& outcome, base::Now begun, base::Now now) {
  line.number("status", outcome.status);
  line.number("octets", static_cast<std::int64_t>(outcome.body.size()));
  line.number("ms", milliseconds_between(begun, now));
  if (outcome.error == fetch::Error::none) return;
  line.word("error", fetch::to_string(outcome.error));
  line.text("detail", outcome.detail);
}

void add_interval(base::Line& line, const scheduler::Interval& interval) {
  line.word("interval", base::duration_text(interval.length));
  line.word("reason", scheduler::to_string(interval.reason));
}

void add_place(base::Line& line, const Place& place) {
  line.text("warc", place.file).number("offset", static_cast<std::int64_t>(place.offset));
}

}  // namespace

void Shard::log_visit(const Told& told, base::Now now) {
  log_crawl(told, now);
  recent_.add({told.begun.wall, std::string(told.visit.item.url.origin_text()),
               std::string(told.visit.item.url.text()), told.fate, told.outcome.status,
               told.outcome.body.size(), told.ended.steady - told.begun.steady, told.links,
               told.outcome.error == fetch::Error::none ? std::string()
                                                        : std::string(fetch::to_string(told.outcome.error))});
  if (!log_.wants(base::Level::info, "visit")) return;
  const Visit& visit = told.visit;
  const fetch::Outcome& outcome = told.outcome;
  const base::Url& url = visit.item.url;
  base::Line line(base::Level::info, "visit");
  line.text("url", url.text()).text("origin", url.origin_text()).word("fate", to_string(told.fate));
  add_exchange(line, outcome, told.begun, told.ended);
  line.number("depth", visit.item.discovery.depth);
  add_interval(line, queue_.interval(url.origin(), told.ended.wall));
  line.word("verdict", "allowed")
      .text("group", visit.group)
      .text("rule", visit.rule)
      .number("line", visit.line);
  line.number("links", static_cast<std::int64_t>(told.links));
  if (told.findings.sitemap != Sitemap::Kind::none) line.word("sitemap", to_string(told.findings.sitemap));
  if (!told.findings.problem.empty()) line.text("problem", told.findings.problem);
  if (told.findings.traps > 0) line.number("traps", static_cast<std::int64_t>(told.findings.traps));
  if (outcome.status >= 300 && outcome.status < 400) line.text("location", outcome.headers.get("Location"));
  if (outcome.cut) line.word("cut", "body");
  if (!outcome.certificate.empty()) line.text("certificate", outcome.certificate);
  if (told.fate == Fate::retry || told.fate == Fate::given_up)
    line.number("attempts", visit.item.attempts + 1);
  if (told.place) add_place(line, *told.place);
  log_.write(line, told.ended.wall);
}

void Shard::log_crawl(const Told& told, base::Now now) {
  if (crawl_log_ == nullptr) return;
  const Visit& visit = told.visit;
  const fetch::Outcome& outcome = told.outcome;
  CrawlEntry entry;
  entry.logged = now.wall;
  entry.begun = told.begun.wall;
  entry.took = told.ended.steady - told.begun.steady;
  entry.status = heritrix_status(told.fate, outcome.error, outcome.status);
  entry.octets = outcome.body.size();
  entry.url = visit.item.url.text();
  entry.path = hops_of(visit.item.discovery);
  entry.mime = outcome.headers.get("Content-Type");
  entry.worker = number_;
  entry.digest = told.payload_digest;
  entry.fate = to_string(told.fate);
  if (outcome.error != fetch::Error::none) entry.error = fetch::to_string(outcome.error);
  entry.detail = outcome.detail;
  const std::string ip = outcome.status == 0 ? std::string() : outcome.peer.text();
  entry.ip = ip;
  entry.interval = queue_.interval(visit.item.url.origin(), told.begun.wall);
  entry.axis = told.begun.steady;
  entry.robots = robots::to_string(robots_.access(visit.item.url.origin()));
  entry.robots_group = visit.group;
  entry.robots_rule = visit.rule;
  entry.robots_line = static_cast<std::size_t>(std::max(visit.line, 0));
  entry.annotations.emplace_back(to_string(told.fate));
  if (outcome.error != fetch::Error::none) entry.annotations.emplace_back(fetch::to_string(outcome.error));
  if (told.findings.sitemap != Sitemap::Kind::none) entry.annotations.emplace_back("sitemap");
  if (outcome.cut) entry.annotations.emplace_back("cut");
  if (told.place) {
    entry.warc_file = told.place->file;
    entry.warc_offset = told.place->offset;
  }
  crawl_log_->write(std::move(entry));
}

void Shard::log_unsent(const Item& item, Fate fate, const robots::Decision& decision, std::string_view why,
                       base::Now now) {
  recent_.add({now.wall,
               std::string(item.url.origin_text()),
               std::string(item.url.text()),
               fate,
               0,
               0,
               {},
               0,
               std::string(decision.rule.empty() ? why : decision.rule)});
  if (crawl_log_ != nullptr) {
    CrawlEntry entry;
    entry.logged = now.wall;
    entry.status = heritrix_status(fate, fetch::Error::none, 0);
    entry.url = item.url.text();
    entry.path = hops_of(item.discovery);
    entry.worker = number_;
    entry.fate = to_string(fate);
    entry.detail = why;
    entry.robots_group = decision.group;
    entry.robots_rule = decision.rule;
    entry.robots_line = static_cast<std::size_t>(std::max(decision.line, 0));
    entry.annotations.emplace_back(to_string(fate));
    crawl_log_->write(std::move(entry));
  }
  if (!log_.wants(base::Level::info, "visit")) return;
  base::Line line(base::Level::info, "visit");
  line.text("url", item.url.text()).text("origin", item.url.origin_text()).word("fate", to_string(fate));
  line.number("status", 0).number("octets", 0).number("ms", 0).number("depth", item.discovery.depth);
  add_interval(line, queue_.interval(item.url.origin(), now.wall));
  line.word("verdict", fate == Fate::disallowed ? "disallowed" : "none");
  line.text("group", decision.group).text("rule", decision.rule).number("line", decision.line);
  line.number("links", 0);
  if (!why.empty()) line.text("detail", why);
  log_.write(line, now.wall);
}

void Shard::log_verdict(const base::Origin& origin, base::Now now) {
  if (!log_.wants(base::Level::info, "verdict")) return;
  base::Line line(base::Level::info, "verdict");
  line.text("origin", origin.text()).word("access", robots::to_string(robots_.access(origin)));
  line.text("robots", robots_.explain(origin, now.steady));
  if (const robots::Rules* rules = robots_.rules(origin)) {
    line.text("group", rules->group()).number("rules", static_cast<std::int64_t>(rules->rule_count()));
    line.number("warnings", static_cast<std::int64_t>(rules->warning_count()));
  }
  add_interval(line, queue_.interval(origin, now.wall));
  log_.write(line, now.wall);
}

void Shard::log_robots(const Errand& errand, const fetch::Outcome& outcome, base::Now begun, base::Now now,
                       const std::optional<Place>& place) {
  if (crawl_log_ != nullptr) {
    CrawlEntry entry;
    entry.logged = now.wall;
    entry.begun = begun.wall;
    entry.took = now.steady - begun.steady;
    entry.status = heritrix_status(Fate::fetched, outcome.error, outcome.status);
    entry.octets = outcome.body.size();
    entry.url = errand.want.url.text();
    entry.path = "P";
    entry.mime = outcome.headers.get("Content-Type");
    entry.worker = number_;
    entry.fate = "robots";
    const std::string digest =
        place && outcome.status != 304 ? payload_digest_of(config_.archive, outcome) : std::string();
    entry.digest = digest;
    if (outcome.error != fetch::Error::none) entry.error = fetch::to_string(outcome.error);
    entry.detail = outcome.detail;
    entry.annotations.emplace_back("robots");
    if (outcome.error != fetch::Error::none) entry.annotations.emplace_back(fetch::to_string(outcome.error));
    if (errand.want.purpose != robots::Purpose::robots_txt) {
      entry.annotations.emplace_back(robots::to_string(errand.want.purpose));
    }
    entry.interval = queue_.interval(errand.want.url.origin(), begun.wall);
    entry.axis = begun.steady;
    if (errand.behalf.text() != errand.want.url.origin_text()) entry.behalf = errand.behalf.text();
    if (place) {
      entry.warc_file = place->file;
      entry.warc_offset = place->offset;
    }
    crawl_log_->write(std::move(entry));
  }
  if (!log_.wants(base::Level::info, "robots")) return;
  base::Line line(base::Level::info, "robots");
  line.text("url", errand.want.url.text()).text("origin", errand.behalf.text());
  line.word("purpose", robots::to_string(errand.want.purpose));
  add_exchange(line, outcome, begun, now);
  if (outcome.status >= 300 && outcome.status < 400) line.text("location", outcome.headers.get("Location"));
  if (place) add_place(line, *place);
  log_.write(line, now.wall);
}

}  // namespace crawler
