#include "fetch/guard.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fetch {
namespace {

base::IpAddress ip(std::string_view text) {
  const auto address = base::IpAddress::parse(text);
  if (!address) throw std::invalid_argument(std::string(text));
  return *address;
}

std::vector<base::Cidr> ranges(std::initializer_list<std::string_view> texts) {
  std::vector<base::Cidr> all;
  for (const std::string_view text : texts) all.push_back(base::Cidr::parse(text).value());
  return all;
}

struct Row {
  std::string_view address;
  std::string_view what;
};

// First and last address of each range, and the neighbours outside.
constexpr Row kTable[] = {
    {"0.0.0.0", "unspecified"},
    {"0.255.255.255", "unspecified"},
    {"1.0.0.0", "global"},
    {"9.255.255.255", "global"},
    {"10.0.0.0", "private"},
    {"10.255.255.255", "private"},
    {"11.0.0.0", "global"},
    {"100.63.255.255", "global"},
    {"100.64.0.0", "cgnat"},
    {"100.127.255.255", "cgnat"},
    {"100.128.0.0", "global"},
    {"100.100.100.200", "metadata"},
    {"126.255.255.255", "global"},
    {"127.0.0.0", "loopback"},
    {"127.0.0.1", "loopback"},
    {"127.255.255.255", "loopback"},
    {"128.0.0.0", "global"},
    {"168.63.129.15", "global"},
    {"168.63.129.16", "metadata"},
    {"169.253.255.255", "global"},
    {"169.254.0.0", "link_local"},
    {"169.254.169.254", "metadata"},
    {"169.254.170.2", "metadata"},
    {"169.254.170.23", "metadata"},
    {"169.254.255.255", "link_local"},
    {"169.255.0.0", "global"},
    {"172.15.255.255", "global"},
    {"172.16.0.0", "private"},
    {"172.31.255.255", "private"},
    {"172.32.0.0", "global"},
    {"191.255.255.255", "global"},
    {"192.0.0.0", "reserved"},
    {"192.0.0.192", "metadata"},
    {"192.0.0.255", "reserved"},
    {"192.0.1.0", "global"},
    {"192.0.2.0", "documentation"},
    {"192.0.2.255", "documentation"},
    {"192.0.3.0", "global"},
    {"192.88.98.255", "global"},
    {"192.88.99.0", "reserved"},
    {"192.88.99.255", "reserved"},
    {"192.88.100.0", "global"},
    {"192.167.255.255", "global"},
    {"192.168.0.0", "private"},
    {"192.168.255.255", "private"},
    {"192.169.0.0", "global"},
    {"198.17.255.255", "global"},
    {"198.18.0.0", "benchmark"},
    {"198.19.255.255", "benchmark"},
    {"198.20.0.0", "global"},
    {"198.51.99.255", "global"},
    {"198.51.100.0", "documentation"},
    {"198.51.100.255", "documentation"},
    {"198.51.101.0", "global"},
    {"203.0.112.255", "global"},
    {"203.0.113.0", "documentation"},
    {"203.0.113.255", "documentation"},
    {"203.0.114.0", "global"},
    {"223.255.255.255", "global"},
    {"224.0.0.0", "multicast"},
    {"239.255.255.255", "multicast"},
    {"240.0.0.0", "reserved"},
    {"255.255.255.254", "reserved"},
    {"255.255.255.255", "broadcast"},
    {"::", "unspecified"},
    {"::1", "loopback"},
    {"::2", "v6_embedded"},
    {"::127.0.0.1", "v6_embedded"},
    {"::8.8.8.8", "v6_embedded"},
    {"::ffff:127.0.0.1", "loopback"},
    {"::ffff:10.1.2.3", "private"},
    {"::ffff:169.254.169.254", "metadata"},
    {"::ffff:8.8.8.8", "global"},
    {"::fffe:8.8.8.8", "reserved"},
    {"::ffff:0:8.8.8.8", "reserved"},  // SIIT, RFC 2765
    {"64:ff9b::8.8.8.8", "v6_embedded"},
    {"64:ff9b::10.0.0.1", "v6_embedded"},
    {"64:ff9b:1::1", "v6_embedded"},
    {"64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "v6_embedded"},
    {"64:ff9b:2::1", "reserved"},
    {"100::1", "reserved"},
    {"1fff:ffff::1", "reserved"},
    {"2000::", "global"},
    {"2001::1", "v6_embedded"},
    {"2001:0:ffff::1", "v6_embedded"},
    {"2001:1::1", "reserved"},
    {"2001:2::1", "benchmark"},
    {"2001:2:1::1", "reserved"},
    {"2001:10::1", "reserved"},
    {"2001:1f::1", "reserved"},
    {"2001:20::1", "reserved"},
    {"2001:2f::1", "reserved"},
    {"2001:1ff:ffff::1", "reserved"},
    {"2001:200::1", "global"},
    {"2001:db7:ffff::1", "global"},
    {"2001:db8::1", "documentation"},
    {"2001:db8:ffff::1", "documentation"},
    {"2001:db9::1", "global"},
    {"2002:7f00:1::1", "v6_embedded"},
    {"2002:808:808::1", "v6_embedded"},
    {"2003::1", "global"},
    {"2606:4700::1", "global"},
    {"3ffe:ffff::1", "global"},
    {"3fff::1", "documentation"},
    {"3fff:fff:ffff::1", "documentation"},
    {"3fff:1000::1", "global"},
    {"4000::", "reserved"},
    {"5f00::1", "reserved"},
    {"fbff::1", "reserved"},
    {"fc00::", "private"},
    {"fd00::1", "private"},
    {"fd00:ec2::254", "metadata"},
    {"fd00:ec2::23", "metadata"},
    {"fd20:ce::254", "metadata"},
    {"fdff:ffff::1", "private"},
    {"fe00::1", "reserved"},
    {"fe80::1", "link_local"},
    {"febf:ffff::1", "link_local"},
    {"fec0::1", "private"},
    {"feff:ffff::1", "private"},
    {"ff00::", "multicast"},
    {"ff02::1", "multicast"},
    {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"},
};

TEST(Guard, ClassifiesTheEdgesOfEveryRange) {
  for (const Row& row : kTable) EXPECT_EQ(to_string(classify(ip(row.address))), row.what) << row.address;
}

TEST(Guard, LetsOnlyGlobalAddressesThrough) {
  const Guard guard({});
  std::size_t passed = 0;
  for (const Row& row : kTable) {
    const auto denied = guard.denies(ip(row.address));
    EXPECT_EQ(denied.has_value(), row.what != "global") << row.address;
    if (!denied) ++passed;
  }
  EXPECT_GT(passed, 20U);
}

TEST(Guard, AllowedRangesPass) {
  const Guard guard(ranges({"127.0.0.0/8", "fd00::/8"}));
  EXPECT_FALSE(guard.denies(ip("127.0.0.1")));
  EXPECT_FALSE(guard.denies(ip("fd12::1")));
  EXPECT_EQ(guard.denies(ip("10.0.0.1")), AddressClass::private_use);
  EXPECT_EQ(guard.denies(ip("::1")), AddressClass::loopback);
  EXPECT_FALSE(guard.denies(ip("8.8.8.8")));
}

TEST(Guard, MetadataNeedsAnEntryOfItsOwn) {
  for (const std::string_view address : {"169.254.169.254", "100.100.100.200", "168.63.129.16"}) {
    EXPECT_EQ(Guard(ranges({"0.0.0.0/0"})).denies(ip(address)), AddressClass::metadata) << address;
    EXPECT_FALSE(Guard({*base::Cidr::parse(address)}).denies(ip(address))) << address;
  }
  EXPECT_EQ(Guard(ranges({"fd00::/8"})).denies(ip("fd00:ec2::254")), AddressClass::metadata);
  EXPECT_FALSE(Guard(ranges({"fd00:ec2::254"})).denies(ip("fd00:ec2::254")));
  EXPECT_EQ(Guard(ranges({"169.254.0.0/16"})).denies(ip("169.254.1.1")), std::nullopt);
}

TEST(Guard, AnEmbeddedAddressNeedsItsOwnPermission) {
  const Guard nat64(ranges({"64:ff9b::/96"}));
  EXPECT_FALSE(nat64.denies(ip("64:ff9b::8.8.8.8")));
  EXPECT_EQ(nat64.denies(ip("64:ff9b::10.0.0.1")), AddressClass::private_use);
  EXPECT_EQ(nat64.denies(ip("64:ff9b::169.254.169.254")), AddressClass::metadata);
  EXPECT_FALSE(Guard(ranges({"64:ff9b::/96", "10.0.0.0/8"})).denies(ip("64:ff9b::10.0.0.1")));

  const Guard all6(ranges({"::/0"}));
  EXPECT_EQ(all6.denies(ip("2002:7f00:1::1")), AddressClass::loopback);
  EXPECT_FALSE(all6.denies(ip("2002:808:808::1")));
  EXPECT_EQ(all6.denies(ip("::ffff:127.0.0.1")), AddressClass::loopback);
  EXPECT_EQ(all6.denies(ip("::127.0.0.1")), AddressClass::loopback);
  EXPECT_EQ(all6.denies(ip("2001::80ff:fffe")), AddressClass::loopback) << "Teredo hides 127.0.0.1 inverted";
  EXPECT_EQ(Guard(ranges({"127.0.0.0/8"})).denies(ip("::ffff:127.0.0.1")), AddressClass::loopback);
}

TEST(Guard, BadPortsAreThoseOfBrowsersAndAFewMore) {
  for (const unsigned port :
       {0U,    1U,    7U,    21U,   22U,   23U,   25U,   53U,   110U,   119U,   143U,  179U,
        389U,  445U,  465U,  587U,  993U,  1433U, 2049U, 2375U, 3306U,  3389U,  4190U, 5060U,
        5432U, 5900U, 6000U, 6379U, 6566U, 6667U, 6697U, 9042U, 10080U, 11211U, 27017U}) {
    EXPECT_TRUE(is_bad_port(static_cast<std::uint16_t>(port))) << port;
  }
  for (const unsigned port : {80U, 81U, 443U, 591U, 3000U, 5000U, 6443U, 7001U, 8000U, 8080U, 8443U, 8888U,
                              9200U, 49152U, 65535U}) {
    EXPECT_FALSE(is_bad_port(static_cast<std::uint16_t>(port))) << port;
  }
}

TEST(Guard, SaysWhatItRefused) {
  EXPECT_EQ(denial_text(ip("127.0.0.1"), AddressClass::loopback), "127.0.0.1 is loopback");
}

}  // namespace
TEST(Guard, ADenialNamesItsClass) {
  for (const char* const text : {"127.0.0.1", "169.254.169.254", "10.1.2.3", "fe80::1", "::", "100.64.0.1"}) {
    const base::IpAddress address = *base::IpAddress::parse(text);
    EXPECT_EQ(fetch::denied_class(fetch::denial_text(address, fetch::classify(address))),
              fetch::classify(address));
  }
  EXPECT_FALSE(fetch::denied_class("port 25"));
  EXPECT_FALSE(fetch::denied_class(""));
}

TEST(Guard, OurOwnPortIsOutOfReachWhateverIsAllowed) {
  const Guard guard(ranges({"127.0.0.0/8", "::1/128", "10.0.0.0/8"}), 9464);
  for (const char* const own : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_EQ(guard.judge(ip(own), 9464).error, fetch::Error::blocked_port) << own;
    EXPECT_EQ(guard.judge(ip(own), 8080).error == fetch::Error::blocked_port, false) << own;
  }
  EXPECT_EQ(guard.judge(ip("10.0.0.1"), 9464).error, fetch::Error::none);
  EXPECT_EQ(guard.judge(ip("127.0.0.1"), 8080).error, fetch::Error::none);
}

}  // namespace fetch
