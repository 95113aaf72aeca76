#include "crawler/frontier_json.h"

#include "base/site.h"
#include "crawler/frontier_fields.h"
#include "crawler/frontier_rows.h"
#include "robots/cache.h"

#include <fmt/format.h>

#include <stdexcept>

namespace crawler {
namespace {

using namespace fields;

std::string_view to_string(robots::Missing missing) {
  switch (missing) {
    case robots::Missing::no: return "no";
    case robots::Missing::empty: return "empty";
    case robots::Missing::answered: return "answered";
    case robots::Missing::astray: return "astray";
    case robots::Missing::outage: return "outage";
    case robots::Missing::probed: return "probed";
  }
  return "";
}

/// The value of Enum whose name stands there; `last` is the last one.
template <class Enum>
Enum named(const Json& line, std::string_view key, Enum last) {
  const std::string name = text(line, key);
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (to_string(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  refuse(key, "is no such word");
}

void put_discovery(Json& out, const Discovery& discovery) {
  out["depth"] = discovery.depth;
  out["redirects"] = discovery.redirects;
  out["weight"] = discovery.weight;
  out["how"] = to_string(discovery.how);
  out["seed"] = discovery.seed;
  if (discovery.sitemap) out["sitemap"] = true;
  if (discovery.changes != Changes::unknown) out["changefreq"] = to_string(discovery.changes);
  if (!discovery.behalf.empty()) out["behalf"] = text(discovery.behalf);
}

Discovery get_discovery(const Json& line) {
  Discovery discovery;
  discovery.depth = number<std::uint32_t>(line, "depth");
  discovery.redirects = number<std::uint32_t>(line, "redirects");
  discovery.weight = number<std::uint8_t>(line, "weight");
  discovery.how = named(line, "how", How::imported);
  discovery.seed = flag(line, "seed");
  // Of these only what differs from the usual is written.
  discovery.sitemap = line.contains("sitemap") && flag(line, "sitemap");
  if (line.contains("changefreq")) discovery.changes = named(line, "changefreq", Changes::never);
  if (line.contains("behalf")) discovery.behalf = text(line, "behalf");
  return discovery;
}

/// Additions go round, so that every instant comes back as it was.
std::int64_t after(base::TimePoint t, base::TimePoint zero) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(t.time_since_epoch().count()) -
                                   static_cast<std::uint64_t>(zero.time_since_epoch().count()));
}

base::TimePoint before(std::int64_t since, base::TimePoint zero) {
  return base::TimePoint(base::Duration(static_cast<std::int64_t>(
      static_cast<std::uint64_t>(since) + static_cast<std::uint64_t>(zero.time_since_epoch().count()))));
}

}  // namespace

Json FrontierJson::instant(base::TimePoint t) const {
  return t == base::TimePoint::min() ? Json(nullptr) : instant(std::optional(t));
}

Json FrontierJson::instant(const std::optional<base::TimePoint>& t) const {
  if (!t) return nullptr;
  return Json::array({after(*t, zero_.steady), wall_text(*t, zero_)});
}

base::TimePoint FrontierJson::instant(const Json& line, std::string_view key) const {
  return maybe(line, key).value_or(base::TimePoint::min());
}

std::optional<base::TimePoint> FrontierJson::maybe(const Json& line, std::string_view key) const {
  const Json& value = field(line, key);
  if (value.is_null()) return std::nullopt;
  if (!value.is_array() || value.empty()) refuse(key, "is not an instant");
  return before(whole(value.front(), key), zero_.steady);
}

Json FrontierJson::timed(const TimedRecord& record) const {
  Json out = {{"count", record.count}};
  if (record.count > 0) out["floor"] = instant(record.floor);
  return out;
}

TimedRecord FrontierJson::timed(const Json& line, std::string_view key) const {
  const Json& value = field(line, key);
  TimedRecord record;
  record.count = count(value, "count", kAny);
  if (record.count > 0) record.floor = instant(value, "floor");
  return record;
}

Json FrontierJson::line(const ExportHeader& header) {
  const FrontierJson json(header.mark);
  Json out;
  out["crawld_frontier"] = kExportLayout;
  out["mark"] = wall_text(header.mark.steady, json.zero_);
  out["axis"] = {{"steady_ns", header.mark.steady.time_since_epoch().count()},
                 {"boot_ns", header.mark.boot.count()},
                 {"wall_ns", header.mark.wall.time_since_epoch().count()},
                 {"boot_id", text(header.mark.boot_id)}};
  out["stopped"] = json.instant(header.stopped);
  out["secret"] = secret(header.secret);
  out["seeds"] = header.seeds ? text(*header.seeds) : Json(nullptr);
  out["suffixes"] = header.suffixes ? text(*header.suffixes) : Json(nullptr);
  return out;
}

ExportHeader FrontierJson::header(const Json& line) {
  if (!line.is_object() || !line.contains("crawld_frontier"))
    throw std::runtime_error("not an export of a frontier: its first line has no crawld_frontier");
  if (const std::uint64_t layout = count(line, "crawld_frontier", kAny); layout != kExportLayout)
    throw std::runtime_error(
        fmt::format("an export of layout {}, and this version knows {} only", layout, kExportLayout));
  const Json& axis = field(line, "axis");
  ExportHeader header;
  header.mark.steady = base::TimePoint(base::Duration(whole_field(axis, "steady_ns")));
  header.mark.boot = base::Duration(whole_field(axis, "boot_ns"));
  header.mark.wall = base::WallTime(base::Duration(whole_field(axis, "wall_ns")));
  header.mark.boot_id = text(axis, "boot_id");
  header.stopped = FrontierJson(header.mark).maybe(line, "stopped");
  header.secret = secret(line, "secret");
  if (!field(line, "seeds").is_null()) header.seeds = text(line, "seeds");
  if (!field(line, "suffixes").is_null()) header.suffixes = text(line, "suffixes");
  return header;
}

Json FrontierJson::line(const HostRow& row) const {
  const HostRecord& record = row.record;
  Json out;
  out["host"] = text(record.origin);
  out["partition"] = row.partition;
  out["in_flight"] = record.in_flight;
  out["started"] = instant(record.clocks.started);
  out["ready_from"] = instant(record.clocks.ready_from);
  out["paused_until"] = instant(record.clocks.paused_until);
  out["overloads"] = record.clocks.overloads;
  out["failures"] = record.clocks.failures;
  out["latency_ns"] = record.clocks.latency.count();
  out["accepted"] = record.accepted;
  out["visits"] = record.visits;
  out["lanes"] = Json::array();
  for (const LaneRecord& lane : record.lanes) {
    out["lanes"].push_back({{"lane", lane.lane}, {"head", lane.head}, {"tail", lane.tail}});
  }
  out["later"] = timed(record.later);
  out["again"] = timed(record.again);
  out["listed"] = instant(record.listed);
  out["yield"] = text(record.yield.encode());
  return out;
}

HostRow FrontierJson::host(const Json& line) const {
  HostRow row;
  HostRecord& record = row.record;
  record.origin = text(line, "host");
  if (origin_of(record.origin).text().empty()) refuse("host", "is not an origin");
  row.partition = static_cast<std::uint16_t>(count(line, "partition", base::kPartitions - 1));
  record.in_flight = flag(line, "in_flight");
  record.clocks.started = instant(line, "started");
  record.clocks.ready_from = instant(line, "ready_from");
  record.clocks.paused_until = instant(line, "paused_until");
  record.clocks.overloads = number<std::uint8_t>(line, "overloads");
  record.clocks.failures = number<std::uint8_t>(line, "failures");
  record.clocks.latency = base::Duration(whole_field(line, "latency_ns"));
  record.accepted = count(line, "accepted", kAny);
  record.visits = count(line, "visits", kAny);
  const Json& lanes = field(line, "lanes");
  if (!lanes.is_array() || lanes.size() > kLanes) refuse("lanes", "are not a list of at most 16");
  for (const Json& lane : lanes) {
    record.lanes.push_back(
        {number<std::uint8_t>(lane, "lane"), count(lane, "head", kAny), count(lane, "tail", kAny)});
  }
  record.later = timed(line, "later");
  record.again = timed(line, "again");
  record.listed = maybe(line, "listed");
  if (line.contains("yield")) {
    std::optional<Yield> yield = Yield::decode(text(line, "yield"));
    if (!yield) refuse("yield", "is not one");
    record.yield = std::move(*yield);
  }
  if (!decode_host(encode(record))) refuse("lanes", "make no record");
  return row;
}

Json FrontierJson::line(const OwedRow& row) const {
  Json out;
  out["owed"] = text(row.record.target);
  if (row.kind == kLater) {
    out["due"] = instant(std::optional(row.due));
  } else {
    out["lane"] = row.kind;
    out["number"] = row.number;
  }
  put_discovery(out, row.record.discovery);
  out["attempts"] = row.record.attempts;
  out["known"] = row.record.known;
  return out;
}

OwedRow FrontierJson::owed(const Json& line) const {
  OwedRow row;
  row.record.target = text(line, "owed");
  if (line.contains("due")) {
    row.kind = kLater;
    row.due = instant(line, "due");
  } else {
    row.kind = static_cast<std::uint8_t>(count(line, "lane", kLanes - 1));
    row.number = count(line, "number", kAny);
  }
  row.record.discovery = get_discovery(line);
  row.record.attempts = number<std::uint8_t>(line, "attempts");
  row.record.known = flag(line, "known");
  return row;
}

Json FrontierJson::line(const UrlRecord& record) const {
  Json out;
  out["url"] = text(record.target);
  put_discovery(out, record.discovery);
  out["fate"] = to_string(record.fate);
  out["status"] = record.status;
  out["visited"] = record.visited;
  out["checked"] = instant(record.checked);
  out["due"] = instant(record.due);
  out["interval_ns"] = record.interval.count();
  out["checks"] = record.checks;
  out["changes"] = record.changes;
  out["gone"] = record.gone;
  out["digest"] = fingerprint(record.digest);
  out["etag"] = text(record.etag);
  out["last_modified"] = text(record.last_modified);
  out["reason"] = text(record.reason);
  return out;
}

UrlRecord FrontierJson::url(const Json& line) const {
  UrlRecord record;
  record.target = text(line, "url");
  record.discovery = get_discovery(line);
  record.fate = named(line, "fate", static_cast<Fate>(kFates - 1));
  record.status = number<std::uint16_t>(line, "status");
  record.visited = whole_field(line, "visited");
  record.checked = instant(line, "checked");
  record.due = maybe(line, "due");
  record.interval = base::Duration(whole_field(line, "interval_ns"));
  record.checks = number<std::uint32_t>(line, "checks");
  record.changes = number<std::uint32_t>(line, "changes");
  record.gone = number<std::uint32_t>(line, "gone");
  record.digest = fingerprint(line, "digest");
  record.etag = text(line, "etag");
  record.last_modified = text(line, "last_modified");
  record.reason = text(line, "reason");
  return record;
}

Json FrontierJson::line(const RobotsRow& row) const {
  const robots::Saved& saved = row.saved;
  Json out;
  out["robots"] = robots::to_string(saved.access);
  out["missing"] = to_string(saved.missing);
  out["status"] = saved.status;
  out["due"] = instant(saved.due);
  out["has_copy"] = saved.has_copy;
  out["etag"] = text(saved.etag);
  out["last_modified"] = text(saved.last_modified);
  out["lifetime_ns"] = saved.lifetime.count();
  out["outage"] = saved.failures;
  out["first_failure"] = instant(saved.first_failure);
  out["first_5xx"] = instant(saved.first_5xx);
  out["only_5xx_since"] = instant(saved.only_5xx_since);
  out["last_probe"] = instant(saved.last_probe);
  out["body"] = row.body ? text(*row.body) : Json(nullptr);
  return out;
}

RobotsRow FrontierJson::robots(const Json& line) const {
  RobotsRow row;
  robots::Saved& saved = row.saved;
  saved.access = named(line, "robots", robots::Access::defer);
  saved.missing = named(line, "missing", robots::Missing::probed);
  saved.status = number<std::uint16_t>(line, "status");
  saved.due = instant(line, "due");
  saved.has_copy = flag(line, "has_copy");
  saved.etag = text(line, "etag");
  saved.last_modified = text(line, "last_modified");
  saved.lifetime = base::Duration(whole_field(line, "lifetime_ns"));
  saved.failures = number<unsigned>(line, "outage");
  saved.first_failure = maybe(line, "first_failure");
  saved.first_5xx = maybe(line, "first_5xx");
  saved.only_5xx_since = maybe(line, "only_5xx_since");
  saved.last_probe = maybe(line, "last_probe");
  if (!field(line, "body").is_null()) row.body = text(line, "body");
  return row;
}

}  // namespace crawler
