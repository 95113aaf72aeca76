#pragma once
// The table of keys: what a configuration may say. The reader, dump() and whatever describes the keys to
// others (a schema, a manual page) all come from it, so that they cannot disagree. Defaults are Config's
// initialisers.
#include "config/config.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace config {

enum class Kind {
  text,        ///< bounds are octets
  contact,     ///< a text with rules of its own (identity.h)
  user_agent,  ///< likewise
  choice,      ///< one of `choices`
  boolean,
  count,            ///< a whole number
  real,             ///< a decimal fraction
  duration,         ///< bounds in nanoseconds
  duration_or_off,  ///< `off` leaves the optional empty
  size,             ///< bounds in octets
  tokens,           ///< a list of product tokens; of this and the other lists the bounds are numbers of items
  ranges,           ///< a list of address ranges
  nameservers,      ///< a list of addresses with ports
  addresses,        ///< a list of addresses
  host_patterns,    ///< a list of host names, `*.` and parents of some, or `*`
  parameters,       ///< a list of names of query parameters, with `*` at their end or not
  media_types,      ///< a list of media types
  statuses,         ///< a list of HTTP statuses
  file_name,        ///< a text that can be a part of a file's name
  input_file,       ///< a text, the path of a file that is read; empty: none
  proxy,            ///< a URL of a proxy, or nothing
  hosts,            ///< a map of host names to the keys of host_keys()
  seeds,            ///< a list of URLs and files (seeds.h)
};

/// Where in a Config a key's value lives.
using Slot = std::variant<std::string*, bool*, std::uint32_t*, std::uint64_t*, double*,
                          std::optional<double>*, Duration*, std::optional<Duration>*, Follow*, Grouping*,
                          BareSlash*, Status429*, LogFormat*, Packing*, Digest*, CrawlLogFormat*, Families*,
                          ProxyNames*, Proxy*, std::vector<base::IpAddress>*, std::vector<std::string>*,
                          std::vector<base::Cidr>*, std::vector<Nameserver>*,
                          std::map<std::string, HostOverride, std::less<>>*, std::vector<Seed>*>;

struct Bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// A key without its place in memory.
struct Spec {
  std::string_view path;  ///< `politeness.default_interval`; of a host's key only the last part
  Kind kind = Kind::text;
  Bounds bounds{};
  std::string_view what;                        ///< one line in plain words
  std::span<const std::string_view> choices{};  ///< of Kind::choice, in the order of the enum
};

template <class Object>
struct Key {
  Spec spec{};
  Slot (*slot)(Object&) = nullptr;
};

/// All keys; those of one section stand together, in the order in which dump() writes them.
std::span<const Key<Config>> keys();
/// What may be set for one host under politeness.hosts.
std::span<const Key<HostOverride>> host_keys();

/// Paths of the keys in which two configurations differ, in the order of keys(). Of seeds it matters which
/// they are, in which order and with which weight, not where they were written.
std::vector<std::string_view> changed_keys(const Config& left, const Config& right);

/// The key that is no value: files to read after this one (include.h).
inline constexpr std::string_view kIncludeKey = "include";

/// The key at `path`; null when there is none.
const Key<Config>* find_key(std::string_view path);
const Key<HostOverride>* find_host_key(std::string_view name);
/// True for a path that has keys below it: `network`, `network.timeouts`.
bool is_section(std::string_view path);

/// The part after the last dot, and the part before it (empty when there is no dot).
std::string_view last_part(std::string_view path);
std::string_view parent_of(std::string_view path);

}  // namespace config
