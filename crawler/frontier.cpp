// Offers, origins, and the one write that makes everything last. URLs are in frontier_urls.cpp.
#include "crawler/frontier.h"

#include "base/site.h"
#include "crawler/codec.h"
#include "crawler/frontier_host.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace crawler {
namespace {

/// Least depth first, where a heavy seed's links count as less deep.
std::uint8_t lane_of(const Discovery& discovery) {
  const std::uint32_t depth = discovery.depth / std::max<std::uint32_t>(1, discovery.weight);
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(depth, kLanes - 1));
}

/// Of a shard's memory, one part in so many is for held origins and their URLs; the seen set has the rest.
constexpr std::uint64_t kOriginsShare = 4;

/// Of the memory for origins, one part in so many may go to those that are not held.
constexpr std::size_t kLooseShare = 8;

std::string robots_key(std::string_view origin_key, std::string_view suffix) {
  std::string key(origin_key);
  key += suffix;
  return key;
}

}  // namespace

Frontier::Frontier(const Parts& parts)
    : store_(parts.store),
      batch_(parts.store),
      secret_(parts.secret),
      opened_(parts.opened),
      partitions_(parts.partitions),
      scope_(parts.scope),
      recrawl_(parts.recrawl),
      traps_(parts.traps),
      octets_max_(parts.memory / kOriginsShare),
      loose_max_(octets_max_ / kLooseShare / kLooseOctets),
      seen_(parts.memory - octets_max_, parts.fresh),
      tallies_(partitions_.last - partitions_.first) {
  store_.scan(Table::meta, kTallyPrefix, tally_key(static_cast<std::uint16_t>(partitions_.first)),
              [this](std::string_view key, std::string_view value) {
                const std::uint16_t partition = Decoder(key.substr(kTallyPrefix.size())).u16();
                if (!partitions_.contains(partition)) return partition < partitions_.last;
                tallies_[partition - partitions_.first] = decode_tally(value).value_or(Tally{});
                return true;
              });
}

Frontier::~Frontier() = default;

std::size_t Frontier::Host::lane_place(std::uint8_t lane) {
  const auto found = std::ranges::lower_bound(record.lanes, lane, {}, &LaneRecord::lane);
  const auto place = static_cast<std::size_t>(found - record.lanes.begin());
  if (found == record.lanes.end() || found->lane != lane) {
    record.lanes.insert(found, LaneRecord{lane, 0, 0});
    lanes.emplace(lanes.begin() + static_cast<std::ptrdiff_t>(place));
  }
  return place;
}

Offered Frontier::offer(Offer offer, base::TimePoint now) {
  const base::Hash128 fingerprint = base::keyed_hash(offer.url.text(), secret_);
  const Seen::Answer seen = seen_.contains(fingerprint);
  if (seen == Seen::Answer::yes && !offer.modified) return Offered::seen;
  Host* found = find(offer.url.origin_text());
  Host& host = found != nullptr ? *found : get(offer.url.origin());
  if (seen == Seen::Answer::yes) {
    return hasten(host, fingerprint, *offer.modified, now) ? Offered::hastened : Offered::seen;
  }
  if (seen == Seen::Answer::ask_store && store_.get(Table::urls, url_key(host.key, fingerprint))) {
    seen_.insert(fingerprint);
    const bool sooner = offer.modified && hasten(host, fingerprint, *offer.modified, now);
    return sooner ? Offered::hastened : Offered::seen;
  }
  if (host.record.accepted >= scope_.max_urls_per_origin) return Offered::over_origin_budget;
  if (host.site->record.accepted >= scope_.max_urls_per_domain) return Offered::over_domain_budget;
  const bool has_query = offer.url.path().size() < offer.url.target().size();
  if (has_query && !host.record.yield.admit_query(offer.url.path(), traps_.max_queries_per_path))
    return Offered::over_query_budget;

  seen_.insert(fingerprint);
  ++host.record.accepted;
  ++host.site->record.accepted;
  if (!std::exchange(host.site->touched, true)) touched_sites_.push_back(host.site);
  Tally& tally = tally_of(host);
  ++tally.seen;
  ++tally.queued;

  const std::uint8_t number = lane_of(offer.discovery);
  const std::size_t place = host.lane_place(number);
  LaneRecord& lane = host.record.lanes[place];
  Host::Lane& memory = host.lanes[place];
  std::string row = lane_key(host.key, number, lane.tail);
  const QueueRecord record{offer.discovery, 0, false, std::string(offer.url.target())};
  batch_.put(Table::urls, url_key(host.key, fingerprint), {});
  batch_.put(Table::queue, row, encode(record));
  if (host.held && memory.read == lane.tail && memory.items.size() < kBatch) {
    memory.items.push_back({std::move(offer.url), offer.discovery, 0, nullptr, std::move(row)});
    host.octets += octets_of(memory.items.back());
    octets_ += octets_of(memory.items.back());
    ++memory.read;
  }
  ++lane.tail;
  if (!host.record.listed || *host.record.listed > now) list(host, now);
  change(host);
  return Offered::queued;
}

void Frontier::hold(const base::Origin& origin) {
  Host& host = get(origin);
  if (std::exchange(host.held, true)) return;
  ++held_;
  host.octets = kHostOctets;
  octets_ += host.octets;
  if (host.fresh) change(host);
}

std::optional<base::Origin> Frontier::hold(const DueRow& row) {
  std::unique_ptr<Host> host = read_host(origin_key(row.partition, row.origin), nullptr);
  if (!host) return std::nullopt;
  const base::Origin origin = host->origin;
  if (find(origin.text()) == nullptr) add(std::move(host));
  hold(origin);
  return origin;
}

bool Frontier::held(const base::Origin& origin) const {
  const Host* const host = find(origin.text());
  return host != nullptr && host->held;
}

void Frontier::release(const base::Origin& origin) {
  Host& host = known(origin);
  assert(!host.taken);
  host.held = false;
  --held_;
  octets_ -= std::exchange(host.octets, 0);
  host.unread_all();
  touch(host);
}

DueRow Frontier::row_of(const base::Origin& origin, base::TimePoint due) const {
  const Host* const host = find(origin.text());
  const std::string key = host != nullptr ? host->key : key_of(origin);
  return {partition_of_key(key), origin_of_key(key), due};
}

scheduler::HostState Frontier::clocks(const base::Origin& origin) const {
  return known(origin).record.clocks;
}

void Frontier::begin_request(const base::Origin& origin) {
  Host& host = known(origin);
  host.record.in_flight = true;
  change(host);
}

void Frontier::end_request(const base::Origin& origin, const scheduler::HostState& clocks) {
  Host& host = known(origin);
  if (!std::exchange(host.record.in_flight, false)) return;
  host.record.clocks = clocks;
  change(host);
}

std::optional<std::pair<robots::Saved, std::string>> Frontier::robots(const base::Origin& origin) const {
  const std::string key = key_of(origin);
  const auto standing = store_.get(Table::robots, robots_key(key, kStandingSuffix));
  if (!standing) return std::nullopt;
  std::optional<robots::Saved> saved = decode_robots(*standing);
  if (!saved) return std::nullopt;
  std::string body;
  if (saved->has_copy) {
    auto found = store_.get(Table::robots, robots_key(key, kBodySuffix));
    if (!found) return std::nullopt;
    body = std::move(*found);
  }
  return std::pair(std::move(*saved), std::move(body));
}

void Frontier::keep_robots(const base::Origin& origin, const robots::Saved& saved, const std::string* body) {
  const Host& host = known(origin);
  batch_.put(Table::robots, robots_key(host.key, kStandingSuffix), encode(saved));
  if (body != nullptr) {
    batch_.put(Table::robots, robots_key(host.key, kBodySuffix), *body);
  } else if (!saved.has_copy) {
    batch_.erase(Table::robots, robots_key(host.key, kBodySuffix));
  }
}

void Frontier::list(const base::Origin& origin, std::optional<base::TimePoint> due) {
  list(known(origin), due);
}

void Frontier::list(Host& host, std::optional<base::TimePoint> due) {
  if (host.record.listed == due) return;
  if (host.record.listed) batch_.erase(Table::due, due_key(*host.record.listed, host.key));
  if (due) batch_.put(Table::due, due_key(*due, host.key), {});
  host.record.listed = due;
  change(host);
}

base::TimePoint Frontier::due_rows(std::string& after, base::TimePoint until, std::size_t most,
                                   std::vector<DueRow>& rows) const {
  std::size_t looked_at = 0;
  base::TimePoint all_until = until;
  const std::string from = after;
  store_.scan(Table::due, {}, from, [&](std::string_view key, std::string_view) {
    const std::optional<DueKey> parsed = parse_due_key(key);
    if (!parsed || key == from) return true;
    if (parsed->due > until) return false;
    if (looked_at++ == most) {
      all_until = parse_due_key(after)->due;
      return false;
    }
    after = key;
    const std::uint16_t partition = partition_of_key(parsed->origin_key);
    if (partitions_.contains(partition)) {
      rows.push_back({partition, origin_of_key(parsed->origin_key), parsed->due});
    }
    return true;
  });
  // All that is due by then has been read, and what comes later under such an instant is told by other means.
  if (all_until == until) after = due_key(until, std::string(kOriginKeyOctets, '\xff'));
  return all_until;
}

std::optional<HostRecord> Frontier::record_of(const base::Origin& origin) const {
  if (const Host* const host = find(origin.text())) return host->record;
  const auto octets = store_.get(Table::hosts, key_of(origin));
  return octets ? decode_host(*octets) : std::nullopt;
}

std::optional<base::Origin> Frontier::name_of(const DueRow& row) const {
  const auto octets = store_.get(Table::hosts, origin_key(row.partition, row.origin));
  const std::optional<HostRecord> record = octets ? decode_host(*octets) : std::nullopt;
  const auto url = base::Url::parse(record ? record->origin + "/" : std::string());
  if (!url) return std::nullopt;
  return url->origin();
}

std::vector<std::string> Frontier::followed() const {
  std::vector<std::string> hosts;
  store_.scan(Table::meta, kFollowedPrefix, {}, [&hosts](std::string_view key, std::string_view) {
    hosts.emplace_back(key.substr(kFollowedPrefix.size()));
    return true;
  });
  return hosts;
}

void Frontier::keep_followed(std::string_view host) {
  batch_.put(Table::meta, std::string(kFollowedPrefix) + std::string(host), {});
}

std::string Frontier::content_key(const Host& host, const base::Hash128& digest) const {
  return crawler::content_key(partition_of_key(host.key), base::keyed_hash(host.site->name, secret_), digest);
}

std::optional<ContentRecord> Frontier::content(const base::Origin& origin,
                                               const base::Hash128& digest) const {
  const auto octets = store_.get(Table::contents, content_key(known(origin), digest));
  return octets ? decode_content(*octets) : std::nullopt;
}

void Frontier::keep_content(const base::Origin& origin, const base::Hash128& digest,
                            const ContentRecord& record) {
  batch_.put(Table::contents, content_key(known(origin), digest), encode(record));
}

void Frontier::note_yield(const base::Url& url, bool repeated) {
  Host& host = *find(url.origin_text());
  host.record.yield.note(url.target(), repeated, traps_.brake_after);
  change(host);
}

std::optional<Yield::Brake> Frontier::brake_of(const base::Url& url) const {
  const Host* const host = find(url.origin_text());
  return host == nullptr ? std::nullopt : host->record.yield.brake_of(url.target(), traps_.brake_after);
}

void Frontier::set_options(const config::Scope& scope, const config::Recrawl& recrawl,
                           const config::Traps& traps) {
  scope_ = scope;
  recrawl_ = recrawl;
  traps_ = traps;
}

bool Frontier::commit() {
  for (Host* const host : touched_) {
    if (std::exchange(host->changed, false)) batch_.put(Table::hosts, host->key, encode(host->record));
  }
  for (Site* const site : touched_sites_) {
    site->touched = false;
    batch_.put(Table::sites, site_key(site->name), encode(site->record));
  }
  std::ranges::sort(touched_tallies_);
  touched_tallies_.erase(std::unique(touched_tallies_.begin(), touched_tallies_.end()),
                         touched_tallies_.end());
  for (const std::uint32_t place : touched_tallies_) {
    batch_.put(Table::meta, tally_key(static_cast<std::uint16_t>(partitions_.first + place)),
               encode(tallies_[place]));
  }
  touched_sites_.clear();
  touched_tallies_.clear();
  const bool written = store_.write(batch_);
  for (Host* const host : std::exchange(touched_, {})) {
    host->touched = false;
    if (!host->held && !std::exchange(host->loose, true)) loose_.push_back(host);
  }
  while (loose_.size() > loose_max_) {
    Host& oldest = *loose_.front();
    loose_.pop_front();
    oldest.loose = false;
    if (!oldest.held) let_go(oldest);
  }
  return written;
}

Tally Frontier::tally() const {
  Tally sum;
  for (const Tally& tally : tallies_) sum += tally;
  return sum;
}

Frontier::Host* Frontier::find(std::string_view origin) {
  const auto found = hosts_.find(origin);
  return found == hosts_.end() ? nullptr : found->second.get();
}

const Frontier::Host* Frontier::find(std::string_view origin) const {
  const auto found = hosts_.find(origin);
  return found == hosts_.end() ? nullptr : found->second.get();
}

Frontier::Host& Frontier::known(const base::Origin& origin) {
  Host* const host = find(origin.text());
  assert(host != nullptr && host->held);
  return *host;
}

const Frontier::Host& Frontier::known(const base::Origin& origin) const {
  const Host* const host = find(origin.text());
  assert(host != nullptr && host->held);
  return *host;
}

std::string Frontier::key_of(const base::Origin& origin) const {
  const std::uint32_t partition = base::partition_of(base::site_of(origin.host()));
  return origin_key(static_cast<std::uint16_t>(partition), base::keyed_hash(origin.text(), secret_));
}

/// From memory, from the store, or new. Unless it is held it goes some time after the next commit(): popular
/// origins are linked to again and again.
Frontier::Host& Frontier::get(const base::Origin& origin) {
  if (Host* const host = find(origin.text())) return *host;
  std::string key = key_of(origin);
  std::unique_ptr<Host> host = read_host(key, &origin);
  if (host) return add(std::move(host));
  host = std::make_unique<Host>();
  host->key = std::move(key);
  host->origin = origin;
  host->record.origin = origin.text();
  host->fresh = true;
  return add(std::move(host));
}

std::unique_ptr<Frontier::Host> Frontier::read_host(std::string key, const base::Origin* origin) {
  const std::optional<std::string> octets = store_.get(Table::hosts, key);
  if (!octets) return nullptr;
  std::optional<HostRecord> record = decode_host(*octets);
  const auto url = base::Url::parse(record ? record->origin + "/" : std::string());
  if (!url || (origin != nullptr && url->origin() != *origin)) {
    ++damaged_;
    return nullptr;
  }
  auto host = std::make_unique<Host>();
  host->key = std::move(key);
  host->origin = url->origin();
  host->record = std::move(*record);
  host->unread_all();
  if (std::exchange(host->record.in_flight, false)) {
    // The run that wrote this did not live to tell when its request went out. It was over before this one.
    host->record.clocks.started = std::max(host->record.clocks.started, opened_);
  }
  return host;
}

Frontier::Host& Frontier::add(std::unique_ptr<Host> host) {
  Host& added = *host;
  added.site = &site_of(added.origin);
  ++added.site->hosts;
  hosts_.emplace(std::string(added.origin.text()), std::move(host));
  touch(added);
  return added;
}

Frontier::Site& Frontier::site_of(const base::Origin& origin) {
  std::string name = base::site_of(origin.host());
  const auto [found, fresh] = sites_.try_emplace(name);
  if (fresh) {
    const auto octets = store_.get(Table::sites, site_key(name));
    if (octets) found->second.record = decode_site(*octets).value_or(SiteRecord{});
    found->second.name = std::move(name);
  }
  return found->second;
}

/// Its record is to be written. An origin of which nothing is kept never gets one.
void Frontier::change(Host& host) {
  if (std::exchange(host.fresh, false)) ++tally_of(host).origins;
  host.changed = true;
  touch(host);
}

void Frontier::touch(Host& host) {
  if (!std::exchange(host.touched, true)) touched_.push_back(&host);
}

void Frontier::let_go(Host& host) {
  Site* const site = host.site;
  hosts_.erase(std::string(host.origin.text()));
  if (--site->hosts == 0) sites_.erase(std::string(site->name));
}

Tally& Frontier::tally_of(const Host& host) {
  const std::uint32_t place = partition_of_key(host.key) - partitions_.first;
  touched_tallies_.push_back(place);
  return tallies_[place];
}

}  // namespace crawler
