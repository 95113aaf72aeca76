// `crawld frontier stats`.
#include "base/escape.h"
#include "crawler/codec.h"
#include "crawler/frontier_rows.h"
#include "crawler/frontier_tool.h"
#include "crawler/keys.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <ostream>

namespace crawler {
namespace {

using Json = nlohmann::ordered_json;

struct Stats {
  Tally tally;
  std::uint64_t disk_octets = 0;
  std::string format;
  std::optional<base::TimePoint> stopped;  ///< in order
  std::optional<base::TimePoint> marked;   ///< when the last run was seen alive
};

Stats read_stats(const Store& store) {
  Stats stats;
  stats.tally = read_tally(store);
  stats.disk_octets = store.disk_octets();
  stats.format = store.get(Table::meta, "format").value_or("");
  if (const auto octets = store.get(Table::meta, kStoppedKey)) stats.stopped = Decoder(*octets).time();
  const auto octets = store.get(Table::meta, kAxisKey);
  if (const auto mark = octets ? decode_axis(*octets) : std::nullopt) stats.marked = mark->steady;
  return stats;
}

Json as_json(const Stats& stats, const std::string& directory, std::optional<int> owner, base::Now now) {
  Json out;
  out["directory"] = directory;
  out["format"] = stats.format;
  out["origins"] = stats.tally.origins;
  out["seen"] = stats.tally.seen;
  out["owed"] = stats.tally.owed();
  out["queued"] = stats.tally.queued;
  out["later"] = stats.tally.later;
  out["again"] = stats.tally.again;
  out["disk_octets"] = stats.disk_octets;
  out["running"] = owner ? Json(*owner) : Json(nullptr);
  out["stopped"] = stats.stopped ? instant_json(*stats.stopped, now) : Json(nullptr);
  out["last_mark"] = stats.marked ? instant_json(*stats.marked, now) : Json(nullptr);
  return out;
}

std::string run_text(const Stats& stats, std::optional<int> owner, base::Now now) {
  if (owner) return "under way, process " + std::to_string(*owner);
  if (stats.stopped) return "stopped in order " + instant_text(*stats.stopped, now);
  if (stats.marked) return "did not stop in order; last seen alive " + instant_text(*stats.marked, now);
  return "there was none";
}

}  // namespace

int show_stats(const Store& store, const std::string& directory, std::optional<int> owner, base::Now now,
               bool json, std::ostream& out, std::ostream& talk) {
  const Stats stats = read_stats(store);
  if (json) {
    write_line(as_json(stats, directory, owner, now), out);
  } else {
    out << "directory: " << base::escaped(directory) << '\n';
    out << "format:    " << base::escaped(stats.format) << '\n';
    out << "origins:   " << stats.tally.origins << '\n';
    out << "seen:      " << stats.tally.seen << '\n';
    out << "owed:      " << stats.tally.owed() << " (" << stats.tally.queued << " never tried, "
        << stats.tally.later << " to be tried again)\n";
    out << "again:     " << stats.tally.again << " to be visited again\n";
    out << "on disk:   " << stats.disk_octets << " octets\n";
    out << "last run:  " << run_text(stats, owner, now) << '\n';
  }
  return end_tool(EX_OK, store, out, talk);
}

}  // namespace crawler
