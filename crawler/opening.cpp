#include "crawler/opening.h"

#include "base/site.h"
#include "crawler/codec.h"
#include "crawler/keys.h"
#include "crawler/repartition.h"

#include <sysexits.h>

#include <algorithm>

namespace crawler {
namespace {

/// Of storage.memory, one part in so many is the store's own; the shards have the rest.
constexpr std::uint64_t kStoreShare = 4;

bool write_durably(Store& store, Store::Batch& batch) {
  return store.write(batch) && store.sync();
}

}  // namespace

std::string frontier_directory(const config::Storage& storage) {
  return storage.directory + "/frontier";
}

std::uint64_t store_memory(const config::Storage& storage) {
  return storage.memory / kStoreShare;
}

std::uint64_t shards_memory(const config::Storage& storage) {
  return storage.memory - store_memory(storage);
}

Opening open_frontier(const config::Config& config, const std::function<base::Machine()>& clocks,
                      std::uint64_t secret, rocksdb::Env* env) {
  StoreOptions options;
  options.directory = frontier_directory(config.storage);
  options.memory = store_memory(config.storage);
  options.env = env;
  Opening opening;
  opening.store = std::make_unique<Store>(std::move(options));
  Store& store = *opening.store;
  const base::Machine now = clocks();

  const auto known = read_secret(store);
  opening.fresh = !known;
  opening.secret = known.value_or(secret);
  const auto octets = store.get(Table::meta, kAxisKey);
  const auto last = octets ? decode_axis(*octets) : std::nullopt;
  if (last) opening.axis_offset = base::resumed_offset(*last, now);
  opening.opened = base::TimePoint(now.boot + opening.axis_offset);
  const auto stopped = store.get(Table::meta, kStoppedKey);
  opening.in_order = opening.fresh || stopped.has_value();
  if (!opening.fresh) {
    const base::TimePoint ended = stopped ? Decoder(*stopped).time() : opening.opened;
    opening.not_before =
        ended + std::max(config.politeness.per_address_interval, config.politeness.per_site_interval);
  }
  const std::string suffixes = base::suffix_list();
  if (store.get(Table::meta, kSuffixesKey).value_or(suffixes) != suffixes) opening.moved = repartition(store);
  opening.tally = read_tally(store);

  Store::Batch batch(store);
  batch.put(Table::meta, kSuffixesKey, suffixes);
  std::string key;
  Encoder(key).u64(opening.secret);
  batch.put(Table::meta, kSecretKey, key);
  batch.put(Table::meta, kAxisKey, encode(base::AxisMark{opening.opened, now.boot, now.wall, now.boot_id}));
  batch.erase(Table::meta, kStoppedKey);
  if (!write_durably(store, batch))
    throw StartError(EX_IOERR, frontier_directory(config.storage) + ": " + store.failure());
  return opening;
}

bool keep_axis(Store& store, const base::AxisMark& mark) {
  Store::Batch batch(store);
  batch.put(Table::meta, kAxisKey, encode(mark));
  return store.write(batch);
}

bool close_in_order(Store& store, const base::AxisMark& mark) {
  Store::Batch batch(store);
  batch.put(Table::meta, kAxisKey, encode(mark));
  std::string stopped;
  Encoder(stopped).time(mark.steady);
  batch.put(Table::meta, kStoppedKey, stopped);
  return write_durably(store, batch);
}

Tally read_tally(const Store& store) {
  Tally sum;
  store.scan(Table::meta, kTallyPrefix, {}, [&sum](std::string_view, std::string_view value) {
    sum += decode_tally(value).value_or(Tally{});
    return true;
  });
  return sum;
}

std::optional<std::uint64_t> read_secret(const Store& store) {
  const auto octets = store.get(Table::meta, kSecretKey);
  if (!octets) return std::nullopt;
  return Decoder(*octets).u64();
}

}  // namespace crawler
