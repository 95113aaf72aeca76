// The table of keys, and what is made from it: reading, dump() and the annotated example.
#include "config/keys.h"

#include "config/problems.h"
#include "config/yaml_tree.h"
#include "tests/config/help.h"

#include <set>

namespace config {
namespace {

std::string read_example() {
  std::ifstream file(CRAWLD_SOURCE "/config/crawld.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Paths of the keys in which `a` and `b` differ.
Lines differences(const Config& a, const Config& b) {
  const std::vector<std::string_view> paths = changed_keys(a, b);
  return {paths.begin(), paths.end()};
}

/// A configuration in which every key differs from its default.
constexpr std::string_view kEverythingElse = R"yaml(
agent:
  tokens: [mybot, "other-bot"]
  contact: bot@operator.net
  user_agent: "mybot/9 (+bot@operator.net; \"quoted\" \\ )"
seeds:
  - https://a.com/?q=%22x%22
  - {url: "http://b.com:8080/", weight: 10}
scope: {follow: domain, max_depth: 0, max_urls_per_origin: 1000000000000, max_urls_per_domain: 1,
  embeds: true, strip_parameters: ["utm_*", sid]}
traps: {max_url_length: 8192, max_path_segments: 1, max_repeats: 1, max_parameters: 0, max_queries_per_path: 1, brake_after: 0}
sitemaps: {enabled: false, guess: true}
recrawl: {enabled: false, initial: 2h, min: 1h, max: 3h}
politeness:
  default_interval: 1h30m
  hard_minimum: 1ms
  rate_floor: off
  max_crawl_delay: 2d
  latency_factor: 0.1
  latency_cap: 0s
  per_address_interval: 0s
  per_site_interval: 1.5s
  hosts:
    a.com: {crawl_delay: 1s, default_interval: 2s, hard_minimum: 3s, latency_factor: 4}
    "*.b.com": {latency_factor: 0.3333333333333333}
    empty.com: {}
robots:
  grouping: rfc9309
  version2: false
  version2_bare_slash: root-only
  honour_visit_time: true
  max_redirects: 10
  status_429: allow
  unreachable_as_missing_after: 12h
  probe_5xx_after: off
  cache_entries: 7
network:
  allow_addresses: [10.0.0.0/8, "fd00::/8"]
  nameservers: [192.0.2.1, "[::1]:5353"]
  families: ipv4
  source_addresses: [192.0.2.9]
  proxy: "socks5://me@[2001:db8::1]:1080"
  proxy_names: remote
  proxy_password_file: /etc/crawld/secret
  timeouts: {dns: 1s, connect: 2s, tls: 3s, head: 4s, idle: 5s, total: 6s}
  min_rate: 0
  min_rate_over: 1h
  max_connections: 1
  max_head_size: 512KB
  max_body_size: 4GiB
  max_body_memory: 1MiB
  unverified_hosts: ["*.old.com", "*"]
  ca_file: /etc/ssl/über.pem
threads: 256
storage: {directory: "/srv/my crawl", memory: 1TiB, pause_below: 1MiB, resume_above: 1MiB}
archive:
  enabled: false
  directory: /srv/warc
  prefix: my-crawl_1.2
  max_file_size: 5GB
  max_file_age: 1h
  packing: zstd
  digest: sha256
  types: [text/html, "image/*"]
  statuses: [200, 4xx]
  max_size: 1MiB
  canonical_only: true
  pages: false
crawl_log: {format: json, file: /var/log/crawl.log, max_file_size: 64KiB, max_files: 1}
admin: {socket: /run/crawld/other.sock, listen: "127.0.0.1:9464", token_file: /etc/crawld/token}
log:
  level: trace
  levels: {daemon: debug, visit: error, robots: warning, archive: info, store: trace, summary: debug, admin: error}
  visits: off
  format: json
  file: /var/log/crawld.log
  max_file_size: 64KiB
  max_files: 0
)yaml";

TEST(Keys, EachPathIsOnceAndTheDescriptionIsOneLine) {
  std::set<std::string_view> paths;
  for (const auto& key : keys()) {
    EXPECT_TRUE(paths.insert(key.spec.path).second) << key.spec.path;
    EXPECT_FALSE(key.spec.what.empty()) << key.spec.path;
    EXPECT_EQ(key.spec.what.find('\n'), std::string_view::npos);
    EXPECT_EQ(find_key(key.spec.path), &key);
    EXPECT_FALSE(is_section(key.spec.path));
    EXPECT_EQ(key.spec.kind == Kind::choice, !key.spec.choices.empty()) << key.spec.path;
  }
  EXPECT_EQ(paths.size(), 98U);
  EXPECT_TRUE(is_section("network"));
  EXPECT_TRUE(is_section("network.timeouts"));
  EXPECT_FALSE(is_section("net"));
  EXPECT_FALSE(is_section(""));
  EXPECT_EQ(host_keys().size(), 4U);
}

TEST(Keys, OfASectionStandTogether) {
  std::set<std::string_view> closed;
  std::string_view open;
  for (const auto& key : keys()) {
    const std::string_view section = key.spec.path.substr(0, key.spec.path.find('.'));
    if (section == open) continue;
    EXPECT_TRUE(closed.insert(section).second) << section;
    open = section;
  }
}

TEST(Keys, DefaultsAreWithinTheBounds) {
  Config config;
  config.agent.contact = kContact;
  EXPECT_EQ(load_text(dump(config), "dump", "").errors, Lines{});
}

TEST(Keys, EveryOneCanBeSet) {
  const Config config = good(kEverythingElse);
  Lines all;
  for (const auto& key : keys()) all.emplace_back(key.spec.path);
  EXPECT_EQ(differences(Config{}, config), all);
  EXPECT_EQ(config.scope.follow, Follow::domain);
  EXPECT_EQ(config.robots.version2_bare_slash, BareSlash::root_only);
  EXPECT_EQ(config.robots.status_429, Status429::allow);
  EXPECT_EQ(config.robots.grouping, Grouping::rfc9309);
  EXPECT_EQ(config.log.format, LogFormat::json);
  EXPECT_EQ(config.network.max_body_size, 4ULL << 30U);
  EXPECT_EQ(config.network.timeouts.idle, 5s);
  EXPECT_EQ(config.agent.user_agent, "mybot/9 (+bot@operator.net; \"quoted\" \\ )");
}

TEST(Keys, FollowTakesItsThreeWords) {
  EXPECT_EQ(good("scope: {follow: host}\n").scope.follow, Follow::host);
  EXPECT_EQ(good("scope: {follow: any}\n").scope.follow, Follow::any);
}

TEST(Dump, ReadsBackToTheSame) {
  for (const std::string_view yaml : {kEverythingElse, std::string_view("threads: 3\n")}) {
    const Config config = good(yaml);
    const std::string text = dump(config);
    const Loaded again = load_text(text, "dump", "");
    EXPECT_EQ(again.errors, Lines{}) << text;
    EXPECT_EQ(differences(config, again.config), Lines{}) << text;
    EXPECT_EQ(dump(again.config), text);
  }
}

TEST(Dump, HasEveryKey) {
  const std::string text = dump(good("seeds: [https://a.com/]\n"));
  EXPECT_TRUE(
      text.starts_with("agent:\n"
                       "  tokens: [\"crawld\"]\n"
                       "  contact: \"https://crawler.operator.net/about\"\n"
                       "  user_agent: \"\"\n"
                       "seeds:\n"
                       "  - \"https://a.com/\"\n"
                       "scope:\n"
                       "  follow: host\n"
                       "  max_depth: 16\n"
                       "  max_urls_per_origin: 100000\n"
                       "  max_urls_per_domain: 1000000\n"
                       "  embeds: false\n"
                       "  strip_parameters: []\n"
                       "traps:\n"
                       "  max_url_length: 2048\n"
                       "  max_path_segments: 20\n"
                       "  max_repeats: 3\n"
                       "  max_parameters: 20\n"
                       "  max_queries_per_path: 10000\n"
                       "  brake_after: 200\n"
                       "sitemaps:\n"
                       "  enabled: true\n"
                       "  guess: false\n"
                       "recrawl:\n"
                       "  enabled: true\n"
                       "  initial: 7d\n"
                       "  min: 1d\n"
                       "  max: 90d\n"
                       "politeness:\n"
                       "  default_interval: 2s\n"))
      << text;
  EXPECT_NE(text.find("  proxy_password_file: \"\"\n"
                      "  timeouts:\n"
                      "    dns: 10s\n"
                      "    connect: 10s\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  min_rate_over: 30s\n"
                      "  max_connections: 4096\n"
                      "  max_head_size: 64KiB\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nthreads: 0\nstorage:\n  directory: \"/var/lib/crawld\"\n"), std::string::npos)
      << text;
}

TEST(Example, LoadsAndShowsTheDefaults) {
  const Loaded example = load_file(CRAWLD_SOURCE "/config/crawld.yaml");
  EXPECT_EQ(example.errors, Lines{});
  EXPECT_EQ(differences(Config{}, example.config), (Lines{"agent.contact", "seeds"}));
  ASSERT_EQ(example.warnings.size(), 1U);  // whoever forgets to change the contact is told
  EXPECT_NE(example.warnings[0].find("agent.contact: "), std::string::npos) << example.warnings[0];
}

TEST(Example, HasEveryKeyOfTheTable) {
  Problems problems;
  const std::string text = read_example();
  const auto root = read_yaml(text, problems.add_file("example"), {}, problems);
  ASSERT_TRUE(root);
  for (const auto& key : keys()) {
    const YamlNode* node = &*root;
    for (std::string_view rest = key.spec.path; node != nullptr && !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      const YamlNode* below = nullptr;
      for (std::size_t i = 0; i < node->keys.size(); ++i) {
        if (node->keys[i].text == part) below = &node->items[i];
      }
      node = below;
    }
    EXPECT_NE(node, nullptr) << key.spec.path << " is missing in config/crawld.yaml";
  }
  for (const auto& key : host_keys())
    EXPECT_NE(text.find(std::string(key.spec.path) + ": "), std::string::npos) << key.spec.path;
}

TEST(Example, ItsCommentedKeysAreGoodToo) {
  // What a reader will uncomment has to work.
  EXPECT_EQ(
      good("politeness:\n"
           "  hosts:\n"
           "    www.slow-site.com:\n"
           "      crawl_delay: 1m          # counts as the site's Crawl-delay, which it replaces\n"
           "    \"*.our-own-site.com\":\n"
           "      default_interval: 200ms  # these three as above\n"
           "      hard_minimum: 50ms\n"
           "      latency_factor: 0.5\n"
           "network: {nameservers: [192.0.2.1, \"[2001:db8::1]:5353\"], allow_addresses: [10.0.0.0/8]}\n")
          .politeness.hosts.size(),
      2U);
  EXPECT_EQ(good("seeds:\n  - {url: \"https://www.your-organisation.invalid/news/\", weight: 4}\n")
                .seeds.at(0)
                .weight,
            4);
}

// Every bounded key at both of its edges, and one step outside.
TEST(Bounds, HoldAtTheirEdges) {
  struct Case {
    std::string before, low, high, below, above, after;
  };
  const std::vector<Case> cases = {
      {"scope: {max_depth: ", "0", "10000", "", "10001", "}"},
      {"scope: {max_urls_per_origin: ", "1", "1000000000000", "0", "1000000000001", "}"},
      {"scope: {max_urls_per_domain: ", "1", "1000000000000", "0", "1000000000001", "}"},
      {"recrawl: {min: 1m, max: 3650d, initial: ", "1m", "3650d", "59s", "3651d", "}"},
      {"recrawl: {max: 3650d, initial: 3650d, min: ", "1m", "3650d", "59s", "3651d", "}"},
      {"recrawl: {min: 1m, initial: 1m, max: ", "1m", "3650d", "59s", "3651d", "}"},
      {"politeness: {default_interval: ", "0s", "1d", "", "24h1ns", "}"},
      {"politeness: {hard_minimum: ", "0", "1h", "", "1h1ns", "}"},
      {"politeness: {rate_floor: ", "1s", "1h", "999ms", "1h1ns", "}"},
      {"politeness: {max_crawl_delay: ", "1s", "30d", "999ms", "30d1ns", "}"},
      {"politeness: {latency_factor: ", "0", "1000", "", "1000.1", "}"},
      {"politeness: {latency_cap: ", "0s", "1h", "", "1h1ns", "}"},
      {"politeness: {per_address_interval: ", "0s", "1h", "", "1h1ns", "}"},
      {"politeness: {per_site_interval: ", "0s", "1h", "", "1h1ns", "}"},
      {"politeness: {hosts: {a.com: {crawl_delay: ", "0s", "30d", "", "30d1ns", "}}}"},
      {"politeness: {hosts: {a.com: {latency_factor: ", "0", "1000", "", "1001", "}}}"},
      {"robots: {max_redirects: ", "0", "10", "", "11", "}"},
      {"robots: {unreachable_as_missing_after: ", "1h", "3650d", "59m", "3651d", "}"},
      {"robots: {probe_5xx_after: ", "1m", "365d", "59s", "366d", "}"},
      {"robots: {cache_entries: ", "1", "100000000", "0", "100000001", "}"},
      {"network: {timeouts: {dns: ", "10ms", "1h", "9ms", "1h1ns", "}}"},
      {"network: {timeouts: {connect: ", "10ms", "1h", "9ms", "1h1ns", "}}"},
      {"network: {timeouts: {tls: ", "10ms", "1h", "9ms", "1h1ns", "}}"},
      {"network: {timeouts: {head: ", "10ms", "1h", "9ms", "1h1ns", "}}"},
      {"network: {timeouts: {idle: ", "10ms", "1h", "9ms", "1h1ns", "}}"},
      {"network: {timeouts: {total: ", "10ms", "24h", "9ms", "24h1ns", "}}"},
      {"network: {max_connections: ", "1", "1000000", "0", "1000001", "}"},
      {"network: {max_head_size: ", "1KiB", "16MiB", "1023B", "16777217B", "}"},
      {"network: {max_body_size: ", "1KiB", "4GiB", "1023B", "4294967297B", "}"},
      {"storage: {memory: ", "64MiB", "1TiB", "65535KiB", "1025GiB", "}"},
      {"storage: {resume_above: 1024TiB, pause_below: ", "1MiB", "1024TiB", "1023KiB", "1025TiB", "}"},
      {"storage: {pause_below: 1MiB, resume_above: ", "1MiB", "1024TiB", "1023KiB", "1025TiB", "}"},
      {"traps: {max_url_length: ", "64", "8192", "63", "8193", "}"},
      {"traps: {max_path_segments: ", "1", "4096", "0", "4097", "}"},
      {"traps: {max_repeats: ", "1", "4096", "0", "4097", "}"},
      {"traps: {max_parameters: ", "0", "4096", "", "4097", "}"},
      {"traps: {max_queries_per_path: ", "1", "1000000000000", "0", "1000000000001", "}"},
      {"traps: {brake_after: ", "0", "1000000", "", "1000001", "}"},
      {"archive: {max_file_size: ", "1MiB", "1TiB", "1048575B", "1025GiB", "}"},
      {"archive: {max_file_age: ", "1s", "365d", "999ms", "366d", "}"},
      {"archive: {max_size: ", "0", "1TiB", "", "1025GiB", "}"},
      {"crawl_log: {max_file_size: ", "64KiB", "1TiB", "65535B", "1025GiB", "}"},
      {"crawl_log: {max_files: ", "1", "10000", "0", "10001", "}"},
      {"log: {max_file_size: ", "64KiB", "1TiB", "65535B", "1025GiB", "}"},
      {"log: {max_files: ", "0", "10000", "", "10001", "}"},
      {"threads: ", "0", "256", "", "257", ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(error(c.before + c.low + c.after), "") << c.before;
    EXPECT_EQ(error(c.before + c.high + c.after), "") << c.before;
    for (const std::string& outside : {c.below, c.above}) {
      if (outside.empty()) continue;
      EXPECT_NE(error(c.before + outside + c.after).find("must be between "), std::string::npos)
          << c.before << outside;
    }
  }
}

TEST(LogKeys, AFileAndTheJournalExcludeEachOther) {
  EXPECT_EQ(error("log: {format: journald}\n"), "");
  EXPECT_EQ(error("log: {format: auto, file: /tmp/log}\n"), "");
  EXPECT_EQ(error("log: {format: journald, file: /tmp/log}\n"),
            "c.yaml:1:31: log.file: is of no use with log.format: journald");
}

TEST(LogKeys, ModulesAreAClosedList) {
  EXPECT_EQ(good("log: {levels: {visit: debug}}\n").log.levels.visit, "debug");
  EXPECT_EQ(good("log: {levels: {visit: debug}}\n").log.levels.robots, "inherit");
  EXPECT_NE(error("log: {levels: {visits: debug}}\n").find("unknown key"), std::string::npos);
  EXPECT_NE(error("log: {levels: {visit: loud}}\n"), "");
}

}  // namespace
}  // namespace config
