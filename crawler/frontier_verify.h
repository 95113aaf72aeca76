#pragma once
// The parts of `crawld frontier verify`, for its own files alone.
#include "base/time.h"
#include "crawler/keys.h"
#include "crawler/records.h"
#include "crawler/store.h"

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// What is wrong: the first kFindingsShown are written as they are found, the others are counted.
class Findings {
 public:
  Findings(bool json, std::ostream& out) : json_(json), out_(out) {}
  /// `where`: an origin, a URL or a table.
  void add(std::string_view where, std::string_view what);
  std::uint64_t count() const { return count_; }

 private:
  bool json_;
  std::ostream& out_;
  std::uint64_t count_ = 0;
};

/// Walks through a table origin by origin, in the order of the keys.
class OriginRows {
 public:
  OriginRows(const Store& store, Table table) : store_(store), table_(table) {}
  using Visitor = std::function<void(std::string_view key, std::string_view value)>;
  /// The rows of `origin`; those that stand before them belong to no origin and are for `stray`.
  void visit(std::string_view origin, const Visitor& row, const Visitor& stray);
  /// After the last origin.
  void rest(const Visitor& stray) { visit({}, stray, stray); }

 private:
  const Store& store_;
  Table table_;
  std::string next_;  ///< the first row that was not visited
  bool ended_ = false;
};

/// Compares the rows of one origin with each other and with its record.
class HostCheck {
 public:
  /// `record`: null when it cannot be read; then rows are counted only. Both must outlive the check.
  HostCheck(const Store& store, std::uint64_t secret, std::string_view key, const HostRecord* record,
            Findings& findings);
  void queue_row(std::string_view key, std::string_view value);
  void url_row(std::string_view key, std::string_view value);
  void robots_row(std::string_view key, std::string_view value);
  /// All rows were shown; what the origin adds to its partition's tally.
  Tally end();

 private:
  void lane_row(const QueueKey& key, const QueueRecord& row);
  void owed_row(const QueueKey& key, const QueueRecord& row);
  void again_row(const QueueKey& key);
  void check_timed(std::string_view name, const TimedRecord& said, std::uint64_t counted,
                   const std::optional<base::TimePoint>& first);
  void missing(const LaneRecord& lane, std::uint64_t from, std::uint64_t to);
  void add(std::string_view what) { findings_.add(record_->origin, what); }

  const Store& store_;
  std::uint64_t secret_;
  std::string_view key_;
  const HostRecord* record_;
  Findings& findings_;
  Tally tally_{.origins = 1};
  std::array<std::uint64_t, kLanes> next_{};  ///< of each lane, the number that should come
  std::optional<base::TimePoint> first_later_;
  std::optional<base::TimePoint> first_again_;
  std::uint64_t owed_unknown_ = 0;  ///< rows whose URL was never visited
  std::uint64_t unvisited_ = 0;     ///< URLs that were never visited
  bool has_body_ = false;
  bool needs_body_ = false;
};

/// Adds a row of `queue` to `tally`.
void count_row(const QueueKey& key, Tally& tally);

}  // namespace crawler
