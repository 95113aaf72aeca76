// Ranges, name servers and host names.
#include "config/addresses.h"

#include "tests/config/help.h"

namespace config {
namespace {

TEST(Ranges, AreReadAndHostBitsAreExplained) {
  const Config config = good("network: {allow_addresses: [10.0.0.0/8, \"fd00::/8\", 192.0.2.7]}\n");
  ASSERT_EQ(config.network.allow_addresses.size(), 3U);
  EXPECT_EQ(config.network.allow_addresses[1], *base::Cidr::parse("fd00::/8"));
  EXPECT_EQ(config.network.allow_addresses[2].bits, 32);
  EXPECT_EQ(read_range("10.1.2.3/8").wrong, "\"10.1.2.3/8\" has bits set after its prefix: write 10.0.0.0/8");
  EXPECT_EQ(read_range("10.255.0.0/9").wrong,
            "\"10.255.0.0/9\" has bits set after its prefix: write 10.128.0.0/9");
  EXPECT_EQ(read_range("fd00::1/8").wrong, "\"fd00::1/8\" has bits set after its prefix: write fd00::/8");
  for (const std::string_view text :
       {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "10.0.0.0/-1", "10/8", "host/8", "::/129"}) {
    EXPECT_EQ(read_range(text).wrong,
              "\"" + std::string(text) + "\" is no address range: write it like 10.0.0.0/8 or fd00::/8");
  }
}

TEST(Ranges, TheSameTwiceIsRefused) {
  EXPECT_EQ(error("network:\n  allow_addresses:\n    - 10.0.0.1\n    - 10.0.0.1/32\n"),
            "c.yaml:4:7: network.allow_addresses: \"10.0.0.1/32\" is in the list twice, first in line 3");
}

TEST(Nameservers, AddressesWithAndWithoutPort) {
  const Config config =
      good("network: {nameservers: [192.0.2.1, \"192.0.2.1:5353\", \"[2001:db8::1]\", \"[::1]:65535\"]}\n");
  const auto& servers = config.network.nameservers;
  ASSERT_EQ(servers.size(), 4U);
  EXPECT_EQ(servers[0], (Nameserver{*base::IpAddress::parse("192.0.2.1"), 53}));
  EXPECT_EQ(servers[1].port, 5353);
  EXPECT_EQ(servers[2], (Nameserver{*base::IpAddress::parse("2001:db8::1"), 53}));
  EXPECT_EQ(nameserver_text(servers[3]), "[::1]:65535");
}

TEST(Nameservers, WhatIsRefused) {
  EXPECT_EQ(read_nameserver("::1").wrong, "\"::1\" is an IPv6 address without brackets: write \"[::1]\"");
  EXPECT_EQ(read_nameserver("192.0.2.1:0").wrong,
            "\"192.0.2.1:0\" has no port between 1 and 65535 after the colon");
  EXPECT_EQ(read_nameserver("192.0.2.1:65536").wrong,
            "\"192.0.2.1:65536\" has no port between 1 and 65535 after the colon");
  for (const std::string_view text :
       {"", "[", "[]", "[::1", "[::1]53", "[::1]:", "[192.0.2.1]:53", "dns.operator.net",
        "192.0.2.1:", "192.0.2.1:053", "192.0.2.1:5x", ":53", "127.1"}) {
    EXPECT_NE(read_nameserver(text).wrong, "") << text;
  }
  const Lines many = errors(
      "network: {nameservers: [1.0.0.1,1.0.0.2,1.0.0.3,1.0.0.4,1.0.0.5,1.0.0.6,1.0.0.7,1.0.0.8,1.0.0.9,"
      "1.0.0.10,1.0.0.11,1.0.0.12,1.0.0.13,1.0.0.14,1.0.0.15,1.0.0.16,1.0.0.17]}\n");
  EXPECT_EQ(many, (Lines{"c.yaml:1:24: network.nameservers: must have between 0 and 16 items, not 17"}));
}

TEST(Hosts, NamesTakeTheFormOfUrls) {
  EXPECT_EQ(read_host("WWW.Site.COM").value, "www.site.com");
  EXPECT_EQ(read_host("b\u00FCcher.de").value, "xn--bcher-kva.de");
  EXPECT_EQ(read_host("*.Site.com").value, "*.site.com");
  EXPECT_EQ(read_host("localhost").value, "localhost");
  EXPECT_EQ(read_host("127.1").value, "127.0.0.1");
  EXPECT_EQ(read_host("[::1]").value, "[::1]");
}

TEST(Hosts, WhatIsNoNameIsRefused) {
  EXPECT_EQ(read_host("*").wrong, "\"*\" is every host: set that under \"politeness\" itself");
  EXPECT_EQ(read_host("https://Site.com/x").wrong,
            "\"https://Site.com/x\" is a URL: write the host name only (did you mean \"site.com\"?)");
  EXPECT_EQ(
      read_host("site.com:8080").wrong,
      "\"site.com:8080\" has a port: an override is for all ports of a host (did you mean \"site.com\"?)");
  EXPECT_EQ(read_host("site.com/x").wrong,
            "\"site.com/x\" is no host name: write it like www.example.com or \"*.example.com\"");
  for (const std::string_view text : {"", "*.", "a b", "user@site.com", "*.127.0.0.1", "*.[::1]", "www.*.com",
                                      "[::1", "[::1]:80", "a%00b", "site.com?x"}) {
    EXPECT_NE(read_host(text).wrong, "") << text;
  }
}

TEST(Hosts, ExactNameFirstThenTheNearestParent) {
  const Config config = good(
      "politeness:\n"
      "  hosts:\n"
      "    a.site.com: {crawl_delay: 1s}\n"
      "    \"*.site.com\": {crawl_delay: 2s}\n"
      "    \"*.deep.site.com\": {crawl_delay: 3s}\n"
      "    \"*.com\": {latency_factor: 0.5, hard_minimum: 4s, default_interval: 5s}\n"
      "    \"[::1]\": {crawl_delay: 6s}\n");
  const auto delay = [&](std::string_view host) -> std::optional<Duration> {
    const HostOverride* found = config.politeness.host_override(host);
    return found == nullptr ? std::nullopt : found->crawl_delay;
  };
  EXPECT_EQ(delay("a.site.com"), 1s);
  EXPECT_EQ(delay("b.site.com"), 2s);
  EXPECT_EQ(delay("x.a.site.com"), 2s);
  EXPECT_EQ(delay("deep.site.com"), 2s);
  EXPECT_EQ(delay("x.y.deep.site.com"), 3s);
  EXPECT_EQ(delay("[::1]"), 6s);
  const HostOverride* top = config.politeness.host_override("site.com");
  ASSERT_NE(top, nullptr);  // by *.com: a name is no subdomain of itself
  EXPECT_EQ(top->latency_factor, 0.5);
  EXPECT_EQ(top->hard_minimum, 4s);
  EXPECT_EQ(top->default_interval, 5s);
  EXPECT_EQ(top->crawl_delay, std::nullopt);
  for (const std::string_view host : {"com", "site.org", "", ".", "192.0.2.1"})
    EXPECT_EQ(config.politeness.host_override(host), nullptr) << host;
  EXPECT_EQ(Politeness{}.host_override("site.com"), nullptr);
}

TEST(Proxies, AreReadAndWrittenBack) {
  const Config config =
      good("network: {proxy: \"socks5://me@[2001:DB8::1]:1080\", proxy_password_file: /p}\n");
  EXPECT_EQ(config.network.proxy, (Proxy{Proxy::Kind::socks5, "[2001:db8::1]", 1080, "me"}));
  for (const std::string_view text :
       {"http://proxy.site.com:3128", "socks5://127.0.0.1:1080", "http://user@[::1]:1", ""}) {
    const Reading<Proxy> read = read_proxy(text);
    EXPECT_EQ(read.wrong, "") << text;
    EXPECT_EQ(proxy_text(read.value), text);
  }
  EXPECT_EQ(read_proxy("http://proxy.site.com:3128/").value, read_proxy("http://PROXY.site.com:3128").value);
}

TEST(Proxies, WhatIsRefusedIsExplainedWithoutTheText) {
  EXPECT_EQ(read_proxy("http://me:secret@p.com:1").wrong,
            "has a password: put it into a file and name that in network.proxy_password_file");
  EXPECT_EQ(read_proxy("https://p.com:1").wrong,
            "is not of a kind that is understood: http:// and socks5:// are");
  EXPECT_EQ(read_proxy("http://p.com").wrong,
            "has no port: write it behind the host, as in http://proxy.example.com:3128");
  EXPECT_EQ(read_proxy("http://[::1]").wrong, read_proxy("http://p.com").wrong);
  for (const std::string_view text :
       {"p.com:3128", "http://", "http://:1", "http://p.com:0", "http://p.com:65536", "http://@p.com:1",
        "http://*.p.com:1", "http://p.com:1/x", "socks5://p.com:01"}) {
    EXPECT_NE(read_proxy(text).wrong, "") << text;
  }
  EXPECT_NE(read_proxy("http://" + std::string(256, 'u') + "@p.com:1").wrong, "");
  EXPECT_EQ(read_proxy("http://" + std::string(255, 'u') + "@p.com:1").wrong, "");
}

TEST(Proxies, NameAndPasswordBelongTogether) {
  EXPECT_EQ(error("network:\n  proxy: http://me@p.com:1\n"),
            "c.yaml:1:1: network.proxy_password_file: missing: network.proxy has a user name");
  EXPECT_EQ(error("network:\n  proxy: http://p.com:1\n  proxy_password_file: /p\n"),
            "c.yaml:3:24: network.proxy_password_file: is of no use without a user name in network.proxy");
}

TEST(Sources, AreOneOfEachIpVersionThatIsUsed) {
  const Config config = good("network: {source_addresses: [192.0.2.1, \"2001:db8::1\"]}\n");
  EXPECT_EQ(config.network.source_addresses.size(), 2U);
  EXPECT_EQ(
      error("network: {source_addresses: [192.0.2.1, 192.0.2.2]}\n"),
      "c.yaml:1:29: network.source_addresses: has two addresses of the same IP version: one of each is the "
      "most");
  EXPECT_EQ(
      error("network: {families: ipv6, source_addresses: [192.0.2.1]}\n"),
      "c.yaml:1:45: network.source_addresses: 192.0.2.1 is of an IP version that network.families leaves "
      "out");
  for (const std::string_view none : {"0.0.0.0", "::"}) {
    EXPECT_EQ(error("network: {source_addresses: [\"" + std::string(none) + "\"]}\n"),
              "c.yaml:1:29: network.source_addresses: " + std::string(none) +
                  " is no address that anything can come from");
  }
  EXPECT_EQ(read_address("192.0.2.1/24").wrong,
            "\"192.0.2.1/24\" is no address: write it like 192.0.2.1 or 2001:db8::1");
}

TEST(UnverifiedHosts, CoverNamesSubdomainsOrAll) {
  const Network some = good("network: {unverified_hosts: [Old.com, \"*.b.com\"]}\n").network;
  EXPECT_FALSE(some.verifies("old.com"));
  EXPECT_TRUE(some.verifies("www.old.com"));
  EXPECT_TRUE(some.verifies("b.com"));
  EXPECT_TRUE(some.verifies("ab.com"));
  EXPECT_FALSE(some.verifies("a.b.com"));
  EXPECT_FALSE(some.verifies("a.a.b.com"));
  EXPECT_TRUE(good("network: {unverified_hosts: []}\n").network.verifies("old.com"));
  EXPECT_FALSE(good("network: {unverified_hosts: [\"*\"]}\n").network.verifies("any.com"));
}

TEST(From, IsTheContactWhenItIsAMailAddress) {
  Config config;
  config.agent.contact = "bot@operator.net";
  EXPECT_EQ(config.from(), "bot@operator.net");
  config.agent.contact = "https://operator.net/bot";
  EXPECT_EQ(config.from(), "");
}

}  // namespace
}  // namespace config
