// Happy eyeballs: several addresses of one host, and the first that answers.
#include "fetch/race.h"

#include "tests/fetch/net.h"
#include "tests/support/dns_server.h"
#include "tests/support/full_listener.h"
#include "tests/support/raw_server.h"

namespace fetch {
namespace {

using support::answer;
using support::FullListener;
using support::Peer;
using support::RawServer;

RawServer::Script always(std::string octets) {
  return [octets = std::move(octets)](Peer& peer) {
    while (!peer.request().empty()) peer.send(octets);
  };
}

base::IpAddress ip(std::string_view text) {
  return base::IpAddress::parse(text).value();
}

std::vector<base::IpAddress> ips(std::initializer_list<std::string_view> texts) {
  std::vector<base::IpAddress> list;
  for (const std::string_view text : texts) list.push_back(ip(text));
  return list;
}

TEST(InTurns, TheFamiliesAlternate) {
  EXPECT_EQ(in_turns(ips({"::1", "::2", "::3", "1.0.0.1", "1.0.0.2"})),
            ips({"::1", "1.0.0.1", "::2", "1.0.0.2"}));
  EXPECT_EQ(in_turns(ips({"1.0.0.1", "1.0.0.2", "::1"})), ips({"1.0.0.1", "::1", "1.0.0.2"}));
  EXPECT_EQ(in_turns({}), ips({}));
}

TEST(InTurns, NoMoreThanAreTried) {
  EXPECT_EQ(in_turns(ips({"::1", "::2", "::3", "::4", "::5"})), ips({"::1", "::2", "::3", "::4"}));
  static_assert(kAttemptsMax == 4);
}

/// A server on 127.0.0.2 and requests that go to 127.0.0.1 first.
class RaceTest : public testing::Test {
 protected:
  Request request(std::vector<base::IpAddress> others) {
    Request made = Net::request(server.url("/", "two.test"), "127.0.0.1");
    made.others = std::move(others);
    return made;
  }
  RawServer server{always(answer("x")), nullptr, "127.0.0.2"};
  Net net;
};

TEST_F(RaceTest, ARefusalLeadsToTheNextAddressAtOnce) {
  net.network.timeouts.connect = 200ms;  // less than the delay between attempts
  const Outcome outcome = net.fetch(request(ips({"127.0.0.2"})));
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.peer, ip("127.0.0.2"));
  EXPECT_EQ(net.budget->taken(), 1U) << "the lost attempt gave its place back";
}

TEST_F(RaceTest, ASilentAddressIsOutrun) {
  const FullListener silent("127.0.0.1", server.port());
  net.network.timeouts.connect = 5s;
  Outcome outcome;
  const auto took = taken([&] { outcome = net.fetch(request(ips({"127.0.0.2"}))); });
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.peer, ip("127.0.0.2"));
  EXPECT_GE(took, kAttemptDelay);
  EXPECT_LT(took, 4s);
  EXPECT_EQ(net.budget->taken(), 1U);
}

TEST_F(RaceTest, IPv6AndIPv4RaceToo) {
  const Outcome outcome = [&] {
    net.network.allow_addresses.push_back(*base::Cidr::parse("::1"));
    Request both = Net::request(server.url("/", "both.test"), "::1");
    both.others = ips({"127.0.0.2"});
    return net.fetch(std::move(both));
  }();
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.peer, ip("127.0.0.2"));
}

TEST_F(RaceTest, TheRequestAsksBeforeItGoesElsewhere) {
  std::vector<base::IpAddress> asked;
  int sent = 0;
  Request first = request(ips({"127.0.0.2"}));
  first.may_use = [&](const base::IpAddress& address) {
    asked.push_back(address);
    return false;
  };
  first.on_sent = [&] { ++sent; };
  EXPECT_EQ(net.fetch(std::move(first)).error, Error::not_now);
  EXPECT_EQ(asked, ips({"127.0.0.2"}));
  EXPECT_EQ(sent, 0);
  EXPECT_EQ(server.accepted(), 0) << "not even a connection is opened";
  EXPECT_EQ(net.budget->taken(), 0U);
}

TEST_F(RaceTest, WhatWasAdmittedInsteadIsAskedForAgainWhenTheFirstAnswersAfterAll) {
  RawServer slow(
      [](Peer& peer) {
        while (!peer.request().empty()) peer.send(answer("first"));
      },
      nullptr, "127.0.0.1", server.port());
  const FullListener silent("127.0.0.3", server.port());
  // 127.0.0.3 is silent, 127.0.0.1 is only asked for after it: the request has gone back to nobody.
  std::vector<base::IpAddress> asked;
  Request request = Net::request(server.url("/", "two.test"), "127.0.0.3");
  request.others = ips({"127.0.0.1"});
  request.may_use = [&](const base::IpAddress& address) {
    asked.push_back(address);
    return true;
  };
  const Outcome outcome = net.fetch(std::move(request));
  EXPECT_EQ(outcome.body, "first");
  EXPECT_EQ(outcome.peer, ip("127.0.0.1"));
  EXPECT_EQ(asked, ips({"127.0.0.1"})) << "once is enough for an address that was admitted";
}

TEST_F(RaceTest, NobodyIsAskedForTheAddressOfTheRequest) {
  Request direct = Net::request(server.url("/", "two.test"), "127.0.0.2");
  direct.may_use = [](const base::IpAddress&) { return false; };
  EXPECT_EQ(net.fetch(std::move(direct)).error, Error::none);
}

TEST_F(RaceTest, WhenNoneAnswersTheLastRefusalIsTold) {
  const Outcome outcome = net.fetch(request(ips({"127.0.0.3", "127.0.0.4"})));
  EXPECT_EQ(outcome.error, Error::refused);
  EXPECT_EQ(net.budget->taken(), 0U);
  EXPECT_EQ(server.accepted(), 0);
}

TEST_F(RaceTest, TheDeadlineEndsAllAttempts) {
  const FullListener one("127.0.0.1", server.port());
  const FullListener three("127.0.0.3", server.port());
  net.network.timeouts.connect = 400ms;
  EXPECT_EQ(net.fetch(request(ips({"127.0.0.3"}))).error, Error::connect_timeout);
  EXPECT_EQ(net.budget->taken(), 0U);
}

TEST_F(RaceTest, TheGuardJudgesEveryAttempt) {
  net.network.allow_addresses = {*base::Cidr::parse("127.0.0.1")};
  const Outcome outcome = net.fetch(request(ips({"127.0.0.2"})));
  EXPECT_EQ(outcome.error, Error::blocked_address) << "the first was refused, the second is not to be tried";
  EXPECT_EQ(server.accepted(), 0);
}

TEST_F(RaceTest, OnePlaceIsEnough) {
  net.network.max_connections = 1;
  const FullListener silent("127.0.0.1", server.port());
  net.network.timeouts.connect = 600ms;
  EXPECT_EQ(net.fetch(request(ips({"127.0.0.2"}))).error, Error::connect_timeout)
      << "no place for a second attempt";
  EXPECT_EQ(net.budget->taken(), 0U);
  EXPECT_EQ(server.accepted(), 0);
}

TEST_F(RaceTest, WhatIsCrowdedOutIsNoFailureOfTheHost) {
  net.network.max_connections = 3;
  net.client();
  ASSERT_TRUE(net.budget->try_take() && net.budget->try_take());  // by others
  EXPECT_EQ(net.fetch(request(ips({"127.0.0.2"}))).error, Error::not_now)
      << "refused at the first, the second not tried";
  EXPECT_EQ(server.accepted(), 0);
  net.budget->give();
  EXPECT_EQ(net.fetch(request(ips({"127.0.0.2"}))).error, Error::none);
}

TEST_F(RaceTest, AnAddressThatLostIsNotGivenAgainForAWhile) {
  const FullListener silent("127.0.0.1", server.port());
  support::DnsServer dns([](const std::string&, bool v6) {
    support::DnsAnswer found;
    if (!v6) found.addresses = {"127.0.0.1", "127.0.0.2"};
    return found;
  });
  net.network.nameservers = {{ip("127.0.0.1"), dns.port()}};
  const std::string url = server.url("/", "two.test");
  // c-ares may hand them out in either order; the one without an answer is put in front by hand.
  Request first = request(ips({"127.0.0.2"}));
  EXPECT_EQ(net.fetch(std::move(first)).error, Error::none);
  const Resolved next = net.resolve(url);
  EXPECT_EQ(next.address, ip("127.0.0.2"));
  EXPECT_EQ(next.others, ips({"127.0.0.1"}));
}

TEST(Families, OnlyThoseThatAreUsed) {
  support::DnsServer dns([](const std::string& name, bool v6) {
    support::DnsAnswer found;
    if (v6) found.addresses = {"2a0b::7"};
    if (!v6 && name != "six.test") found.addresses = {"45.80.0.7"};
    return found;
  });
  Net net;
  net.network.nameservers = {{ip("127.0.0.1"), dns.port()}};
  net.network.families = config::Families::ipv4;
  const Resolved both = net.resolve("http://both.test/");
  EXPECT_EQ(both.address, ip("45.80.0.7"));
  EXPECT_TRUE(both.others.empty());
  EXPECT_EQ(net.resolve("http://six.test/").error, Error::dns_failure) << "nobody asks for AAAA";
  EXPECT_EQ(net.resolve("http://[2a0b::7]/").error, Error::unreachable);
  Net six;
  six.network.nameservers = net.network.nameservers;
  six.network.families = config::Families::ipv6;
  EXPECT_EQ(six.resolve("http://both.test/").address, ip("2a0b::7"));
}

TEST(SourceAddress, IsWhereConnectionsComeFrom) {
  std::atomic<std::uint32_t> from{0};
  RawServer server([&from](Peer& peer) {
    from = peer.from();
    while (!peer.request().empty()) peer.send(answer("x"));
  });
  Net net;
  net.network.source_addresses = {ip("127.0.0.9")};
  EXPECT_EQ(net.get(server.url()).error, Error::none);
  EXPECT_EQ(from, 0x7f000009U);
  EXPECT_EQ(net.resolve("http://[2a0b::7]/").error, Error::unreachable) << "there is no source for IPv6";
}

TEST(SourceAddress, OneThatIsNotOursStopsTheStart) {
  Net net;
  net.network.source_addresses = {ip("192.0.2.9")};
  try {
    net.client();
    FAIL();
  } catch (const std::runtime_error& failed) {
    EXPECT_EQ(std::string(failed.what()),
              "network.source_addresses: 192.0.2.9 is no address of this machine");
  }
}

}  // namespace
}  // namespace fetch
