#include "crawler/frontier_tool.h"

#include "base/axis.h"
#include "crawler/keys.h"
#include "crawler/opening.h"
#include "crawler/records.h"

#include <sysexits.h>

#include <algorithm>
#include <filesystem>

namespace crawler {
namespace {

/// Beside a daemon that has its own, and much less than a machine has.
constexpr std::uint64_t kMemoryMax = std::uint64_t{64} * 1024 * 1024;

StoreOptions options_of(const config::Storage& storage, bool read_only) {
  StoreOptions options;
  options.directory = frontier_directory(storage);
  options.memory = std::min(storage.memory / 4, kMemoryMax);
  options.read_only = read_only;
  return options;
}

}  // namespace

Store open_to_read(const config::Storage& storage) {
  return Store(options_of(storage, true));
}

Store open_to_change(const config::Storage& storage) {
  const std::string directory = frontier_directory(storage);
  std::error_code ignored;
  if (!std::filesystem::exists(directory, ignored))
    throw StartError(EX_NOINPUT, directory + ": there is no frontier yet");
  return Store(options_of(storage, false));
}

base::Now present_in(const Store& store, const base::Machine& machine) {
  const auto octets = store.get(Table::meta, kAxisKey);
  const auto mark = octets ? decode_axis(*octets) : std::nullopt;
  const base::Duration offset = mark ? base::resumed_offset(*mark, machine) : base::Duration::zero();
  return {base::TimePoint(machine.boot + offset), machine.wall};
}

}  // namespace crawler
