#include "config/keys.h"

#include "config/seeds.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace config {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kGiB = 1024 * kMiB;
constexpr std::int64_t kTiB = 1024 * kGiB;
constexpr std::int64_t kPathOctetsMax = 4096;
constexpr auto kDay = 24h;

constexpr Bounds between(Duration low, Duration high) {
  return {low.count(), high.count()};
}

constexpr Bounds between(std::int64_t low, std::int64_t high) {
  return {low, high};
}
constexpr Bounds kUnbounded{};

constexpr std::array<std::string_view, 3> kFollow{"host", "domain", "any"};
constexpr std::array<std::string_view, 2> kGrouping{"section", "rfc9309"};
constexpr std::array<std::string_view, 2> kBareSlash{"everything", "root-only"};
constexpr std::array<std::string_view, 2> kStatus429{"defer", "allow"};
constexpr std::array<std::string_view, 3> kFamilies{"both", "ipv4", "ipv6"};
constexpr std::array<std::string_view, 2> kProxyNames{"local", "remote"};
constexpr std::array<std::string_view, 2> kPacking{"gzip", "zstd"};
constexpr std::array<std::string_view, 2> kDigest{"sha1", "sha256"};
constexpr std::array<std::string_view, 3> kCrawlLogFormat{"heritrix", "json", "off"};
constexpr std::array<std::string_view, 5> kLevels{"trace", "debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 6> kModuleLevels{"inherit", "trace",   "debug",
                                                        "info",    "warning", "error"};
constexpr std::array<std::string_view, 3> kLogVisits{"auto", "on", "off"};
constexpr std::array<std::string_view, 4> kLogFormat{"auto", "text", "json", "journald"};

constexpr Key<Config> kKeys[] = {
    {{"agent.tokens", Kind::tokens, between(1, 16),
      "names looked for in robots.txt; the first that has a group wins"},
     [](Config& c) -> Slot { return &c.agent.tokens; }},
    {{"agent.contact", Kind::contact, between(1, 256),
      "web page or mail address where site owners reach the operator"},
     [](Config& c) -> Slot { return &c.agent.contact; }},
    {{"agent.user_agent", Kind::user_agent, between(0, 512),
      "User-Agent header; empty: made of token, version, contact"},
     [](Config& c) -> Slot { return &c.agent.user_agent; }},

    {{"seeds", Kind::seeds, between(0, static_cast<std::int64_t>(SeedLimits{}.seeds)),
      "URLs to begin with, and files that list some"},
     [](Config& c) -> Slot { return &c.seeds; }},

    {{"scope.follow", Kind::choice, kUnbounded,
      "how far links lead: the seeds' hosts, their domains, anywhere", kFollow},
     [](Config& c) -> Slot { return &c.scope.follow; }},
    {{"scope.max_depth", Kind::count, between(0, 10'000), "links between a seed and a page"},
     [](Config& c) -> Slot { return &c.scope.max_depth; }},
    {{"scope.max_urls_per_origin", Kind::count, between(1, 1'000'000'000'000),
      "distinct URLs accepted of one origin"},
     [](Config& c) -> Slot { return &c.scope.max_urls_per_origin; }},
    {{"scope.max_urls_per_domain", Kind::count, between(1, 1'000'000'000'000),
      "distinct URLs accepted of one registrable domain"},
     [](Config& c) -> Slot { return &c.scope.max_urls_per_domain; }},
    {{"scope.embeds", Kind::boolean, kUnbounded, "visit images, styles, scripts and other parts of pages"},
     [](Config& c) -> Slot { return &c.scope.embeds; }},
    {{"scope.strip_parameters", Kind::parameters, between(0, 1000),
      "query parameters that are dropped from found URLs"},
     [](Config& c) -> Slot { return &c.scope.strip_parameters; }},

    {{"traps.max_url_length", Kind::count, between(64, 8192), "octets of a URL; longer ones are not visited"},
     [](Config& c) -> Slot { return &c.traps.max_url_length; }},
    {{"traps.max_path_segments", Kind::count, between(1, 4096), "folders in a path, its last part included"},
     [](Config& c) -> Slot { return &c.traps.max_path_segments; }},
    {{"traps.max_repeats", Kind::count, between(1, 4096),
      "times that a part of a path may follow upon itself"},
     [](Config& c) -> Slot { return &c.traps.max_repeats; }},
    {{"traps.max_parameters", Kind::count, between(0, 4096), "parameters of a query"},
     [](Config& c) -> Slot { return &c.traps.max_parameters; }},
    {{"traps.max_queries_per_path", Kind::count, between(1, 1'000'000'000'000),
      "distinct queries accepted of one path"},
     [](Config& c) -> Slot { return &c.traps.max_queries_per_path; }},
    {{"traps.brake_after", Kind::count, between(0, 1'000'000),
      "pages that nearly all repeat others, after which their folder is braked; 0: never"},
     [](Config& c) -> Slot { return &c.traps.brake_after; }},

    {{"sitemaps.enabled", Kind::boolean, kUnbounded, "read the sitemaps that robots.txt names"},
     [](Config& c) -> Slot { return &c.sitemaps.enabled; }},
    {{"sitemaps.guess", Kind::boolean, kUnbounded, "ask for /sitemap.xml where robots.txt names none"},
     [](Config& c) -> Slot { return &c.sitemaps.guess; }},

    {{"recrawl.enabled", Kind::boolean, kUnbounded, "fetch pages again; false: each once"},
     [](Config& c) -> Slot { return &c.recrawl.enabled; }},
    {{"recrawl.initial", Kind::duration, between(1min, 3650 * kDay),
      "from the first fetch of a page to the second"},
     [](Config& c) -> Slot { return &c.recrawl.initial; }},
    {{"recrawl.min", Kind::duration, between(1min, 3650 * kDay),
      "a page that changes often is not fetched again sooner"},
     [](Config& c) -> Slot { return &c.recrawl.min; }},
    {{"recrawl.max", Kind::duration, between(1min, 3650 * kDay),
      "a page that seldom changes is fetched again by then"},
     [](Config& c) -> Slot { return &c.recrawl.max; }},

    {{"politeness.default_interval", Kind::duration, between(0s, kDay),
      "between requests to an origin that names no rate"},
     [](Config& c) -> Slot { return &c.politeness.default_interval; }},
    {{"politeness.hard_minimum", Kind::duration, between(0s, 1h),
      "never faster than this, whatever a site allows"},
     [](Config& c) -> Slot { return &c.politeness.hard_minimum; }},
    {{"politeness.rate_floor", Kind::duration_or_off, between(1s, 1h),
      "a Request-rate never means a longer interval"},
     [](Config& c) -> Slot { return &c.politeness.rate_floor; }},
    {{"politeness.max_crawl_delay", Kind::duration, between(1s, 30 * kDay),
      "a longer Crawl-delay counts as this"},
     [](Config& c) -> Slot { return &c.politeness.max_crawl_delay; }},
    {{"politeness.latency_factor", Kind::real, between(0, 1000),
      "pause after an answer, as a multiple of the time it took"},
     [](Config& c) -> Slot { return &c.politeness.latency_factor; }},
    {{"politeness.latency_cap", Kind::duration, between(0s, 1h), "longest pause that latency_factor makes"},
     [](Config& c) -> Slot { return &c.politeness.latency_cap; }},
    {{"politeness.per_address_interval", Kind::duration, between(0s, 1h),
      "between requests to one IP address"},
     [](Config& c) -> Slot { return &c.politeness.per_address_interval; }},
    {{"politeness.per_site_interval", Kind::duration, between(0s, 1h),
      "between requests to one registrable domain"},
     [](Config& c) -> Slot { return &c.politeness.per_site_interval; }},
    {{"politeness.hosts", Kind::hosts, between(0, 100'000),
      "what holds for one host, or for the subdomains of one"},
     [](Config& c) -> Slot { return &c.politeness.hosts; }},

    {{"robots.grouping", Kind::choice, kUnbounded, "which records end a run of User-agent lines", kGrouping},
     [](Config& c) -> Slot { return &c.robots.grouping; }},
    {{"robots.version2", Kind::boolean, kUnbounded, "understand Robot-version: 2.0"},
     [](Config& c) -> Slot { return &c.robots.version2; }},
    {{"robots.version2_bare_slash", Kind::choice, kUnbounded, "what `Disallow: /` forbids in version 2.0",
      kBareSlash},
     [](Config& c) -> Slot { return &c.robots.version2_bare_slash; }},
    {{"robots.honour_visit_time", Kind::boolean, kUnbounded, "visit only within Visit-time"},
     [](Config& c) -> Slot { return &c.robots.honour_visit_time; }},
    {{"robots.max_redirects", Kind::count, between(0, 10), "redirects followed for one robots.txt"},
     [](Config& c) -> Slot { return &c.robots.max_redirects; }},
    {{"robots.status_429", Kind::choice, kUnbounded,
      "robots.txt answered with 429: wait, or take it as missing", kStatus429},
     [](Config& c) -> Slot { return &c.robots.status_429; }},
    {{"robots.unreachable_as_missing_after", Kind::duration, between(1h, 3650 * kDay),
      "5xx for so long means there is no robots.txt"},
     [](Config& c) -> Slot { return &c.robots.unreachable_as_missing_after; }},
    {{"robots.probe_5xx_after", Kind::duration_or_off, between(1min, 365 * kDay),
      "5xx for so long: ask whether the server means 404"},
     [](Config& c) -> Slot { return &c.robots.probe_5xx_after; }},
    {{"robots.cache_entries", Kind::count, between(1, 100'000'000),
      "robots.txt files kept in memory, on each thread"},
     [](Config& c) -> Slot { return &c.robots.cache_entries; }},

    {{"network.allow_addresses", Kind::ranges, between(0, 1000),
      "private address ranges that may be visited"},
     [](Config& c) -> Slot { return &c.network.allow_addresses; }},
    {{"network.nameservers", Kind::nameservers, between(0, 16), "DNS servers; none: the system's"},
     [](Config& c) -> Slot { return &c.network.nameservers; }},
    {{"network.families", Kind::choice, kUnbounded, "IP versions that are used", kFamilies},
     [](Config& c) -> Slot { return &c.network.families; }},
    {{"network.source_addresses", Kind::addresses, between(0, 2),
      "our own addresses that connections come from, one of each IP version"},
     [](Config& c) -> Slot { return &c.network.source_addresses; }},
    {{"network.proxy", Kind::proxy, between(0, 1024), "proxy for all requests, HTTP or SOCKS; empty: none"},
     [](Config& c) -> Slot { return &c.network.proxy; }},
    {{"network.proxy_names", Kind::choice, kUnbounded,
      "who resolves names when there is a proxy: crawld, or the proxy", kProxyNames},
     [](Config& c) -> Slot { return &c.network.proxy_names; }},
    {{"network.proxy_password_file", Kind::input_file, between(0, kPathOctetsMax),
      "file that holds the password for network.proxy"},
     [](Config& c) -> Slot { return &c.network.proxy_password_file; }},
    {{"network.timeouts.dns", Kind::duration, between(10ms, 1h), "to resolve a name"},
     [](Config& c) -> Slot { return &c.network.timeouts.dns; }},
    {{"network.timeouts.connect", Kind::duration, between(10ms, 1h), "to open a TCP connection"},
     [](Config& c) -> Slot { return &c.network.timeouts.connect; }},
    {{"network.timeouts.tls", Kind::duration, between(10ms, 1h), "for the TLS handshake"},
     [](Config& c) -> Slot { return &c.network.timeouts.tls; }},
    {{"network.timeouts.head", Kind::duration, between(10ms, 1h),
      "from the request's end to the end of the response head"},
     [](Config& c) -> Slot { return &c.network.timeouts.head; }},
    {{"network.timeouts.idle", Kind::duration, between(10ms, 1h), "without an octet while the body comes"},
     [](Config& c) -> Slot { return &c.network.timeouts.idle; }},
    {{"network.timeouts.total", Kind::duration, between(10ms, kDay), "for one exchange, all phases"},
     [](Config& c) -> Slot { return &c.network.timeouts.total; }},
    {{"network.min_rate", Kind::size, between(0, kGiB),
      "octets a second; a body that comes slower is given up; 0: never"},
     [](Config& c) -> Slot { return &c.network.min_rate; }},
    {{"network.min_rate_over", Kind::duration, between(1s, 1h),
      "span over which network.min_rate is measured"},
     [](Config& c) -> Slot { return &c.network.min_rate_over; }},
    {{"network.max_connections", Kind::count, between(1, 1'000'000),
      "connections open at once, idle ones included"},
     [](Config& c) -> Slot { return &c.network.max_connections; }},
    {{"network.max_head_size", Kind::size, between(kKiB, 16 * kMiB), "a longer response head is refused"},
     [](Config& c) -> Slot { return &c.network.max_head_size; }},
    {{"network.max_body_size", Kind::size, between(kKiB, 4 * kGiB),
      "a longer page is cut here, after decoding"},
     [](Config& c) -> Slot { return &c.network.max_body_size; }},
    {{"network.max_body_memory", Kind::size, between(kMiB, kTiB),
      "memory for large bodies under way, all threads together"},
     [](Config& c) -> Slot { return &c.network.max_body_memory; }},
    {{"network.ca_file", Kind::input_file, between(0, kPathOctetsMax),
      "PEM file of certificate authorities; empty: the system's"},
     [](Config& c) -> Slot { return &c.network.ca_file; }},
    {{"network.unverified_hosts", Kind::host_patterns, between(0, 10'000),
      "hosts whose certificate is noted, but need not be valid"},
     [](Config& c) -> Slot { return &c.network.unverified_hosts; }},

    {{"threads", Kind::count, between(0, 256), "threads that crawl; 0: one for each CPU"},
     [](Config& c) -> Slot { return &c.threads; }},

    {{"storage.directory", Kind::text, between(1, kPathOctetsMax), "folder of the crawl's state and archive"},
     [](Config& c) -> Slot { return &c.storage.directory; }},
    {{"storage.memory", Kind::size, between(64 * kMiB, kTiB),
      "memory for the frontier, all threads together"},
     [](Config& c) -> Slot { return &c.storage.memory; }},
    {{"storage.pause_below", Kind::size, between(kMiB, 1024 * kTiB),
      "with less free space in the folder the crawl pauses"},
     [](Config& c) -> Slot { return &c.storage.pause_below; }},
    {{"storage.resume_above", Kind::size, between(kMiB, 1024 * kTiB),
      "with more free space a paused crawl goes on"},
     [](Config& c) -> Slot { return &c.storage.resume_above; }},

    {{"archive.enabled", Kind::boolean, kUnbounded, "keep the answers in WARC files"},
     [](Config& c) -> Slot { return &c.archive.enabled; }},
    {{"archive.directory", Kind::text, between(0, kPathOctetsMax),
      "folder of the WARC files; empty: archive in storage.directory"},
     [](Config& c) -> Slot { return &c.archive.directory; }},
    {{"archive.prefix", Kind::file_name, between(1, 64), "what names of WARC files begin with"},
     [](Config& c) -> Slot { return &c.archive.prefix; }},
    {{"archive.max_file_size", Kind::size, between(kMiB, kTiB), "octets after which the next file is begun"},
     [](Config& c) -> Slot { return &c.archive.max_file_size; }},
    {{"archive.max_file_age", Kind::duration, between(1s, 365 * kDay),
      "age after which the next file is begun"},
     [](Config& c) -> Slot { return &c.archive.max_file_age; }},
    {{"archive.packing", Kind::choice, kUnbounded, "compression of the records", kPacking},
     [](Config& c) -> Slot { return &c.archive.packing; }},
    {{"archive.digest", Kind::choice, kUnbounded, "digest of blocks and payloads", kDigest},
     [](Config& c) -> Slot { return &c.archive.digest; }},
    {{"archive.types", Kind::media_types, between(0, 1000), "media types that are kept; none: all"},
     [](Config& c) -> Slot { return &c.archive.types; }},
    {{"archive.statuses", Kind::statuses, between(0, 1000), "statuses that are kept; none: all"},
     [](Config& c) -> Slot { return &c.archive.statuses; }},
    {{"archive.max_size", Kind::size, between(0, kTiB), "larger bodies are not kept; 0: any are"},
     [](Config& c) -> Slot { return &c.archive.max_size; }},
    {{"archive.canonical_only", Kind::boolean, kUnbounded,
      "do not keep a page that names another as its canonical form"},
     [](Config& c) -> Slot { return &c.archive.canonical_only; }},
    {{"archive.pages", Kind::boolean, kUnbounded, "write a list of pages beside each WARC file"},
     [](Config& c) -> Slot { return &c.archive.pages; }},

    {{"crawl_log.format", Kind::choice, kUnbounded, "columns of Heritrix, JSON lines, or no crawl log",
      kCrawlLogFormat},
     [](Config& c) -> Slot { return &c.crawl_log.format; }},
    {{"crawl_log.file", Kind::text, between(0, kPathOctetsMax),
      "the crawl log; empty: crawl.log in storage.directory"},
     [](Config& c) -> Slot { return &c.crawl_log.file; }},
    {{"crawl_log.max_file_size", Kind::size, between(64 * kKiB, kTiB), "octets after which it is rotated"},
     [](Config& c) -> Slot { return &c.crawl_log.max_file_size; }},
    {{"crawl_log.max_files", Kind::count, between(1, 10'000), "rotated crawl logs that are kept"},
     [](Config& c) -> Slot { return &c.crawl_log.max_files; }},

    {{"admin.socket", Kind::text, between(0, kPathOctetsMax),
      "Unix socket of the admin endpoint; empty: control.sock in $RUNTIME_DIRECTORY or storage.directory"},
     [](Config& c) -> Slot { return &c.admin.socket; }},
    {{"admin.listen", Kind::text, between(0, 64),
      "loopback address and port of the admin endpoint; empty: none"},
     [](Config& c) -> Slot { return &c.admin.listen; }},
    {{"admin.token_file", Kind::input_file, between(0, kPathOctetsMax),
      "file with the token that orders over TCP need; empty: none are taken there"},
     [](Config& c) -> Slot { return &c.admin.token_file; }},

    {{"log.level", Kind::choice, kUnbounded, "least important messages that are written", kLevels},
     [](Config& c) -> Slot { return &c.log.level; }},
    {{"log.levels.daemon", Kind::choice, kUnbounded, "log.level of start, stop, signals, pauses",
      kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.daemon; }},
    {{"log.levels.visit", Kind::choice, kUnbounded, "log.level of visits", kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.visit; }},
    {{"log.levels.robots", Kind::choice, kUnbounded, "log.level of robots.txt", kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.robots; }},
    {{"log.levels.archive", Kind::choice, kUnbounded, "log.level of WARC files", kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.archive; }},
    {{"log.levels.store", Kind::choice, kUnbounded, "log.level of the disk under the frontier",
      kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.store; }},
    {{"log.levels.summary", Kind::choice, kUnbounded, "log.level of the minute line", kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.summary; }},
    {{"log.levels.admin", Kind::choice, kUnbounded, "log.level of the admin endpoint", kModuleLevels},
     [](Config& c) -> Slot { return &c.log.levels.admin; }},
    {{"log.visits", Kind::choice, kUnbounded,
      "lines of single requests are info, or debug; auto: debug in the journal", kLogVisits},
     [](Config& c) -> Slot { return &c.log.visits; }},
    {{"log.format", Kind::choice, kUnbounded,
      "lines for people or for programs, or the journal; auto: the journal where it hears us", kLogFormat},
     [](Config& c) -> Slot { return &c.log.format; }},
    {{"log.file", Kind::text, between(0, kPathOctetsMax), "log file; empty: standard error"},
     [](Config& c) -> Slot { return &c.log.file; }},
    {{"log.max_file_size", Kind::size, between(64 * kKiB, kTiB), "octets after which log.file is rotated"},
     [](Config& c) -> Slot { return &c.log.max_file_size; }},
    {{"log.max_files", Kind::count, between(0, 10'000), "rotated log files that are kept; 0: never rotated"},
     [](Config& c) -> Slot { return &c.log.max_files; }},
};

constexpr Key<HostOverride> kHostKeys[] = {
    {{"crawl_delay", Kind::duration, between(0s, 30 * kDay),
      "counts as the site's Crawl-delay, which it replaces"},
     [](HostOverride& h) -> Slot { return &h.crawl_delay; }},
    {{"default_interval", Kind::duration, between(0s, kDay), "politeness.default_interval of this host"},
     [](HostOverride& h) -> Slot { return &h.default_interval; }},
    {{"hard_minimum", Kind::duration, between(0s, 1h), "politeness.hard_minimum of this host"},
     [](HostOverride& h) -> Slot { return &h.hard_minimum; }},
    {{"latency_factor", Kind::real, between(0, 1000), "politeness.latency_factor of this host"},
     [](HostOverride& h) -> Slot { return &h.latency_factor; }},
};

}  // namespace

std::span<const Key<Config>> keys() {
  return kKeys;
}
std::span<const Key<HostOverride>> host_keys() {
  return kHostKeys;
}

const Key<Config>* find_key(std::string_view path) {
  const auto found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& k) { return k.spec.path == path; });
  return found == std::end(kKeys) ? nullptr : found;
}

const Key<HostOverride>* find_host_key(std::string_view name) {
  const auto found = std::find_if(std::begin(kHostKeys), std::end(kHostKeys),
                                  [&](const auto& k) { return k.spec.path == name; });
  return found == std::end(kHostKeys) ? nullptr : found;
}

bool is_section(std::string_view path) {
  return std::any_of(std::begin(kKeys), std::end(kKeys), [&](const auto& k) {
    return k.spec.path.size() > path.size() && k.spec.path.starts_with(path) &&
           k.spec.path[path.size()] == '.';
  });
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

std::string_view parent_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

}  // namespace config
