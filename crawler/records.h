#pragma once
// The values of the store's tables (crawler/FORMAT.md): plain data, written down and read back. Each begins
// with the number of its layout, so that it can change. A decoder takes any octets and says when they are not
// a record.
#include "base/axis.h"
#include "base/hash.h"
#include "base/time.h"
#include "crawler/fate.h"
#include "crawler/yield.h"
#include "robots/saved.h"
#include "scheduler/host_queue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// How a URL came to be known. The numbers are part of the format.
enum class How : std::uint8_t { seed, link, redirect, sitemap, imported };
std::string_view to_string(How how);

/// How often a page changes, as a sitemap says. The numbers are part of the format.
enum class Changes : std::uint8_t { unknown, always, hourly, daily, weekly, monthly, yearly, never };
inline constexpr std::size_t kChanges = static_cast<std::size_t>(Changes::never) + 1;
std::string_view to_string(Changes changes);

/// What is known of a URL whatever becomes of it.
struct Discovery {
  std::uint32_t depth = 0;      ///< links from a seed
  std::uint32_t redirects = 0;  ///< redirects in a row that led here
  std::uint8_t weight = 1;      ///< of the seed that led here
  How how = How::link;
  bool seed = false;     ///< a seed, or where a seed redirects to
  bool sitemap = false;  ///< a sitemap itself; then `depth` counts the indexes above it
  Changes changes = Changes::unknown;
  /// Of a sitemap: the host whose robots.txt named it, when that is not its own.
  std::string behalf{};
};

/// A lane of an origin's queue: URLs `head` to `tail` - 1 are owed.
struct LaneRecord {
  std::uint8_t lane = 0;
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
};

/// The rows of one kind that wait for an instant.
struct TimedRecord {
  std::uint64_t count = 0;
  base::TimePoint floor{};  ///< none of them is due earlier; meaningless when count is 0
};

/// In `hosts`: an origin.
struct HostRecord {
  std::string origin;
  /// A request may have been sent that this record knows nothing of: after a crash it counts as sent at the
  /// very end.
  bool in_flight = false;
  scheduler::HostState clocks;
  std::uint64_t accepted = 0;  ///< distinct URLs, for the budget
  std::uint64_t visits = 0;    ///< of pages, ended
  std::vector<LaneRecord> lanes;
  TimedRecord later;
  TimedRecord again;
  std::optional<base::TimePoint> listed;  ///< its row in `due`
  Yield yield;                            ///< what its pages were worth
};
std::string encode(const HostRecord& record);
std::optional<HostRecord> decode_host(std::string_view octets);

/// In `queue`, lanes and kLater (a row of kAgain is empty: all is in `urls`).
struct QueueRecord {
  Discovery discovery;
  std::uint8_t attempts = 0;  ///< failed ones
  bool known = false;         ///< visited before: `urls` has its record
  std::string target;
};
std::string encode(const QueueRecord& record);
std::optional<QueueRecord> decode_queue(std::string_view octets);

/// In `urls`: what became of a URL. A URL that is seen and was never visited has an empty value.
struct UrlRecord {
  std::string target;
  Discovery discovery;
  Fate fate = Fate::fetched;
  int status = 0;
  std::int64_t visited = 0;  ///< seconds since 1970 on the wall clock, for people
  base::TimePoint checked{};
  std::optional<base::TimePoint> due;  ///< its row of kAgain; none: not visited again
  base::Duration interval{};           ///< that led to `due`
  std::uint32_t checks = 0;
  std::uint32_t changes = 0;
  std::uint32_t gone = 0;  ///< 404 or 410 in a row
  base::Hash128 digest;    ///< of the body; zero: none
  std::string etag;
  std::string last_modified;
  std::string reason;  ///< of given_up: what failed last, as failure_word() has it
};
std::string encode(const UrlRecord& record);
std::optional<UrlRecord> decode_url(std::string_view octets);

/// In `sites`: a registrable domain.
struct SiteRecord {
  std::uint64_t accepted = 0;
};
std::string encode(const SiteRecord& record);
std::optional<SiteRecord> decode_site(std::string_view octets);

/// In `contents`: a body that a site has answered with.
struct ContentRecord {
  std::string target;          ///< the URL where it was found first
  std::int64_t kept = 0;       ///< when its record was written: WARC-Date, nanoseconds since 1970
  std::string payload_digest;  ///< of that record; empty: there is none
};
std::string encode(const ContentRecord& record);
std::optional<ContentRecord> decode_content(std::string_view octets);

/// In `meta`: what a partition holds.
struct Tally {
  std::uint64_t origins = 0;
  std::uint64_t seen = 0;    ///< distinct URLs
  std::uint64_t queued = 0;  ///< owed, never tried
  std::uint64_t later = 0;   ///< owed, to be tried again
  std::uint64_t again = 0;   ///< done, to be visited again

  std::uint64_t owed() const { return queued + later; }
  Tally& operator+=(const Tally& other);
  friend bool operator==(const Tally&, const Tally&) = default;
};
std::string encode(const Tally& record);
std::optional<Tally> decode_tally(std::string_view octets);

/// In `robots`.
std::string encode(const robots::Saved& record);
std::optional<robots::Saved> decode_robots(std::string_view octets);

/// In `meta`.
std::string encode(const base::AxisMark& mark);
std::optional<base::AxisMark> decode_axis(std::string_view octets);

}  // namespace crawler
