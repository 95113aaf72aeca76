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
  bool embeds = false;  ///< images, styles, scripts and other parts of pages are visited too
  /// Names of query parameters that are dropped from found URLs: `utm_*`, `sessionid`. A `*` at the end
  /// alone.
  std::vector<std::string> strip_parameters;
};

/// What makes a URL look like one of a site without end.
struct Traps {
  std::uint32_t max_url_length = 2048;          ///< octets of the normal form
  std::uint32_t max_path_segments = 20;         ///< depth of the path
  std::uint32_t max_repeats = 3;                ///< times that a part of the path may follow upon itself
  std::uint32_t max_parameters = 20;            ///< in the query
  std::uint64_t max_queries_per_path = 10'000;  ///< distinct queries of one path
  /// Pages of an origin, or below a folder of it, that nearly all had the content of others, after which it
  /// is braked; 0: never.
  std::uint32_t brake_after = 200;
};

struct Sitemaps {
  bool enabled = true;  ///< those that robots.txt names are read
  bool guess = false;   ///< where it names none, /sitemap.xml is asked for
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
  friend bool operator==(const HostOverride&, const HostOverride&) = default;
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

enum class Families { both, ipv4, ipv6 };

/// Where connections go instead of to the servers themselves.
struct Proxy {
  enum class Kind { none, http, socks5 };
  Kind kind = Kind::none;
  std::string host;  ///< as in a URL: an IPv6 address has its brackets
  std::uint16_t port = 0;
  std::string user;  ///< empty: it wants no name
  friend bool operator==(const Proxy&, const Proxy&) = default;
};

/// Who turns names into addresses when there is a proxy. Only `local` lets the guard judge every address.
enum class ProxyNames { local, remote };

struct Network {
  std::vector<base::Cidr> allow_addresses;  ///< ranges let through the address guard; none by default
  std::vector<Nameserver> nameservers;      ///< empty: the system's
  Families families = Families::both;
  /// What connections come from, one of each family at most. A family without one is not used when the other
  /// has one. Empty: the system chooses.
  std::vector<base::IpAddress> source_addresses;
  Proxy proxy;
  ProxyNames proxy_names = ProxyNames::local;
  std::string proxy_password_file;
  Timeouts timeouts;
  std::uint64_t min_rate = 100;          ///< octets a second that a body comes at, or it is given up; 0: any
  Duration min_rate_over = 30s;          ///< ... in each such span
  std::uint32_t max_connections = 4096;  ///< open at once, idle ones included, over all threads
  std::uint64_t max_head_size = 64UL * 1024;  ///< octets of a response head, interim responses included
  std::uint64_t max_body_size = 16UL * 1024 * 1024;  ///< decoded octets of a page; the rest is cut off
  /// Memory for bodies under way, over all threads, beyond the first 256 KiB of each.
  std::uint64_t max_body_memory = 512UL * 1024 * 1024;
  std::string ca_file;  ///< PEM; empty: the system's trust store
  /// Hosts whose certificate is noted but need not be valid: `old.example.com`, `*.example.com`, `*`.
  std::vector<std::string> unverified_hosts;

  bool verifies(std::string_view host) const;  ///< `host` needs a valid certificate
};

struct Storage {
  std::string directory = "/var/lib/crawld";
  std::uint64_t memory = 512UL * 1024 * 1024;             ///< octets for the frontier, over all threads
  std::uint64_t pause_below = 2UL * 1024 * 1024 * 1024;   ///< free octets under which the crawl pauses
  std::uint64_t resume_above = 4UL * 1024 * 1024 * 1024;  ///< ... and above which it goes on; >= pause_below
};

enum class Packing { gzip, zstd };
enum class Digest { sha1, sha256 };

/// What is kept of the answers: WARC files.
struct Archive {
  bool enabled = true;
  std::string directory;                        ///< empty: `archive` in storage.directory
  std::string prefix = "crawld";                ///< of the names of files
  std::uint64_t max_file_size = 1'000'000'000;  ///< octets after which the next file is begun
  Duration max_file_age = 24h;                  ///< ... or so long after a file's first record
  Packing packing = Packing::gzip;
  Digest digest = Digest::sha1;
  std::vector<std::string> types;     ///< media types that are kept, `text/html`, `image/*`; empty: all
  std::vector<std::string> statuses;  ///< `200`, `4xx`; empty: all
  std::uint64_t max_size = 0;         ///< octets of a body; larger ones are not kept; 0: any
  bool canonical_only = false;        ///< a page that names another as canonical is not kept
  bool pages = true;                  ///< write pages.jsonl beside each file
};

enum class CrawlLogFormat { heritrix, json, off };

/// One line for each visit, for programs that read crawl logs.
struct CrawlLog {
  CrawlLogFormat format = CrawlLogFormat::heritrix;
  std::string file;                                   ///< empty: `crawl.log` in storage.directory
  std::uint64_t max_file_size = 256UL * 1024 * 1024;  ///< octets after which the file is rotated
  std::uint32_t max_files = 8;                        ///< rotated ones that are kept
};

/// Where people and programs ask how the crawl does, and tell it what to do (crawler/ADMIN.md).
struct Admin {
  /// The Unix socket; empty: `control.sock` in $RUNTIME_DIRECTORY, or in storage.directory; `off`: none.
  std::string socket;
  std::string listen;      ///< a loopback address with a port, `127.0.0.1:9464`; empty: no TCP
  std::string token_file;  ///< whose first line lets orders in over TCP; empty: there they are refused
};

/// Octets of a Unix socket's path (sockaddr_un, with its final zero).
inline constexpr std::size_t kSocketPathMax = 107;

enum class LogFormat { automatic, text, json, journald };

/// Levels of the modules of base::Module: trace debug info warning error, or inherit (log.level).
struct LogLevels {
  std::string daemon = "inherit";
  std::string visit = "inherit";
  std::string robots = "inherit";
  std::string archive = "inherit";
  std::string store = "inherit";
  std::string summary = "inherit";
  std::string admin = "inherit";
};

struct Log {
  std::string level = "info";  ///< trace debug info warning error
  LogLevels levels;
  std::string visits = "auto";  ///< auto on off: whether lines of single requests are info, or debug
  LogFormat format = LogFormat::automatic;
  std::string file;                                  ///< empty: standard error
  std::uint64_t max_file_size = 64UL * 1024 * 1024;  ///< octets after which the file is rotated
  std::uint32_t max_files = 8;                       ///< rotated ones that are kept; 0: never rotated
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
  Traps traps;
  Sitemaps sitemaps;
  Recrawl recrawl;
  Politeness politeness;
  Robots robots;
  Network network;
  std::uint32_t threads = 0;  ///< 0: one for each CPU
  Storage storage;
  Archive archive;
  CrawlLog crawl_log;
  Admin admin;
  Log log;

  std::string user_agent() const;  ///< the User-Agent header in force
  std::string from() const;        ///< the From header: agent.contact when it is a mail address, else empty
};

}  // namespace config
