#pragma once
// The keys of the store's tables (crawler/FORMAT.md). All rows of an origin stand together, and all origins
// of a partition, so that any range of partitions is a range of keys.
#include "base/hash.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Partition and fingerprint of an origin: its key in `hosts` and `robots`, the beginning of its keys in
/// `queue` and `urls`.
inline constexpr std::size_t kOriginKeyOctets = 2 + 16;
std::string origin_key(std::uint16_t partition, const base::Hash128& origin);
std::uint16_t partition_of_key(std::string_view origin_key);
base::Hash128 origin_of_key(std::string_view origin_key);

/// Behind an origin key in `robots`: where the origin stands, and the file itself.
inline constexpr std::string_view kStandingSuffix = "s";
inline constexpr std::string_view kBodySuffix = "b";

/// In `urls`.
std::string url_key(std::string_view origin_key, const base::Hash128& fingerprint);

/// In `contents`: a body of a site. `site`: the fingerprint of its registrable domain.
std::string content_key(std::uint16_t partition, const base::Hash128& site, const base::Hash128& digest);

/// What the rows of an origin in `queue` are: lanes of URLs that nobody has asked for yet, in order of
/// priority; URLs to be tried again; pages to be visited again.
inline constexpr std::uint8_t kLanes = 16;
inline constexpr std::uint8_t kLater = 0x40;
inline constexpr std::uint8_t kAgain = 0x60;

/// `number` counts the URLs of one lane from 0, without gaps.
std::string lane_key(std::string_view origin_key, std::uint8_t lane, std::uint64_t number);
/// `kind`: kLater or kAgain.
std::string timed_key(std::string_view origin_key, std::uint8_t kind, base::TimePoint due,
                      const base::Hash128& fingerprint);

/// A key of `queue`, taken apart.
struct QueueKey {
  std::string_view origin_key;
  std::uint8_t kind = 0;     ///< a lane, kLater or kAgain
  std::uint64_t number = 0;  ///< of a lane
  base::TimePoint due{};     ///< of the others
  base::Hash128 fingerprint{};
};
std::optional<QueueKey> parse_queue_key(std::string_view key);

/// In `sites`.
std::string site_key(std::string_view site);

/// In `due`: origins in the order in which they should be looked at.
std::string due_key(base::TimePoint due, std::string_view origin_key);
struct DueKey {
  base::TimePoint due{};
  std::string_view origin_key;
};
std::optional<DueKey> parse_due_key(std::string_view key);

/// In `meta`.
std::string tally_key(std::uint16_t partition);
inline constexpr std::string_view kTallyPrefix = "tally/";
inline constexpr std::string_view kFollowedPrefix = "followed/";  ///< and a host that a seed led to
inline constexpr std::string_view kAddedPrefix = "added/";    ///< and a seed that came by the admin endpoint
inline constexpr std::string_view kOrdersKey = "orders";      ///< what the operator has said of hosts
inline constexpr std::string_view kSecretKey = "secret";      ///< of all fingerprints
inline constexpr std::string_view kAxisKey = "axis";          ///< an AxisRecord
inline constexpr std::string_view kStoppedKey = "stopped";    ///< when the last run ended in order
inline constexpr std::string_view kSuffixesKey = "suffixes";  ///< the public suffix list of the partitions
inline constexpr std::string_view kSeedsKey = "seeds";        ///< digest of the seeds that have been offered

}  // namespace crawler
