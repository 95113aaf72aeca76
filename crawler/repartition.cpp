#include "crawler/repartition.h"

#include "base/site.h"
#include "base/url.h"
#include "crawler/keys.h"
#include "crawler/records.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace crawler {
namespace {

/// Rows that are moved in one batch.
constexpr std::size_t kRowsAtATime = 1'000;

std::string host_of(const HostRecord& record) {
  const auto url = base::Url::parse(record.origin + "/");
  return url ? std::string(url->host()) : std::string();
}

std::uint16_t partition_now(const std::string& host) {
  return static_cast<std::uint16_t>(base::partition_of(base::site_of(host)));
}

/// What the origin counts for.
Tally share_of(const HostRecord& record) {
  Tally tally;
  tally.origins = 1;
  tally.seen = record.accepted;
  for (const LaneRecord& lane : record.lanes) tally.queued += lane.tail - lane.head;
  tally.later = record.later.count;
  tally.again = record.again.count;
  return tally;
}

void add(Store& store, Store::Batch& batch, std::uint16_t partition, const Tally& share, bool plus) {
  const auto octets = store.get(Table::meta, tally_key(partition));
  Tally tally = octets ? decode_tally(*octets).value_or(Tally{}) : Tally{};
  const auto change = [plus](std::uint64_t& value, std::uint64_t by) {
    value = plus ? value + by : value - std::min(value, by);
  };
  change(tally.origins, share.origins);
  change(tally.seen, share.seen);
  change(tally.queued, share.queued);
  change(tally.later, share.later);
  change(tally.again, share.again);
  batch.put(Table::meta, tally_key(partition), encode(tally));
}

/// The rows whose keys begin with `from` go to `to`.
void move_rows(Store& store, Table table, const std::string& from, const std::string& to) {
  for (bool more = true; more && !store.failed();) {
    std::vector<std::pair<std::string, std::string>> rows;
    store.scan(table, from, {}, [&rows](std::string_view key, std::string_view value) {
      rows.emplace_back(key, value);
      return rows.size() < kRowsAtATime;
    });
    more = rows.size() == kRowsAtATime;
    Store::Batch batch(store);
    for (const auto& [key, value] : rows) {
      batch.put(table, to + key.substr(from.size()), value);
      batch.erase(table, key);
    }
    store.write(batch);
  }
}

/// The record goes last: as long as it is at its old place, the move is not done.
void move(Store& store, const std::string& from, const HostRecord& record, const std::string& host) {
  const std::uint16_t partition = partition_now(host);
  const std::string to = origin_key(partition, origin_of_key(from));
  for (const Table table : {Table::queue, Table::urls, Table::robots}) move_rows(store, table, from, to);
  Store::Batch batch(store);
  batch.erase(Table::hosts, from);
  batch.put(Table::hosts, to, encode(record));
  if (record.listed) {
    batch.erase(Table::due, due_key(*record.listed, from));
    batch.put(Table::due, due_key(*record.listed, to), {});
  }
  add(store, batch, partition_of_key(from), share_of(record), false);
  add(store, batch, partition, share_of(record), true);
  // What its old domain has accepted stays counted there: nobody knows which list it was counted under.
  const std::string site = site_key(base::site_of(host));
  const auto octets = store.get(Table::sites, site);
  SiteRecord counted = octets ? decode_site(*octets).value_or(SiteRecord{}) : SiteRecord{};
  counted.accepted += record.accepted;
  batch.put(Table::sites, site, encode(counted));
  store.write(batch);
}

}  // namespace

std::uint64_t repartition(Store& store) {
  std::uint64_t moved = 0;
  std::string after;
  for (bool more = true; more && !store.failed();) {
    std::vector<std::pair<std::string, HostRecord>> wrong;
    more = false;
    std::size_t looked_at = 0;
    store.scan(Table::hosts, {}, after, [&](std::string_view key, std::string_view value) {
      if (looked_at++ == kRowsAtATime) {
        more = true;
        return false;
      }
      after = key;
      std::optional<HostRecord> record = decode_host(value);
      if (!record || key.size() != kOriginKeyOctets) return true;
      const std::string host = host_of(*record);
      if (!host.empty() && partition_now(host) != partition_of_key(key))
        wrong.emplace_back(key, std::move(*record));
      return true;
    });
    for (const auto& [key, record] : wrong) move(store, key, record, host_of(record));
    moved += wrong.size();
  }
  return moved;
}

}  // namespace crawler
