#include "crawler/records.h"

#include "crawler/codec.h"
#include "crawler/keys.h"

#include <algorithm>

namespace crawler {
namespace {

/// The layout of each record; one that is not known is not guessed at.
constexpr std::uint8_t kLayout = 1;
/// Of hosts since they tell what their pages are worth; those before are read too.
constexpr std::uint8_t kHostLayout = 2;

/// Of a discovery, in one octet.
constexpr unsigned kSeedFlag = 1;
constexpr unsigned kSitemapFlag = 2;
constexpr unsigned kBehalfFlag = 4;
constexpr unsigned kChangesShift = 4;

/// Longer validators are not worth their room: the page is asked for without.
constexpr std::size_t kValidatorOctetsMax = 512;

std::string_view worth_keeping(std::string_view validator) {
  return validator.size() <= kValidatorOctetsMax ? validator : std::string_view();
}

void put_discovery(Encoder& out, const Discovery& discovery) {
  out.count(discovery.depth).count(discovery.redirects).octet(discovery.weight);
  const unsigned flags = (discovery.seed ? kSeedFlag : 0) | (discovery.sitemap ? kSitemapFlag : 0) |
                         (discovery.behalf.empty() ? 0 : kBehalfFlag) |
                         (static_cast<unsigned>(discovery.changes) << kChangesShift);
  out.octet(static_cast<std::uint8_t>(discovery.how)).octet(static_cast<std::uint8_t>(flags));
  if (!discovery.behalf.empty()) out.text(discovery.behalf);
}

Discovery get_discovery(Decoder& in, bool& good) {
  Discovery discovery;
  discovery.depth = static_cast<std::uint32_t>(in.count());
  discovery.redirects = static_cast<std::uint32_t>(in.count());
  discovery.weight = in.octet();
  const std::uint8_t how = in.octet();
  good = good && how <= static_cast<std::uint8_t>(How::imported);
  discovery.how = static_cast<How>(how);
  const unsigned flags = in.octet();
  discovery.seed = (flags & kSeedFlag) != 0;
  discovery.sitemap = (flags & kSitemapFlag) != 0;
  good = good && (flags >> kChangesShift) < kChanges;
  discovery.changes = static_cast<Changes>(flags >> kChangesShift);
  if ((flags & kBehalfFlag) != 0) discovery.behalf = in.text();
  return discovery;
}

void put_timed(Encoder& out, const TimedRecord& record) {
  out.count(record.count).time(record.floor);
}

TimedRecord get_timed(Decoder& in) {
  TimedRecord record;
  record.count = in.count();
  record.floor = in.time();
  return record;
}

}  // namespace

std::string_view to_string(How how) {
  switch (how) {
    case How::seed: return "seed";
    case How::link: return "link";
    case How::redirect: return "redirect";
    case How::sitemap: return "sitemap";
    case How::imported: return "imported";
  }
  return "?";
}

std::string_view to_string(Changes changes) {
  switch (changes) {
    case Changes::unknown: return "unknown";
    case Changes::always: return "always";
    case Changes::hourly: return "hourly";
    case Changes::daily: return "daily";
    case Changes::weekly: return "weekly";
    case Changes::monthly: return "monthly";
    case Changes::yearly: return "yearly";
    case Changes::never: return "never";
  }
  return "?";
}

std::string encode(const HostRecord& record) {
  std::string out;
  Encoder to(out);
  to.octet(kHostLayout).text(record.origin).octet(record.in_flight ? 1 : 0);
  const scheduler::HostState& clocks = record.clocks;
  to.time(clocks.started).time(clocks.ready_from).time(clocks.paused_until);
  to.octet(clocks.overloads).octet(clocks.failures).duration(clocks.latency);
  to.count(record.accepted).count(record.visits);
  to.octet(static_cast<std::uint8_t>(record.lanes.size()));
  for (const LaneRecord& lane : record.lanes) to.octet(lane.lane).count(lane.head).count(lane.tail);
  put_timed(to, record.later);
  put_timed(to, record.again);
  to.maybe(record.listed);
  to.text(record.yield.encode());
  return out;
}

std::optional<HostRecord> decode_host(std::string_view octets) {
  Decoder in(octets);
  const std::uint8_t layout = in.octet();
  if (layout != kLayout && layout != kHostLayout) return std::nullopt;
  HostRecord record;
  record.origin = in.text();
  record.in_flight = in.octet() != 0;
  record.clocks.started = in.time();
  record.clocks.ready_from = in.time();
  record.clocks.paused_until = in.time();
  record.clocks.overloads = in.octet();
  record.clocks.failures = in.octet();
  record.clocks.latency = in.duration();
  record.accepted = in.count();
  record.visits = in.count();
  const std::uint8_t lanes = in.octet();
  bool good = lanes <= kLanes;
  for (std::uint8_t i = 0; good && i < lanes; ++i) {
    LaneRecord lane;
    lane.lane = in.octet();
    lane.head = in.count();
    lane.tail = in.count();
    good = lane.lane < kLanes && lane.head <= lane.tail;
    record.lanes.push_back(lane);
  }
  record.later = get_timed(in);
  record.again = get_timed(in);
  record.listed = in.maybe();
  if (layout == kHostLayout) {
    std::optional<Yield> yield = Yield::decode(in.text());
    good = good && yield;
    if (yield) record.yield = std::move(*yield);
  }
  if (!good || !in.done()) return std::nullopt;
  return record;
}

std::string encode(const QueueRecord& record) {
  std::string out;
  Encoder to(out);
  to.octet(kLayout);
  put_discovery(to, record.discovery);
  to.octet(record.attempts).octet(record.known ? 1 : 0);
  out += record.target;
  return out;
}

std::optional<QueueRecord> decode_queue(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  QueueRecord record;
  bool good = true;
  record.discovery = get_discovery(in, good);
  record.attempts = in.octet();
  record.known = in.octet() != 0;
  record.target = in.rest();
  if (!good || !in.good() || !record.target.starts_with('/')) return std::nullopt;
  return record;
}

std::string encode(const UrlRecord& record) {
  std::string out;
  Encoder to(out);
  to.octet(kLayout).text(record.target);
  put_discovery(to, record.discovery);
  to.octet(static_cast<std::uint8_t>(record.fate)).u16(static_cast<std::uint16_t>(record.status));
  to.count(static_cast<std::uint64_t>(std::max<std::int64_t>(record.visited, 0)));
  to.time(record.checked).maybe(record.due).duration(record.interval);
  to.count(record.checks).count(record.changes).count(record.gone);
  to.hash(record.digest).text(worth_keeping(record.etag)).text(worth_keeping(record.last_modified));
  to.text(record.reason);
  return out;
}

std::optional<UrlRecord> decode_url(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  UrlRecord record;
  bool good = true;
  record.target = in.text();
  record.discovery = get_discovery(in, good);
  const std::uint8_t fate = in.octet();
  good = good && fate < kFates && record.target.starts_with('/');
  record.fate = static_cast<Fate>(fate);
  record.status = in.u16();
  record.visited = static_cast<std::int64_t>(in.count());
  record.checked = in.time();
  record.due = in.maybe();
  record.interval = in.duration();
  record.checks = static_cast<std::uint32_t>(in.count());
  record.changes = static_cast<std::uint32_t>(in.count());
  record.gone = static_cast<std::uint32_t>(in.count());
  record.digest = in.hash();
  record.etag = in.text();
  record.last_modified = in.text();
  record.reason = in.text();
  if (!good || !in.done()) return std::nullopt;
  return record;
}

std::string encode(const SiteRecord& record) {
  std::string out;
  Encoder(out).octet(kLayout).count(record.accepted);
  return out;
}

std::optional<SiteRecord> decode_site(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  const SiteRecord record{in.count()};
  if (!in.done()) return std::nullopt;
  return record;
}

std::string encode(const ContentRecord& record) {
  std::string out;
  Encoder(out)
      .octet(kLayout)
      .text(record.target)
      .u64(static_cast<std::uint64_t>(record.kept))
      .text(record.payload_digest);
  return out;
}

std::optional<ContentRecord> decode_content(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  ContentRecord record;
  record.target = in.text();
  record.kept = static_cast<std::int64_t>(in.u64());
  record.payload_digest = in.text();
  if (!in.done()) return std::nullopt;
  return record;
}

Tally& Tally::operator+=(const Tally& other) {
  origins += other.origins;
  seen += other.seen;
  queued += other.queued;
  later += other.later;
  again += other.again;
  return *this;
}

std::string encode(const Tally& record) {
  std::string out;
  Encoder to(out);
  to.octet(kLayout).count(record.origins).count(record.seen);
  to.count(record.queued).count(record.later).count(record.again);
  return out;
}

std::optional<Tally> decode_tally(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  Tally record;
  record.origins = in.count();
  record.seen = in.count();
  record.queued = in.count();
  record.later = in.count();
  record.again = in.count();
  if (!in.done()) return std::nullopt;
  return record;
}

std::string encode(const robots::Saved& record) {
  std::string out;
  Encoder to(out);
  to.octet(kLayout).octet(static_cast<std::uint8_t>(record.access));
  to.octet(static_cast<std::uint8_t>(record.missing)).u16(static_cast<std::uint16_t>(record.status));
  to.time(record.due).octet(record.has_copy ? 1 : 0);
  to.text(worth_keeping(record.etag)).text(worth_keeping(record.last_modified));
  to.duration(record.lifetime).count(record.failures);
  to.maybe(record.first_failure).maybe(record.first_5xx);
  to.maybe(record.only_5xx_since).maybe(record.last_probe);
  return out;
}

std::optional<robots::Saved> decode_robots(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  robots::Saved record;
  const std::uint8_t access = in.octet();
  const std::uint8_t missing = in.octet();
  if (access > static_cast<std::uint8_t>(robots::Access::defer)) return std::nullopt;
  if (missing > static_cast<std::uint8_t>(robots::Missing::probed)) return std::nullopt;
  record.access = static_cast<robots::Access>(access);
  record.missing = static_cast<robots::Missing>(missing);
  record.status = in.u16();
  record.due = in.time();
  record.has_copy = in.octet() != 0;
  record.etag = in.text();
  record.last_modified = in.text();
  record.lifetime = in.duration();
  record.failures = static_cast<unsigned>(in.count());
  record.first_failure = in.maybe();
  record.first_5xx = in.maybe();
  record.only_5xx_since = in.maybe();
  record.last_probe = in.maybe();
  if (!in.done()) return std::nullopt;
  return record;
}

std::string encode(const base::AxisMark& mark) {
  std::string out;
  Encoder(out)
      .octet(kLayout)
      .time(mark.steady)
      .duration(mark.boot)
      .duration(mark.wall.time_since_epoch())
      .text(mark.boot_id);
  return out;
}

std::optional<base::AxisMark> decode_axis(std::string_view octets) {
  Decoder in(octets);
  if (in.octet() != kLayout) return std::nullopt;
  base::AxisMark mark;
  mark.steady = in.time();
  mark.boot = in.duration();
  mark.wall = base::WallTime(in.duration());
  mark.boot_id = in.text();
  if (!in.done()) return std::nullopt;
  return mark;
}

}  // namespace crawler
