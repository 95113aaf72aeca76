#include "base/site.h"

#include <gtest/gtest.h>

#include <set>

namespace base {
namespace {

TEST(Site, IsTheRegistrableDomain) {
  EXPECT_EQ(site_of("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(site_of("example.com"), "example.com");
  EXPECT_EQ(site_of("a.b.c.example.com"), "example.com");
  EXPECT_EQ(site_of("a.b.ck"), "a.b.ck") << "wildcard *.ck";
  EXPECT_EQ(site_of("x.a.b.ck"), "a.b.ck");
  EXPECT_EQ(site_of("x.www.ck"), "www.ck") << "exception !www.ck";
}

TEST(Site, KnowsThePrivateSection) {
  EXPECT_EQ(site_of("a.github.io"), "a.github.io");
  EXPECT_EQ(site_of("x.a.github.io"), "a.github.io");
}

TEST(Site, ReadsALabels) {
  EXPECT_EQ(site_of("www.xn--bcher-kva.example"), "xn--bcher-kva.example");
  EXPECT_EQ(site_of("www.xn--85x722f.xn--55qx5d.cn"), "xn--85x722f.xn--55qx5d.cn")
      << "a public suffix in A-labels";
}

TEST(Site, SuffixesAndSingleLabelsAreTheirOwn) {
  for (const char* host : {"co.uk", "github.io", "localhost", "com", ""}) EXPECT_EQ(site_of(host), host);
}

TEST(Site, AddressesAreTheirOwn) {
  for (const char* host : {"127.0.0.1", "10.1.2.3", "[::1]", "[2001:db8::1]"}) EXPECT_EQ(site_of(host), host);
  EXPECT_EQ(site_of("1.2.example.com"), "example.com");
}

TEST(Site, AFinalDotMakesNoOtherSite) {
  EXPECT_EQ(site_of("www.example.com."), site_of("www.example.com"));
}

/// Answers are remembered by places that hosts share.
TEST(Site, IsTheSameHoweverOftenAndAmongWhateverItIsAsked) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2000; ++i) {
      const std::string site = "s" + std::to_string(i) + ".co.uk";
      EXPECT_EQ(site_of("www." + site), site);
      EXPECT_EQ(site_of("www." + site + "."), site);
      EXPECT_EQ(site_of("www.example.com"), "example.com");
    }
  }
  const std::string longest = std::string(300, 'a') + ".b.example.com";
  EXPECT_EQ(site_of(longest), "example.com");
}

TEST(Site, OddHostsDoNoHarm) {
  for (const char* host : {".", "..", "a..b", ".com", "-.-", "_", "a..", "xn--"}) {
    EXPECT_NO_THROW(site_of(host)) << host;
    EXPECT_LT(partition_of(site_of(host)), kPartitions);
  }
}

TEST(Site, PartitionsAreStableAndSpread) {
  EXPECT_EQ(partition_of("example.com"), 2931U) << "XXH3 modulo 4096: what is on disk depends on it";
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 4096; ++i) {
    const std::uint32_t partition = partition_of("site" + std::to_string(i) + ".example");
    ASSERT_LT(partition, kPartitions);
    seen.insert(partition);
  }
  EXPECT_GT(seen.size(), 2400U) << "4096 balls fall into about 63 % of 4096 urns";
}

}  // namespace
}  // namespace base
