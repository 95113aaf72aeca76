#pragma once
// Every knob of crawld: unit in the type, default in the initialiser. One struct for each room, and each room
// takes only its own. Paths, bounds and descriptions are in one table, config/keys.cpp.
// Plain values: no YAML, no I/O. A key's path in YAML is its path here: politeness.default_interval.
#include "base/address.h"
#include "base/time.h"
#include "base/url.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

using base::Duration;
using namespace std::chrono_literals;

struct Agent {
  /// Product tokens for robots.txt, `[A-Za-z_-]+`; the first that has a group wins (ROBOTS.md §2).
  std::vector<std::string> tokens{"crawld"};
  std::string contact;     ///< required: http(s) URL or mail address; example.com, .org, .net are refused
  std::string user_agent;  ///< empty: `<first token>/<version> (+<contact>)`
};

enum class Follow { host, domain, any };

struct Scope {
  Follow follow = Follow::host;  ///< links to the seeds' hosts, their registrable domains, anywhere
  std::uint32_t max_depth = 16;  ///< hops from a seed
  std::uint64_t max_urls_per_origin = 100'000;    ///< distinct URLs accepted of one origin
  std::uint64_t max_urls_per_domain = 1'000'000;  ///< the same of one registrable domain
};

/// When a page that was fetched is fetched again. min <= initial <= max.
struct Recrawl {
  bool enabled = true;         ///< false: every page once
  Duration initial = 24h * 7;  ///< after the first fetch, when nothing is known of how often it changes
  Duration min = 24h;          ///< never sooner, however often it changes
  Duration max = 24h * 90;     ///< never later, however seldom
};

/// What an operator has set by hand for one host (M: a delay set on the site owner's request).
struct HostOverride {
  std::optional<Duration> crawl_delay;  ///< counts as the site's Crawl-delay, which it replaces
  std::optional<Duration> default_interval;
  std::optional<Duration> hard_minimum;
  std::optional<double> latency_factor;
};

struct Politeness {
  Duration default_interval = 2s;            ///< between request starts where robots.txt gives no rate
  Duration hard_minimum = 100ms;             ///< never faster than this; 0 only for sites one owns
  std::optional<Duration> rate_floor = 10s;  ///< a Request-rate never means more than this; none: `off`
  Duration max_crawl_delay = 1h;             ///< a longer Crawl-delay counts as this
  double latency_factor = 2.0;               ///< next start >= end + factor x duration
  Duration latency_cap = 60s;                ///< ... but at most this after the end
  Duration per_address_interval = 250ms;     ///< between requests to one IP address
  Duration per_site_interval = 0s;           ///< between requests to one registrable domain
  /// By host name in lower case, `example.com` or `*.example.com` (its subdomains, the nearest wins).
  std::map<std::string, HostOverride, std::less<>> hosts;

  /// The override for `host`, exact name first, then the nearest `*.` parent; null when there is none.
  const HostOverride* host_override(std::string_view host) const;
};

enum class Grouping { section, rfc9309 };
enum class BareSlash { everything, root_only };
enum class Status429 { defer, allow };

struct Robots {
  Grouping grouping = Grouping::section;
  bool version2 = true;
  BareSlash version2_bare_slash = BareSlash::everything;
  bool honour_visit_time = false;
  std::uint32_t max_redirects = 5;
  Status429 status_429 = Status429::defer;
  Duration unreachable_as_missing_after = 24h * 30;
  std::optional<Duration> probe_5xx_after = 24h;  ///< none: `off`
  std::uint64_t cache_entries = 100'000;  ///< origins whose robots.txt is kept in memory, on each thread
};

struct Nameserver {
  base::IpAddress address;
  std::uint16_t port = 53;
  friend bool operator==(const Nameserver&, const Nameserver&) = default;
};

struct Timeouts {
  Duration dns = 10s;
  Duration connect = 10s;
  Duration tls = 10s;
  Duration head = 30s;     ///< from the request's last octet to the end of the response head
  Duration idle = 20s;     ///< without an octet while the body comes
  Duration total = 10min;  ///< one exchange, all phases
};

struct Network {
  std::vector<base::Cidr> allow_addresses;  ///< ranges let through the address guard; none by default
  std::vector<Nameserver> nameservers;      ///< empty: the system's
  Timeouts timeouts;
  std::uint32_t max_connections = 1024;       ///< open at once, idle ones included, over all threads
  std::uint64_t max_head_size = 64UL * 1024;  ///< octets of a response head, interim responses included
  std::uint64_t max_body_size = 16UL * 1024 * 1024;  ///< decoded octets of a page; the rest is cut off
  std::string ca_file;                               ///< PEM; empty: the system's trust store
};

struct Storage {
  std::string directory = "/var/lib/crawld";
  std::uint64_t memory = 512UL * 1024 * 1024;             ///< octets for the frontier, over all threads
  std::uint64_t pause_below = 2UL * 1024 * 1024 * 1024;   ///< free octets under which the crawl pauses
  std::uint64_t resume_above = 4UL * 1024 * 1024 * 1024;  ///< ... and above which it goes on; >= pause_below
};

enum class LogFormat { text, json };

struct Log {
  std::string level = "info";  ///< trace debug info warning error
  LogFormat format = LogFormat::text;
  std::string file;  ///< empty: standard error
};

/// Weights of seeds are 1 to this.
inline constexpr std::uint8_t kSeedWeightMax = 10;

/// A seed and where it was written, for messages.
struct Seed {
  base::Url url;
  std::string where;        ///< `file:line`
  std::uint8_t weight = 1;  ///< how much more than others its site matters
};

struct Config {
  Agent agent;
  std::vector<Seed> seeds;
  Scope scope;
  Recrawl recrawl;
  Politeness politeness;
  Robots robots;
  Network network;
  std::uint32_t threads = 0;  ///< 0: one for each CPU
  Storage storage;
  Log log;

  std::string user_agent() const;  ///< the User-Agent header in force
};

}  // namespace config
