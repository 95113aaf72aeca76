#include "fetch/names.h"

#include "fetch/demoted.h"
#include "fetch/request.h"

#include <gtest/gtest.h>

namespace fetch {
namespace {

using namespace std::chrono_literals;

constexpr base::TimePoint kStart{1000h};

base::IpAddress ip(std::string_view text) {
  return base::IpAddress::parse(text).value();
}

Addresses with(std::initializer_list<std::string_view> texts) {
  Addresses addresses;
  for (const std::string_view text : texts) addresses.list.push_back(ip(text));
  return addresses;
}

Addresses failed() {
  Addresses addresses;
  addresses.failure.error = Error::dns_failure;
  return addresses;
}

TEST(Names, KeepsAnswersForTheirTimeToLiveWithinBounds) {
  const struct {
    base::Duration ttl;
    base::Duration kept;
  } kRows[] = {{0s, 30s}, {29s, 30s}, {31s, 31s}, {5min, 5min}, {1h, 1h}, {48h, 1h}};
  for (const auto& row : kRows) {
    Names names;
    names.store("a.test", with({"192.0.2.1"}), row.ttl, kStart);
    ASSERT_NE(names.find("a.test", kStart + row.kept - 1ns), nullptr);
    EXPECT_EQ(names.find("a.test", kStart + row.kept - 1ns)->list, with({"192.0.2.1"}).list);
    EXPECT_EQ(names.find("a.test", kStart + row.kept), nullptr);
    EXPECT_EQ(names.size(), 0U);
  }
}

TEST(Names, KeepsFailuresForAMinute) {
  Names names;
  names.store("a.test", failed(), 1h, kStart);
  ASSERT_NE(names.find("a.test", kStart + 59s), nullptr);
  EXPECT_EQ(names.find("a.test", kStart + 59s)->failure.error, Error::dns_failure);
  EXPECT_EQ(names.find("a.test", kStart + 60s), nullptr);
}

TEST(Names, ANewAnswerReplacesTheOld) {
  Names names;
  names.store("a.test", failed(), 0s, kStart);
  names.store("a.test", with({"192.0.2.2"}), 60s, kStart + 1s);
  EXPECT_EQ(names.size(), 1U);
  EXPECT_EQ(names.find("a.test", kStart + 60s)->list, with({"192.0.2.2"}).list);
}

TEST(Names, ForgetsTheNameUsedLongestAgo) {
  Names names(2);
  names.store("a.test", with({"192.0.2.1"}), 1h, kStart);
  names.store("b.test", with({"192.0.2.2"}), 1h, kStart);
  EXPECT_NE(names.find("a.test", kStart), nullptr);
  names.store("c.test", with({"192.0.2.3"}), 1h, kStart);
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names.find("b.test", kStart), nullptr);
  EXPECT_NE(names.find("a.test", kStart), nullptr);
  EXPECT_NE(names.find("c.test", kStart), nullptr);
}

TEST(Names, KeepsABoundedNumberOfAddresses) {
  Addresses many;
  for (unsigned i = 0; i <= kAddressesMax; ++i) many.list.push_back(ip("192.0.2." + std::to_string(i)));
  Names names;
  names.store("a.test", many, 1h, kStart);
  EXPECT_EQ(names.find("a.test", kStart)->list.size(), kAddressesMax);
}

TEST(Demoted, GoesToTheEndForAWhile) {
  const auto list = with({"192.0.2.1", "192.0.2.2", "192.0.2.3"}).list;
  Demoted demoted;
  EXPECT_EQ(demoted.sorted(list, kStart)[0], list[0]);
  demoted.add(list[0], kStart);
  EXPECT_EQ(demoted.sorted(list, kStart)[0], list[1]);
  EXPECT_EQ(demoted.sorted(list, kStart + kDemotedFor - 1ns)[0], list[1]);
  EXPECT_EQ(demoted.sorted(list, kStart + kDemotedFor)[0], list[0]);
  demoted.add(list[0], kStart);
  demoted.forget(list[0]);
  EXPECT_EQ(demoted.sorted(list, kStart)[0], list[0]);
}

TEST(Demoted, GivesTheOldestFailureWhenAllHaveFailed) {
  const auto list = with({"192.0.2.1", "192.0.2.2", "192.0.2.3"}).list;
  Demoted demoted;
  demoted.add(list[1], kStart);
  demoted.add(list[0], kStart + 1s);
  demoted.add(list[2], kStart + 2s);
  EXPECT_EQ(demoted.sorted(list, kStart + 3s)[0], list[1]);
  EXPECT_TRUE(demoted.sorted({}, kStart).empty());
}

TEST(Demoted, RemembersABoundedNumber) {
  Demoted demoted;
  for (unsigned i = 0; i <= kDemotedMax; ++i) {
    base::IpAddress address;
    address.octets[0] = static_cast<std::uint8_t>(i);
    address.octets[1] = static_cast<std::uint8_t>(i >> 8U);
    demoted.add(address, kStart);
    ASSERT_LE(demoted.size(), kDemotedMax);
  }
  EXPECT_GE(demoted.size(), 1U);
}

Request request(std::string_view url) {
  Request r;
  r.url = base::Url::parse(url).value();
  return r;
}

TEST(Request, SendsWhatItSays) {
  Request r = request("http://Example.test:8080/a?b=%2F#c");
  r.if_none_match = "\"tag\"";
  r.if_modified_since = "Sat, 21 Nov 2026 00:00:00 GMT";
  EXPECT_EQ(request_octets(r, {"crawld/1 (+https://a.test)", ""}),
            "GET /a?b=%2F HTTP/1.1\r\nHost: example.test:8080\r\nUser-Agent: crawld/1 (+https://a.test)\r\n"
            "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            "Accept-Encoding: gzip, deflate, br, zstd\r\nIf-None-Match: \"tag\"\r\n"
            "If-Modified-Since: Sat, 21 Nov 2026 00:00:00 GMT\r\n\r\n");
}

TEST(Request, NamesTheHostWithoutADefaultPort) {
  EXPECT_NE(request_octets(request("https://a.test:443/"), {"x", ""}).find("Host: a.test\r\n"),
            std::string::npos);
  EXPECT_NE(request_octets(request("https://a.test:80/"), {"x", ""}).find("Host: a.test:80\r\n"),
            std::string::npos);
  EXPECT_NE(request_octets(request("http://[::1]/"), {"x", ""}).find("Host: [::1]\r\n"), std::string::npos);
  const std::string with_user = request_octets(request("http://user:secret@a.test/"), {"x", ""});
  EXPECT_EQ(with_user.find("secret"), std::string::npos);
}

TEST(Request, ConditionsCannotCarryOtherLines) {
  for (const std::string_view bad : {"a\r\nX: y", "a\nX: y", "a\rb", "\x01", "\x7f"}) {
    Request r = request("http://a.test/");
    r.if_none_match = bad;
    r.if_modified_since = bad;
    EXPECT_EQ(request_octets(r, {"x", ""}), request_octets(request("http://a.test/"), {"x", ""}));
    EXPECT_FALSE(is_field_value(bad));
  }
  EXPECT_FALSE(is_field_value(std::string_view("a\0b", 3)));
  EXPECT_TRUE(is_field_value("W/\"caf\xc3\xa9\t1\""));
}

}  // namespace
}  // namespace fetch
