#include "base/address.h"

#include "base/hash.h"

#include <gtest/gtest.h>

namespace {

using base::Cidr;
using base::IpAddress;

TEST(IpAddress, ReadsOnlyTheCanonicalSpellings) {
  EXPECT_EQ(IpAddress::parse("192.0.2.1")->text(), "192.0.2.1");
  EXPECT_EQ(IpAddress::parse("2001:DB8::1")->text(), "2001:db8::1");
  for (const char* bad : {"", "127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "1.2.3.4 ", "[::1]",
                          "fe80::1%eth0", "::1/128"}) {
    EXPECT_FALSE(IpAddress::parse(bad)) << bad;
  }
  EXPECT_FALSE(IpAddress::parse(std::string_view("1.2.3.4\0", 8)));
}

TEST(Cidr, HoldsItsRangeAndNothingElse) {
  const Cidr ten = *Cidr::parse("10.0.0.0/8");
  EXPECT_TRUE(ten.contains(*IpAddress::parse("10.255.255.255")));
  EXPECT_FALSE(ten.contains(*IpAddress::parse("11.0.0.0")));
  EXPECT_FALSE(ten.contains(*IpAddress::parse("::ffff:10.0.0.1")));
  const Cidr odd = *Cidr::parse("192.0.2.64/27");
  EXPECT_TRUE(odd.contains(*IpAddress::parse("192.0.2.95")));
  EXPECT_FALSE(odd.contains(*IpAddress::parse("192.0.2.96")));
  EXPECT_FALSE(odd.contains(*IpAddress::parse("192.0.2.63")));
  EXPECT_TRUE(Cidr::parse("0.0.0.0/0")->contains(*IpAddress::parse("203.0.113.9")));
  EXPECT_TRUE(Cidr::parse("::1")->contains(*IpAddress::parse("::1")));
  EXPECT_FALSE(Cidr::parse("::1")->contains(*IpAddress::parse("::2")));
  EXPECT_EQ(Cidr::parse("fd00::/8")->text(), "fd00::/8");
}

TEST(Cidr, RefusesHostBitsAndNonsense) {
  for (const char* bad : {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x",
                          "10.0.0.0/08", "::/129", "fd00::1/8", "a.test/8"}) {
    EXPECT_FALSE(Cidr::parse(bad)) << bad;
  }
}

TEST(Hash, StableHashNeverChanges) {
  // These numbers are part of the format on disk: partitions are derived from them.
  EXPECT_EQ(base::stable_hash("example.com"), base::stable_hash(std::string("example.com")));
  EXPECT_EQ(base::stable_hash(""), 0x2d06800538d394c2ULL);
  EXPECT_NE(base::keyed_hash("a", 1), base::keyed_hash("a", 2));
  EXPECT_EQ(base::keyed_hash("a", 1), base::keyed_hash("a", 1));
}

}  // namespace
