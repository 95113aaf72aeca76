#pragma once
// The lines of an export: each record as JSON that loses nothing, and back.
//
// An instant is [nanoseconds since the header's mark, the same on the wall for people], or null for never;
// texts are as crawler/frontier_fields.h has them. Reading throws std::runtime_error, which says what is
// wrong.
#include "base/axis.h"
#include "crawler/frontier_fields.h"
#include "crawler/keys.h"
#include "crawler/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

using fields::Json;

/// The number in the header's `crawld_frontier`.
inline constexpr std::uint64_t kExportLayout = 1;

/// The first line: what belongs to no origin and has to be known before all others.
struct ExportHeader {
  base::AxisMark mark;
  std::uint64_t secret = 0;
  std::optional<base::TimePoint> stopped;
  std::optional<std::string> seeds;
  std::optional<std::string> suffixes;  ///< the public suffix list by which partitions were made
};

/// A host with its partition: which one it belongs to changes with the public suffix list.
struct HostRow {
  std::uint16_t partition = 0;
  HostRecord record;
};

/// A row of a lane or of kLater.
struct OwedRow {
  std::uint8_t kind = 0;
  std::uint64_t number = 0;
  base::TimePoint due{};
  QueueRecord record;
};

/// What robots.txt said.
struct RobotsRow {
  robots::Saved saved;
  std::optional<std::string> body;
};

/// Writes and reads lines whose instants are counted from one mark.
class FrontierJson {
 public:
  explicit FrontierJson(const base::AxisMark& mark) : zero_{mark.steady, mark.wall} {}

  static Json line(const ExportHeader& header);
  static ExportHeader header(const Json& line);

  Json line(const HostRow& row) const;
  HostRow host(const Json& line) const;
  Json line(const OwedRow& row) const;
  OwedRow owed(const Json& line) const;
  Json line(const UrlRecord& record) const;
  UrlRecord url(const Json& line) const;
  Json line(const RobotsRow& row) const;
  RobotsRow robots(const Json& line) const;

 private:
  Json instant(base::TimePoint t) const;
  Json instant(const std::optional<base::TimePoint>& t) const;
  base::TimePoint instant(const Json& line, std::string_view key) const;
  std::optional<base::TimePoint> maybe(const Json& line, std::string_view key) const;
  Json timed(const TimedRecord& record) const;
  TimedRecord timed(const Json& line, std::string_view key) const;

  base::Now zero_;
};

}  // namespace crawler
