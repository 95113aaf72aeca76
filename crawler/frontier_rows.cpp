#include "crawler/frontier_rows.h"

#include "base/escape.h"
#include "base/site.h"
#include "base/time_text.h"
#include "crawler/codec.h"
#include "crawler/keys.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <algorithm>
#include <ostream>

namespace crawler {

using Json = nlohmann::ordered_json;

std::string host_key(const base::Origin& origin, std::uint64_t secret) {
  const auto partition = static_cast<std::uint16_t>(base::partition_of(base::site_of(origin.host())));
  return origin_key(partition, base::keyed_hash(origin.text(), secret));
}

bool suffixes_differ(const Store& store) {
  const auto last = store.get(Table::meta, kSuffixesKey);
  return last && *last != base::suffix_list();
}

std::string find_host(const Store& store, const base::Origin& origin) {
  std::string found = host_key(origin, read_secret(store).value_or(0));
  if (!suffixes_differ(store) || store.get(Table::hosts, found)) return found;
  const std::string fingerprint = found.substr(sizeof(std::uint16_t));
  store.scan(Table::hosts, {}, {}, [&](std::string_view key, std::string_view) {
    if (!key.ends_with(fingerprint)) return true;
    found = key;
    return false;
  });
  return found;
}

base::Url url_of(std::string_view origin, std::string_view target) {
  const std::string text = std::string(origin) + std::string(target);
  auto url = base::Url::parse(text);
  if (!url || url->text() != text || url->origin_text() != origin) return {};
  return std::move(*url);
}

base::Origin origin_of(std::string_view text) {
  const base::Url root = url_of(text, "/");
  return root.empty() ? base::Origin() : root.origin();
}

std::uint64_t owed_of(const HostRecord& record) {
  std::uint64_t owed = record.later.count;
  for (const LaneRecord& lane : record.lanes) owed += lane.tail - lane.head;
  return owed;
}

base::Duration away(base::TimePoint t, base::TimePoint now) {
  constexpr base::Duration kMost = std::chrono::hours(24) * 36'500;
  const std::int64_t to = t.time_since_epoch().count();
  const std::int64_t from = now.time_since_epoch().count();
  std::int64_t between = 0;
  if (__builtin_sub_overflow(to, from, &between)) return to > from ? kMost : -kMost;
  return std::clamp(base::Duration(between), -kMost, kMost);
}

std::string wall_text(base::TimePoint t, base::Now now) {
  std::int64_t wall = now.wall.time_since_epoch().count();
  if (__builtin_add_overflow(wall, away(t, now.steady).count(), &wall)) return base::rfc3339(now.wall);
  return base::rfc3339(base::WallTime(base::Duration(wall)));
}

std::string distance_text(base::TimePoint t, base::Now now) {
  if (t == base::TimePoint::min()) return "never";
  const base::Duration distance = away(t, now.steady);
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(distance);
  if (whole == std::chrono::seconds::zero()) return "now";
  return whole.count() > 0 ? "in " + base::duration_text(whole) : base::duration_text(-whole) + " ago";
}

std::string instant_text(base::TimePoint t, base::Now now) {
  if (t == base::TimePoint::min()) return "never";
  return wall_text(t, now) + " (" + distance_text(t, now) + ")";
}

Json instant_json(base::TimePoint t, base::Now now) {
  if (t == base::TimePoint::min()) return nullptr;
  const double seconds = std::chrono::duration<double>(away(t, now.steady)).count();
  return {{"at", wall_text(t, now)}, {"in_s", seconds}};
}

void write_line(const Json& json, std::ostream& out) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

int end_tool(int code, const Store& store, std::ostream& out, std::ostream& talk) {
  out.flush();
  if (store.failed())
    talk << "the store cannot be read or written: " << base::escaped(store.failure()) << '\n';
  if (!out) talk << "the output cannot be written\n";
  return store.failed() || !out ? EX_IOERR : code;
}

}  // namespace crawler
