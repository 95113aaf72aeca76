#pragma once
// How the files that this process may have open are shared out. Running out of them must never end the crawl.
#include <cstddef>
#include <cstdint>

namespace crawler {

/// Fewer connections than this are no crawl.
inline constexpr std::uint64_t kConnectionsMin = 4;

/// Raises the soft limit of open files to the hard one and returns it.
std::uint64_t raise_descriptor_limit();

/// Files of its tables that the store keeps open, of `limit`. RocksDB takes no less than 20.
int store_files_max(std::uint64_t limit);

/// What is left for connections once the store, the loops of `threads` threads with their questions to DNS,
/// the log and a few short-lived files have theirs. 0 when it is too little.
std::uint64_t connections_within(std::uint64_t limit, std::size_t threads);

/// The least limit with which `threads` threads can crawl.
std::uint64_t descriptors_needed(std::size_t threads);

}  // namespace crawler
