// The lines that a shard writes: one for each visit, at its end.
#include "base/time_text.h"
#include "crawler/shard.h"

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

}  // namespace

void Shard::log_visit(const Visit& visit, Fate fate, const fetch::Outcome& outcome, base::Now begun,
                      base::Now now, std::size_t links) {
  if (!log_.wants(base::Level::info)) return;
  const base::Url& url = visit.item.url;
  base::Line line(base::Level::info, "visit");
  line.text("url", url.text()).text("origin", url.origin_text()).word("fate", to_string(fate));
  add_exchange(line, outcome, begun, now);
  line.number("depth", visit.item.discovery.depth);
  add_interval(line, queue_.interval(url.origin(), now.wall));
  line.word("verdict", "allowed")
      .text("group", visit.group)
      .text("rule", visit.rule)
      .number("line", visit.line);
  line.number("links", static_cast<std::int64_t>(links));
  if (outcome.status >= 300 && outcome.status < 400) line.text("location", outcome.headers.get("Location"));
  if (outcome.cut) line.word("cut", "body");
  if (fate == Fate::retry || fate == Fate::given_up) line.number("attempts", visit.item.attempts + 1);
  log_.write(line, now.wall);
}

void Shard::log_unsent(const Item& item, Fate fate, const robots::Decision& decision, std::string_view why,
                       base::Now now) {
  if (!log_.wants(base::Level::info)) return;
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
  if (!log_.wants(base::Level::info)) return;
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

void Shard::log_robots(const Errand& errand, const fetch::Outcome& outcome, base::Now begun, base::Now now) {
  if (!log_.wants(base::Level::info)) return;
  base::Line line(base::Level::info, "robots");
  line.text("url", errand.want.url.text()).text("origin", errand.behalf.text());
  line.word("purpose", robots::to_string(errand.want.purpose));
  add_exchange(line, outcome, begun, now);
  if (outcome.status >= 300 && outcome.status < 400) line.text("location", outcome.headers.get("Location"));
  log_.write(line, now.wall);
}

}  // namespace crawler
