#pragma once
// How a run begins and ends as far as the store is concerned: what the last one left, and what the next one
// has to know.
#include "base/axis.h"
#include "config/config.h"
#include "crawler/records.h"
#include "crawler/store.h"

#include <functional>
#include <memory>

namespace crawler {

/// The frontier's folder inside of storage.directory.
std::string frontier_directory(const config::Storage& storage);

struct Opening {
  std::unique_ptr<Store> store;
  std::uint64_t secret = 0;      ///< of all fingerprints
  bool fresh = false;            ///< nothing had been there
  bool in_order = false;         ///< the last run ended as it should
  base::Duration axis_offset{};  ///< of this run's SystemClock
  base::TimePoint opened{};      ///< on that axis
  base::TimePoint not_before{};  ///< the clocks of addresses and sites of the last run have run out
  Tally tally;
  std::uint64_t moved = 0;  ///< origins in other partitions than before: the public suffix list has changed
};

/// Of storage.memory: for the store itself, and for all shards together.
std::uint64_t store_memory(const config::Storage& storage);
std::uint64_t shards_memory(const config::Storage& storage);

/// Opens the store of `config` and writes down that a run is under way. `clocks` is read once the store is
/// ours: whoever had it before sends nothing any more. `secret`: used when the store is new. `env`: another
/// disk, for tests. Throws StartError.
Opening open_frontier(const config::Config& config, const std::function<base::Machine()>& clocks,
                      std::uint64_t secret, rocksdb::Env* env = nullptr);

/// Writes down where the axis is, once a minute. False: the store has failed.
bool keep_axis(Store& store, const base::AxisMark& mark);
/// The run has ended in order: all that was sent is written down.
bool close_in_order(Store& store, const base::AxisMark& mark);

/// All partitions together.
Tally read_tally(const Store& store);
/// The key under which the store's fingerprints are made; nothing in a store that was never used.
std::optional<std::uint64_t> read_secret(const Store& store);

}  // namespace crawler
