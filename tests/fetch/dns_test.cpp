#include "fetch/ares_channel.h"
#include "tests/fetch/net.h"
#include "tests/support/certificates.h"
#include "tests/support/child.h"
#include "tests/support/dns_server.h"
#include "tests/support/raw_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace fetch {
namespace {

using support::answer;
using support::DnsAnswer;
using support::DnsCode;
using support::DnsServer;
using support::Peer;
using support::RawServer;

DnsAnswer addresses(std::vector<std::string> list) {
  DnsAnswer answer;
  answer.addresses = std::move(list);
  return answer;
}
DnsAnswer code(DnsCode code) {
  DnsAnswer answer;
  answer.code = code;
  return answer;
}
DnsAnswer silence() {
  DnsAnswer answer;
  answer.silent = true;
  return answer;
}

void ask(Net& net, std::uint16_t port) {
  net.network.nameservers.push_back({*base::IpAddress::parse("127.0.0.1"), port});
}

TEST(Dns, SpellingsOfLoopbackAreAllBlocked) {
  Net net;
  net.network.allow_addresses.clear();
  ask(net, 1);  // nobody answers there: none of these needs a name server
  for (const std::string_view host : {"127.0.0.1",
                                      "127.1",
                                      "127.0.1",
                                      "2130706433",
                                      "0x7f.1",
                                      "0x7f000001",
                                      "0177.0.0.1",
                                      "017700000001",
                                      "127.0.0.1.",
                                      "0",
                                      "0.0.0.0",
                                      "[::1]",
                                      "[::]",
                                      "[0:0:0:0:0:0:0:1]",
                                      "[::127.0.0.1]",
                                      "[::ffff:127.0.0.1]",
                                      "[::ffff:7f00:1]",
                                      "[64:ff9b::7f00:1]",
                                      "[2002:7f00:1::]",
                                      "localhost",
                                      "LOCALHOST",
                                      "localhost.",
                                      "a.localhost",
                                      "a.b.localhost.",
                                      "%6cocalhost",
                                      "127%2e0.0.1",
                                      "１２７.0.0.1",
                                      "127。0。0。1"}) {
    const std::string url = "http://" + std::string(host) + "/";
    const Resolved resolved = net.resolve(url);
    EXPECT_EQ(resolved.error, Error::blocked_address) << host;
    EXPECT_FALSE(resolved.detail.empty()) << host;
  }
  for (const std::string_view host :
       {"0xA9FEA9FE", "169.254.43518", "[fd00:ec2::254]", "[::ffff:a9fe:a9fe]"}) {
    const Resolved resolved = net.resolve("http://" + std::string(host) + "/");
    EXPECT_EQ(resolved.error, Error::blocked_address) << host;
    EXPECT_NE(resolved.detail.find("metadata"), std::string::npos) << host;
  }
  const Resolved open = net.resolve("http://192.0.1.1/");
  EXPECT_EQ(open.error, Error::none);
  EXPECT_EQ(open.address.text(), "192.0.1.1");
}

TEST(Dns, FindsAndRemembersAddresses) {
  DnsServer server([](const std::string&, bool) { return addresses({"127.0.0.7"}); });
  Net net;
  ask(net, server.port());
  for (int i = 0; i < 3; ++i) {
    const Resolved resolved = net.resolve("http://a.test/");
    EXPECT_EQ(resolved.error, Error::none) << resolved.detail;
    EXPECT_EQ(resolved.address.text(), "127.0.0.7");
  }
  EXPECT_EQ(server.questions(), 2) << "A and AAAA, once";
  net.resolve("http://b.test/");
  EXPECT_EQ(server.questions(), 4);
}

TEST(Dns, ManyWhoWaitAskOnce) {
  DnsServer server([](const std::string&, bool) { return addresses({"127.0.0.7"}); });
  Net net;
  ask(net, server.port());
  std::vector<std::shared_ptr<std::optional<Resolved>>> results;
  for (int i = 0; i < 20; ++i)
    results.push_back(net.start_resolve("http://a.test:" + std::to_string(8000 + i)));
  for (const auto& result : results) EXPECT_EQ(net.finish(result).address.text(), "127.0.0.7");
  EXPECT_EQ(server.questions(), 2);
}

TEST(Dns, ManyNamesAtOnce) {
  DnsServer server([](const std::string& name, bool) {
    return addresses({"127.0.1." + name.substr(1, name.find('.') - 1)});
  });
  Net net;
  ask(net, server.port());
  std::vector<std::shared_ptr<std::optional<Resolved>>> results;
  for (int i = 1; i < 100; ++i)
    results.push_back(net.start_resolve("http://n" + std::to_string(i) + ".test/"));
  for (int i = 1; i < 100; ++i) {
    EXPECT_EQ(net.finish(results[static_cast<std::size_t>(i - 1)]).address.text(),
              "127.0.1." + std::to_string(i));
  }
}

TEST(Dns, FailuresAreTold) {
  DnsServer server([](const std::string& name, bool v6) {
    if (name == "gone.test") return code(DnsCode::nxdomain);
    if (name == "broken.test") return code(DnsCode::servfail);
    if (name == "refused.test") return code(DnsCode::refused);
    if (name == "only6.test" && v6) return addresses({"fd00::1"});
    return addresses({});
  });
  Net net;
  ask(net, server.port());
  EXPECT_EQ(net.resolve("http://gone.test/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://empty.test/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://broken.test/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://refused.test/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://" + std::string(64, 'a') + ".test/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://only6.test/").detail, "fd00::1 is private");
}

TEST(Dns, OnlyAnswersAreRemembered) {
  std::atomic<int> calls{0};
  DnsServer server([&calls](const std::string& name, bool) {
    ++calls;
    return code(name == "gone.test" ? DnsCode::nxdomain : DnsCode::servfail);
  });
  Net net;
  ask(net, server.port());
  net.resolve("http://gone.test/");
  const int once = calls;
  net.resolve("http://gone.test/");
  EXPECT_EQ(calls, once) << "no such name is an answer";
  net.resolve("http://broken.test/");
  const int before = calls;
  net.resolve("http://broken.test/");
  EXPECT_GT(calls, before) << "trouble is none";
}

TEST(Dns, HasADeadline) {
  DnsServer server([](const std::string&, bool) { return silence(); });
  Net net;
  net.network.timeouts.dns = 100ms;
  ask(net, server.port());
  Resolved resolved;
  const auto time = taken([&] { resolved = net.resolve("http://a.test/"); });
  EXPECT_EQ(resolved.error, Error::dns_timeout);
  EXPECT_GE(time, 100ms);
  EXPECT_LT(time, 1100ms);
  const auto again = taken([&] { resolved = net.resolve("http://a.test/"); });
  EXPECT_EQ(resolved.error, Error::dns_timeout);
  EXPECT_LT(again, 1100ms);
}

TEST(Dns, ALostPacketIsAskedForAgain) {
  std::atomic<int> calls{0};
  DnsServer server(
      [&calls](const std::string&, bool) { return ++calls <= 2 ? silence() : addresses({"127.0.0.7"}); });
  Net net;
  net.network.timeouts.dns = 2s;
  ask(net, server.port());
  EXPECT_EQ(net.resolve("http://a.test/").address.text(), "127.0.0.7");
  EXPECT_GT(calls, 2);
}

TEST(Dns, CancelAndCloseEndQuestions) {
  DnsServer server([](const std::string&, bool) { return silence(); });
  Net net;
  ask(net, server.port());
  const auto first = net.start_resolve("http://a.test/");
  const auto second = net.start_resolve("http://a.test/");
  net.run_for(20ms);
  EXPECT_FALSE(first->has_value());
  net.client().cancel();
  EXPECT_EQ(net.finish(first).error, Error::cancelled);
  EXPECT_EQ(net.finish(second).error, Error::cancelled);
  const auto third = net.start_resolve("http://b.test/");
  net.run_for(20ms);
  net.client().close();
  EXPECT_EQ(net.finish(third).error, Error::cancelled);
  const auto time = taken([&] {
    net.io.restart();
    net.io.run();
  });
  EXPECT_LT(time, 2s) << "nothing is left to wait for";
}

TEST(Dns, TheLoopRunsDryBetweenQuestions) {
  DnsServer server([](const std::string&, bool) { return addresses({"127.0.0.7"}); });
  Net net;
  ask(net, server.port());
  net.resolve("http://a.test/");
  const auto time = taken([&] {
    net.io.restart();
    net.io.run();
  });
  EXPECT_LT(time, 2s);
}

TEST(Dns, AliasesAreFollowed) {
  DnsServer server([](const std::string& name, bool) {
    DnsAnswer answer = addresses({"127.0.0.9"});
    if (name == "www.test") answer.cname = "cdn.test";
    return answer;
  });
  Net net;
  ask(net, server.port());
  EXPECT_EQ(net.resolve("http://www.test/").address.text(), "127.0.0.9");
}

TEST(Dns, NamesAreAskedAsTheyAreWritten) {
  std::mutex mutex;
  std::set<std::string> names;
  DnsServer server([&](const std::string& name, bool) {
    const std::lock_guard lock(mutex);
    names.insert(name);
    return code(DnsCode::nxdomain);
  });
  Net net;
  ask(net, server.port());
  net.resolve("http://single/");
  net.resolve("http://a.test./");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(names, (std::set<std::string>{"single", "a.test"})) << "no search domain is tried";
}

TEST(Dns, AllowedAddressesAreChosenAmongBlockedOnes) {
  DnsServer server([](const std::string& name, bool) {
    if (name == "mixed.test") return addresses({"10.0.0.1", "127.0.0.7", "192.168.0.1"});
    return addresses({"10.0.0.1", "169.254.169.254"});
  });
  Net net;
  ask(net, server.port());
  EXPECT_EQ(net.resolve("http://mixed.test/").address.text(), "127.0.0.7");
  const Resolved blocked = net.resolve("http://private.test/");
  EXPECT_EQ(blocked.error, Error::blocked_address);
  EXPECT_FALSE(blocked.detail.empty());
}

TEST(Dns, RebindingDoesNotMoveARequest) {
  // The name points here first and to a private address ever after.
  std::atomic<int> calls{0};
  DnsServer names([&calls](const std::string&, bool v6) {
    if (v6) return addresses({});
    return addresses({++calls == 1 ? "127.0.0.1" : "127.0.0.2"});
  });
  RawServer server([](Peer& peer) {
    while (!peer.request().empty()) peer.send(answer("public"));
  });
  RawServer inside([](Peer&) {}, nullptr, "127.0.0.2", server.port());
  Net net;
  net.network.allow_addresses = {*base::Cidr::parse("127.0.0.1")};
  ask(net, names.port());
  const std::string url = server.url("/", "rebind.test");
  for (int i = 0; i < 3; ++i) {
    const Resolved resolved = net.resolve(url);
    ASSERT_EQ(resolved.error, Error::none);
    Request request = Net::request(url);
    request.address = resolved.address;
    EXPECT_EQ(net.fetch(std::move(request)).body, "public");
  }
  EXPECT_EQ(calls, 1) << "the answer is kept at least 30 s, whatever its time to live";
  Request direct = Net::request(url, "127.0.0.2");
  EXPECT_EQ(net.fetch(std::move(direct)).error, Error::blocked_address);
  EXPECT_EQ(inside.accepted(), 0);
  Net later;
  later.network.allow_addresses = net.network.allow_addresses;
  ask(later, names.port());
  EXPECT_EQ(later.resolve(url).error, Error::blocked_address);
}

TEST(Dns, AnAddressThatRefusedGoesLast) {
  DnsServer names([](const std::string&, bool) { return addresses({"127.0.0.3", "127.0.0.4"}); });
  const std::uint16_t port = support::free_port();
  Net net;
  ask(net, names.port());
  const std::string url = "http://two.test:" + std::to_string(port) + "/";
  const base::IpAddress first = net.resolve(url).address;
  EXPECT_EQ(net.resolve(url).address, first);
  Request request = Net::request(url);
  request.address = first;
  EXPECT_EQ(net.fetch(std::move(request)).error, Error::refused);
  const base::IpAddress second = net.resolve(url).address;
  EXPECT_NE(second, first);
  request = Net::request(url);
  request.address = second;
  EXPECT_EQ(net.fetch(std::move(request)).error, Error::refused);
  EXPECT_EQ(net.resolve(url).address, first) << "when all have failed, the one that failed first";
}

TEST(Dns, HugeAnswersAreCutToABoundedList) {
  DnsServer server([](const std::string&, bool v6) {
    std::vector<std::string> many;
    for (int i = 0; i < 40 && !v6; ++i) many.push_back("127.0.2." + std::to_string(i));
    return addresses(many);
  });
  Net net;
  ask(net, server.port());
  EXPECT_EQ(net.resolve("http://many.test/").error, Error::none);
}

TEST(Dns, AsksDnsmasq) {
  const std::string program = support::find_program("dnsmasq");
  ASSERT_FALSE(program.empty()) << "install dnsmasq-base: this test asks a real name server";
  const support::TempFolder folder;
  const std::uint16_t port = support::free_port(SOCK_DGRAM);
  const support::Child dnsmasq(
      {program, "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
       "--port=" + std::to_string(port), "--listen-address=127.0.0.1", "--bind-interfaces",
       "--pid-file=", "--user=", "--group=", "--log-facility=-", "--host-record=a.example,127.0.0.21",
       "--cname=alias.example,a.example", "--host-record=six.example,::1", "--local=/example/"},
      folder.path("log"));
  Net net;
  net.network.timeouts.dns = 200ms;
  ask(net, port);
  Resolved resolved;
  for (int i = 0; i < 50 && resolved.error != Error::none; ++i) resolved = net.resolve("http://a.example/");
  for (int i = 0; i < 50 && resolved.address.text() != "127.0.0.21"; ++i)
    resolved = net.resolve("http://a.example/");
  EXPECT_EQ(resolved.address.text(), "127.0.0.21");
  EXPECT_EQ(net.resolve("http://alias.example/").address.text(), "127.0.0.21");
  EXPECT_EQ(net.resolve("http://six.example/").detail, "::1 is loopback");
  EXPECT_EQ(net.resolve("http://gone.example/").error, Error::dns_failure);
}

}  // namespace
}  // namespace fetch
