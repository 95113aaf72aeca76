#include "crawler/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace crawler {
namespace {

constexpr std::uint64_t kOwn = 8;  // standard streams, logs, the reserve on the disk, files being read
constexpr std::uint64_t kArchive =
    6;  // a WARC file, its index and list of pages, the same once more while they close
constexpr std::uint64_t kLoop = 3;       // epoll, its timer, its wake-up
constexpr std::uint64_t kQuestions = 4;  // sockets of c-ares
constexpr std::uint64_t kStore = 16;     // RocksDB's log, manifest, lock and folders, and what it is writing
constexpr int kStoreFilesMin = 20;
constexpr int kStoreFilesMax = 4096;
constexpr int kNotTables = 10;  // of its limit RocksDB sets so many aside

/// Everything but connections.
std::uint64_t others(std::uint64_t limit, std::size_t threads) {
  const auto tables = static_cast<std::uint64_t>(store_files_max(limit) - kNotTables);
  return kOwn + kArchive + kLoop + threads * (kLoop + kQuestions) + kStore + tables;
}

}  // namespace

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

int store_files_max(std::uint64_t limit) {
  return static_cast<int>(std::clamp<std::uint64_t>(limit / 4, kStoreFilesMin, kStoreFilesMax));
}

std::uint64_t connections_within(std::uint64_t limit, std::size_t threads) {
  const std::uint64_t taken = others(limit, threads);
  return limit >= taken + kConnectionsMin ? limit - taken : 0;
}

std::uint64_t descriptors_needed(std::size_t threads) {
  std::uint64_t needed = 0;
  while (others(needed, threads) + kConnectionsMin > needed)
    needed = others(needed, threads) + kConnectionsMin;
  return needed;
}

}  // namespace crawler
