// The URLs of one origin: which is next, and what becomes of its row when it was visited.
#include "crawler/frontier_host.h"

#include <algorithm>
#include <cassert>
#include <list>
#include <utility>

namespace crawler {

std::optional<Item> Frontier::take(const base::Origin& origin, base::TimePoint now) {
  Host& host = known(origin);
  assert(!host.taken);
  for (const std::uint8_t kind : {kLater, kAgain}) {
    if (host.timed(kind).items.empty() && host.has_timed(kind, now)) fill_timed(host, kind, now);
  }
  std::list<Item>* from = &host.later.items;
  if (from->empty()) {
    const std::size_t lane = host.first_lane();
    if (lane < host.lanes.size() && host.lanes[lane].items.empty()) fill_lane(host, lane);
    const bool fresh = lane < host.lanes.size() && !host.lanes[lane].items.empty();
    const bool again = !host.again.items.empty();
    if (!fresh && !again) return std::nullopt;
    const bool turn = again && (!fresh || host.again_next);
    host.again_next = !turn;
    from = turn ? &host.again.items : &host.lanes[lane].items;
  }
  Item item = std::move(from->front());
  from->pop_front();
  host.octets -= octets_of(item);
  octets_ -= octets_of(item);
  host.taken = true;
  return item;
}

void Frontier::put_back(Item item) {
  Host& host = *find(item.url.origin_text());
  assert(host.taken);
  host.taken = false;
  host.octets += octets_of(item);
  octets_ += octets_of(item);
  const QueueKey key = *parse_queue_key(item.row);
  std::list<Item>& items =
      key.kind < kLanes ? host.lanes[host.lane_place(key.kind)].items : host.timed(key.kind).items;
  items.push_front(std::move(item));
}

bool Frontier::settle(Item item, const Ending& ending, base::TimePoint now) {
  assert(ending.fate != Fate::retry);
  Host& host = *find(item.url.origin_text());
  const bool was_owed = leave_row(host, item);
  const UrlRecord* const before = item.known.get();
  const bool changed = ending.fate == Fate::fetched && before != nullptr && before->digest != base::Hash128{};

  UrlRecord record = before != nullptr ? *before : UrlRecord{};
  record.target = item.url.target();
  record.discovery = item.discovery;
  record.fate = ending.fate;
  record.reason = ending.reason;
  record.status = ending.status;
  record.visited = ending.visited;
  record.checked = now;
  ++record.checks;
  if (changed) ++record.changes;
  record.gone = ending.fate == Fate::gone ? record.gone + 1 : 0;
  if (ending.digest != base::Hash128{}) {
    record.digest = ending.digest;
    record.etag = ending.etag;
    record.last_modified = ending.last_modified;
  }
  const base::Hash128 fingerprint = base::keyed_hash(item.url.text(), secret_);
  const std::optional<base::Duration> interval =
      next_interval(recrawl_, before, {ending.fate, changed, item.discovery.changes});
  record.interval = interval.value_or(base::Duration::zero());
  record.due.reset();
  if (interval) {
    record.due = enter_timed(host, kAgain, now + *interval, fingerprint, {});
  }
  batch_.put(Table::urls, url_key(host.key, fingerprint), encode(record));
  ++host.record.visits;
  return was_owed;
}

/// A page that waits to be visited again is due now if it was last visited before `modified`. True: it is.
bool Frontier::hasten(Host& host, const base::Hash128& fingerprint, std::int64_t modified,
                      base::TimePoint now) {
  const std::string key = url_key(host.key, fingerprint);
  const auto octets = store_.get(Table::urls, key);
  std::optional<UrlRecord> record = octets && !octets->empty() ? decode_url(*octets) : std::nullopt;
  if (!record || !record->due || *record->due <= now || record->visited >= modified) return false;
  std::string row = timed_key(host.key, kAgain, *record->due, fingerprint);
  Host::Timed& rows = host.timed(kAgain);
  if (!rows.read.empty() && row <= rows.read) return false;  // it is in memory, and about to be taken
  batch_.erase(Table::queue, row);
  TimedRecord& again = host.timed_record(kAgain);
  if (again.count > 0) --again.count;
  if (rows.unread > 0) --rows.unread;
  --tally_of(host).again;
  record->due = enter_timed(host, kAgain, now, fingerprint, {});
  batch_.put(Table::urls, key, encode(*record));
  if (!host.record.listed || *host.record.listed > now) list(host, now);
  return true;
}

bool Frontier::retry(Item item, base::TimePoint not_before) {
  Host& host = *find(item.url.origin_text());
  const bool was_owed = leave_row(host, item);
  const base::Hash128 fingerprint = base::keyed_hash(item.url.text(), secret_);
  const QueueRecord row{item.discovery, static_cast<std::uint8_t>(std::min(item.attempts, 255U)),
                        item.known != nullptr, std::string(item.url.target())};
  enter_timed(host, kLater, not_before, fingerprint, encode(row));
  if (item.known && item.known->due) {
    item.known->due.reset();
    batch_.put(Table::urls, url_key(host.key, fingerprint), encode(*item.known));
  }
  return !was_owed;
}

bool Frontier::forget(Item item) {
  Host& host = *find(item.url.origin_text());
  const bool was_owed = leave_row(host, item);
  const base::Hash128 fingerprint = base::keyed_hash(item.url.text(), secret_);
  batch_.erase(Table::urls, url_key(host.key, fingerprint));
  seen_.erase(fingerprint);
  --tally_of(host).seen;
  if (host.record.accepted > 0) --host.record.accepted;
  if (host.site->record.accepted > 0) --host.site->record.accepted;
  if (!std::exchange(host.site->touched, true)) touched_sites_.push_back(host.site);
  return was_owed;
}

void Frontier::abandon(const base::Origin& origin) {
  Host* const host = find(origin.text());
  if (host == nullptr || !std::exchange(host->taken, false)) return;
  octets_ -= host->octets;
  host->octets = kHostOctets;
  octets_ += host->octets;
  host->unread_all();
}

bool Frontier::ready(const base::Origin& origin, base::TimePoint now) const {
  const Host* const host = find(origin.text());
  if (host == nullptr) return false;
  return host->first_lane() < host->lanes.size() || host->has_timed(kLater, now) ||
         host->has_timed(kAgain, now);
}

std::optional<base::TimePoint> Frontier::next_due(const base::Origin& origin) const {
  const Host* const host = find(origin.text());
  if (host == nullptr) return std::nullopt;
  std::optional<base::TimePoint> first;
  for (const std::uint8_t kind : {kLater, kAgain}) {
    const Host::Timed& rows = host->timed(kind);
    if (rows.unread > 0 && (!first || rows.next < *first)) first = rows.next;
  }
  return first;
}

void Frontier::fill_lane(Host& host, std::size_t place) {
  commit();  // so that every row is where it can be read
  LaneRecord& record = host.record.lanes[place];
  Host::Lane& lane = host.lanes[place];
  const std::string end = lane_key(host.key, record.lane, record.tail);
  const std::string prefix = end.substr(0, kOriginKeyOctets + 1);
  store_.scan(Table::queue, prefix, lane_key(host.key, record.lane, lane.read),
              [&](std::string_view key, std::string_view value) {
                if (key >= end || lane.items.size() >= kBatch) return false;
                lane.read = parse_queue_key(key)->number + 1;
                std::optional<Item> item = read_item(host, key, value);
                if (!item) return true;
                host.octets += octets_of(*item);
                octets_ += octets_of(*item);
                lane.items.push_back(std::move(*item));
                return true;
              });
  // Rows that were promised and are not there: damage, which must not make the origin ready for ever.
  if (lane.items.empty()) lane.read = record.tail;
}

void Frontier::fill_timed(Host& host, std::uint8_t kind, base::TimePoint now) {
  commit();
  Host::Timed& rows = host.timed(kind);
  std::string prefix = host.key;
  prefix += static_cast<char>(kind);
  const std::string after = rows.read;
  const std::string from = after.empty() ? timed_key(host.key, kind, rows.next, {}) : after;
  std::optional<base::TimePoint> next;
  store_.scan(Table::queue, prefix, from, [&](std::string_view key, std::string_view value) {
    if (key == after) return true;
    const std::optional<QueueKey> parsed = parse_queue_key(key);
    if (!parsed) return true;
    if (parsed->due > now || rows.items.size() >= kBatch) {
      next = parsed->due;
      return false;
    }
    rows.read = key;
    if (rows.unread > 0) --rows.unread;
    std::optional<Item> item = read_item(host, key, value);
    if (!item) return true;
    host.octets += octets_of(*item);
    octets_ += octets_of(*item);
    rows.items.push_back(std::move(*item));
    return true;
  });
  if (next) {
    rows.next = *next;
  } else {
    rows.unread = 0;
  }
}

std::optional<Item> Frontier::read_item(const Host& host, std::string_view row, std::string_view value) {
  const std::optional<QueueKey> key = parse_queue_key(row);
  const bool again = key && key->kind == kAgain;
  const std::optional<QueueRecord> queued = again ? std::nullopt : decode_queue(value);
  Item item;
  item.row = row;
  std::string target;
  if (queued) {
    item.discovery = queued->discovery;
    item.attempts = queued->attempts;
    target = queued->target;
  }
  if (again || (queued && queued->known)) {
    const auto octets = store_.get(Table::urls, url_key(host.key, key->fingerprint));
    std::optional<UrlRecord> known = octets ? decode_url(*octets) : std::nullopt;
    if (known) {
      item.known = std::make_unique<UrlRecord>(std::move(*known));
      item.discovery = item.known->discovery;
      target = item.known->target;
    }
  }
  auto url = base::Url::parse(std::string(host.origin.text()) + target);
  if (target.empty() || !url || url->origin_text() != host.origin.text()) {
    ++damaged_;
    return std::nullopt;
  }
  item.url = std::move(*url);
  return item;
}

/// The item's row goes. True: it had been owed.
bool Frontier::leave_row(Host& host, const Item& item) {
  assert(host.taken);
  host.taken = false;
  batch_.erase(Table::queue, item.row);
  const QueueKey key = *parse_queue_key(item.row);
  Tally& tally = tally_of(host);
  if (key.kind < kLanes) {
    LaneRecord& lane = host.record.lanes[host.lane_place(key.kind)];
    lane.head = key.number + 1;
    --tally.queued;
  } else {
    TimedRecord& record = host.timed_record(key.kind);
    if (record.count > 0) --record.count;
    --(key.kind == kLater ? tally.later : tally.again);
    const Host::Timed& rows = host.timed(key.kind);
    record.floor = rows.items.empty() ? rows.next : parse_queue_key(rows.items.front().row)->due;
  }
  change(host);
  return key.kind != kAgain;
}

/// Returns the instant under which the row stands: `due`, or later where rows up to `due` have been read.
base::TimePoint Frontier::enter_timed(Host& host, std::uint8_t kind, base::TimePoint due,
                                      const base::Hash128& fingerprint, std::string_view value) {
  TimedRecord& record = host.timed_record(kind);
  Host::Timed& rows = host.timed(kind);
  if (!rows.read.empty()) due = std::max(due, parse_queue_key(rows.read)->due + base::Duration(1));
  batch_.put(Table::queue, timed_key(host.key, kind, due, fingerprint), value);
  record.floor = record.count == 0 ? due : std::min(record.floor, due);
  ++record.count;
  rows.next = rows.unread == 0 ? due : std::min(rows.next, due);
  ++rows.unread;
  ++(kind == kLater ? tally_of(host).later : tally_of(host).again);
  change(host);
  return due;
}

}  // namespace crawler
