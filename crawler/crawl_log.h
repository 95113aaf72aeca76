#pragma once
// The crawl log: one line for each visit, for programs. Pure; base/rotating_file.h writes the lines.
#include "base/time.h"
#include "crawler/fate.h"
#include "fetch/fetcher.h"
#include "scheduler/pace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Heritrix's words for what has no HTTP status (org.archive.modules.fetcher.FetchStatusCodes).
namespace heritrix {
inline constexpr int kNoName = -1;
inline constexpr int kNoConnection = -2;
inline constexpr int kBroken = -3;
inline constexpr int kTimeout = -4;
inline constexpr int kInternal = -5;
inline constexpr int kRetriesUsedUp = -8;
inline constexpr int kDeferred = -50;
inline constexpr int kNoRobots = -61;  ///< robots.txt could not be had
inline constexpr int kTrap = -4000;
inline constexpr int kTooDeep = -4001;
inline constexpr int kOutOfScope = -5000;
inline constexpr int kBlocked = -5001;  ///< by a setting
inline constexpr int kQuota = -5003;
inline constexpr int kKilled = -7000;  ///< we are stopping
inline constexpr int kRobotsDenied = -9998;
}  // namespace heritrix

/// The status of a visit in the crawl log: that of HTTP when an answer came as a whole, else one of the
/// above.
int heritrix_status(Fate fate, fetch::Error error, int http_status);

/// One visit as logs for programs have it. Empty texts are absent.
struct CrawlEntry {
  base::WallTime logged{};
  base::WallTime begun{};  ///< zero: nothing was sent
  base::Duration took{};
  int status = 0;  ///< from heritrix_status()
  std::uint64_t octets = 0;
  std::string_view url;
  std::string path;         ///< how it was found, a letter for each step from the seed: `LLR`
  std::string_view via;     ///< the URL that led here
  std::string_view mime;    ///< the Content-Type as it came
  std::size_t worker = 0;   ///< the shard
  std::string_view digest;  ///< `sha1:` and Base32
  std::string_view source;  ///< the seed
  std::vector<std::string> annotations;

  // In JSON alone.
  std::string_view fate;
  std::string_view error;   ///< a word of fetch::Error or crawler::Trap
  std::string_view detail;  ///< for people
  std::string_view ip;
  std::string_view warc_file;
  std::uint64_t warc_offset = 0;

  // Evidence of good conduct: in the thirteenth column, and in JSON.
  std::optional<scheduler::Interval> interval;  ///< in force for the origin when the request began
  std::optional<base::TimePoint> axis;  ///< `begun` on the steady axis, where a gap is a gap in the world
  std::string_view robots;              ///< what robots.txt was worth, a word of robots::Access
  std::string_view robots_group;        ///< that concerns us
  std::string_view robots_rule;         ///< that decided: `Disallow: /a`
  std::size_t robots_line = 0;          ///< its line; 0: none
  std::string_view behalf;  ///< the origin whose robots.txt this is a part of, when that is another one
  base::WallTime run{};     ///< of the process: when it wrote its first line
};

/// Longest text in a line, in octets before they are escaped. URLs are never cut.
inline constexpr std::size_t kCrawlLogTextMax = 512;
/// Annotations in a line; the rest is left out.
inline constexpr std::size_t kCrawlLogAnnotationsMax = 16;

/// The columns of Heritrix 3 with its line end (UriProcessingFormatter.java): time of logging, status and
/// size flush right in 5 and 10 columns, URL, path, via, media type (`no-type` when there is none), `#` and
/// the worker in three digits, begin in 17 digits `+` milliseconds, digest, source, annotations between
/// commas, and as JSON the evidence, when there is any; `-` for what is absent. What strangers wrote is one
/// column of printing ASCII: all else is percent-encoded, and in JSON written as `\uNNNN`, blanks included.
std::string heritrix_line(const CrawlEntry& entry);

/// The same as a JSON object with its line end; what is absent is left out.
std::string json_line(const CrawlEntry& entry);

}  // namespace crawler
