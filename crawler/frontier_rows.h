#pragma once
// What the frontier's tools have in common: keys, counts of an origin, and instants for people.
#include "base/time.h"
#include "base/url.h"
#include "crawler/keys.h"
#include "crawler/records.h"
#include "crawler/store.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace crawler {

/// In `hosts`, where an origin belongs.
std::string host_key(const base::Origin& origin, std::uint64_t secret);
/// The machine has another public suffix list than the last run had: the next one will move some origins to
/// other partitions.
bool suffixes_differ(const Store& store);
/// In `hosts`, where `origin` is; where it would be when it is not there.
std::string find_host(const Store& store, const base::Origin& origin);

/// A record's URL; empty when origin and target make none, or one that is written otherwise.
base::Url url_of(std::string_view origin, std::string_view target);
/// The origin that is written so; an empty one when none is.
base::Origin origin_of(std::string_view text);

/// URLs of lanes and of kLater.
std::uint64_t owed_of(const HostRecord& record);

/// `t` - `now`, or the nearest that a hundred years hold: a record may say anything.
base::Duration away(base::TimePoint t, base::TimePoint now);
/// On the wall.
std::string wall_text(base::TimePoint t, base::Now now);
/// `in 4m12s`, `3h ago`, `now`, `never`.
std::string distance_text(base::TimePoint t, base::Now now);
/// `2026-11-21T01:36:56.123Z (in 4m12s)`.
std::string instant_text(base::TimePoint t, base::Now now);
/// {"at": "2026-11-21T01:36:56.123Z", "in_s": 252.0}; null for never.
nlohmann::ordered_json instant_json(base::TimePoint t, base::Now now);

/// One line of JSON. What is not UTF-8 becomes U+FFFD.
void write_line(const nlohmann::ordered_json& json, std::ostream& out);

/// `code`, unless the store has failed or `out` has: then 74, and why on `talk`.
int end_tool(int code, const Store& store, std::ostream& out, std::ostream& talk);

}  // namespace crawler
