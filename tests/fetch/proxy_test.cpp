// Through a proxy: tunnels, whole URLs, names and passwords, and what proxies say when they do not serve.
#include "fetch/proxy.h"

#include "tests/fetch/net.h"
#include "tests/support/dns_server.h"
#include "tests/support/full_listener.h"
#include "tests/support/raw_server.h"

#include <sys/stat.h>

#include <mutex>

namespace fetch {
namespace {

using support::answer;
using support::Peer;
using support::RawServer;
using Kind = config::Proxy::Kind;

/// What a proxy heard, from its threads.
class Heard {
 public:
  void add(std::string text) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(text));
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> all_;
};

RawServer::Script always(std::string octets) {
  return [octets = std::move(octets)](Peer& peer) {
    while (!peer.request().empty()) peer.send(octets);
  };
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find("\r\n"));
}

class ProxyTest : public testing::Test {
 protected:
  /// Everything goes through `proxy`.
  void use(const RawServer& proxy, Kind kind) {
    net.network.proxy = {kind, "127.0.0.1", proxy.port(), {}};
    net.network.allow_addresses = {*base::Cidr::parse("127.0.0.7")};  // a server; not the proxy's own address
  }
  void log_in(std::string user, const std::string& password) {
    net.network.proxy.user = std::move(user);
    net.network.proxy_password_file = folder.write("password", password + "\nmore\n");
    ::chmod(net.network.proxy_password_file.c_str(), 0600);
  }
  Outcome get(const std::string& url) { return net.fetch(Net::request(url, "127.0.0.7")); }

  /// A CONNECT that is answered with `reply` and then led to `port`.
  RawServer::Script connects_to(std::uint16_t port, std::string reply = "HTTP/1.1 200 Fine\r\n\r\n") {
    return [this, port, reply = std::move(reply)](Peer& peer) {
      heard.add(peer.request());
      peer.send(reply);
      peer.relay(port);
    };
  }
  /// SOCKS 5 without a password, answering the request with `reply`.
  RawServer::Script socks_to(std::uint16_t port,
                             std::string reply = std::string("\5\0\0\1\0\0\0\0\0\0", 10)) {
    return [this, port, reply = std::move(reply)](Peer& peer) {
      heard.add(peer.octets(3));
      peer.send(std::string_view("\5\0", 2));
      std::string request = peer.octets(4);
      const char type = request.size() == 4 ? request[3] : '\0';
      if (type == '\1') request += peer.octets(4);
      if (type == '\4') request += peer.octets(16);
      if (type == '\3') {
        request += peer.octets(1);
        request += peer.octets(static_cast<unsigned char>(request.back()));
      }
      heard.add(request + peer.octets(2));
      peer.send(reply);
      if (reply[1] == '\0') peer.relay(port);
    };
  }

  support::TempFolder folder;
  Heard heard;
  RawServer server{always(answer("page"))};
  Net net;
};

TEST_F(ProxyTest, HttpTunnelsToTheAddressThatTheGuardHasSeen) {
  RawServer proxy(connects_to(server.port()));
  use(proxy, Kind::http);
  const Outcome outcome = get("http://some.test:8080/x");
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.body, "page");
  ASSERT_EQ(heard.all().size(), 1U);
  EXPECT_EQ(heard.all()[0], "CONNECT 127.0.0.7:8080 HTTP/1.1\r\nHost: 127.0.0.7:8080\r\n\r\n");
  EXPECT_TRUE(get("http://some.test:8080/y").reused) << "the tunnel is kept";
  EXPECT_FALSE(get("http://other.test:8080/y").reused) << "but not for another origin";
}

TEST_F(ProxyTest, TlsGoesThroughTheTunnelAndChecksTheServer) {
  const support::Identity authority = support::authority();
  const support::Identity identity =
      support::issue({.name = "s", .alternatives = "DNS:some.test"}, &authority);
  const support::TlsContext context = support::server_context(identity);
  RawServer secure(always(answer("secret")), context.get());
  RawServer proxy(connects_to(secure.port()));
  use(proxy, Kind::http);
  net.network.ca_file = folder.write("own.pem", support::pem(authority));
  const Outcome outcome = get("https://some.test/x");
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.body, "secret");
  EXPECT_EQ(first_line(heard.all()[0]), "CONNECT 127.0.0.7:443 HTTP/1.1");
  EXPECT_EQ(get("https://wrong.test/x").error, Error::tls_certificate);
}

TEST_F(ProxyTest, IPv6AddressesHaveBrackets) {
  RawServer proxy(connects_to(server.port()));
  use(proxy, Kind::http);
  net.fetch(Net::request("http://some.test/x", "2a0b::7"));
  EXPECT_EQ(first_line(heard.all()[0]), "CONNECT [2a0b::7]:80 HTTP/1.1");
}

TEST_F(ProxyTest, RemoteNamesGoAsWholeUrlsAndNamedTunnels) {
  RawServer proxy([this](Peer& peer) {
    for (std::string text = peer.request(); !text.empty(); text = peer.request()) {
      heard.add(text);
      peer.send(answer("by proxy"));
    }
  });
  use(proxy, Kind::http);
  net.network.proxy_names = config::ProxyNames::remote;
  log_in("me", "secret word");
  const Outcome outcome = get("http://some.test:8080/x?y");
  EXPECT_EQ(outcome.body, "by proxy");
  EXPECT_EQ(first_line(heard.all()[0]), "GET http://some.test:8080/x?y HTTP/1.1");
  EXPECT_NE(heard.all()[0].find("\r\nHost: some.test:8080\r\n"), std::string::npos);
  EXPECT_NE(heard.all()[0].find("\r\nProxy-Authorization: Basic bWU6c2VjcmV0IHdvcmQ=\r\n"),
            std::string::npos);
  get("https://some.test/x");
  EXPECT_EQ(first_line(heard.all()[1]), "CONNECT some.test:443 HTTP/1.1");
}

TEST_F(ProxyTest, APasswordIsForTheProxyAlone) {
  std::string at_server;
  RawServer target([&at_server](Peer& peer) {
    at_server = peer.request();
    peer.send(answer("x"));
  });
  RawServer proxy(connects_to(target.port()));
  use(proxy, Kind::http);
  log_in("me", "secret");
  EXPECT_EQ(get("http://some.test/").error, Error::none);
  EXPECT_NE(heard.all()[0].find("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"), std::string::npos);
  EXPECT_EQ(at_server.find("Authorization"), std::string::npos) << at_server;
}

TEST_F(ProxyTest, RemoteNamesStandForThemselves) {
  RawServer proxy(always(answer("x")));
  use(proxy, Kind::socks5);
  net.network.proxy_names = config::ProxyNames::remote;
  support::DnsServer dns([](const std::string&, bool) { return support::DnsAnswer{}; });
  net.network.nameservers = {{*base::IpAddress::parse("127.0.0.1"), dns.port()}};
  const Resolved one = net.resolve("http://one.test/");
  EXPECT_EQ(one.error, Error::none);
  EXPECT_NE(one.address, net.resolve("http://two.test/").address);
  EXPECT_EQ(one.address, net.resolve("http://one.test:8080/").address);
  EXPECT_EQ(dns.questions(), 0) << "nobody here asks for names";
  EXPECT_EQ(net.resolve("http://10.1.2.3/").error, Error::blocked_address) << "what can be judged is";
  EXPECT_EQ(net.resolve("http://localhost/").error, Error::blocked_address);
  EXPECT_EQ(net.resolve("http://one.test:25/").error, Error::blocked_port);
}

TEST_F(ProxyTest, Rfc1928_SocksCarriesTheAddress) {
  RawServer proxy(socks_to(server.port()));
  use(proxy, Kind::socks5);
  const Outcome outcome = get("http://some.test:8080/");
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.body, "page");
  EXPECT_EQ(heard.all(), (std::vector<std::string>{std::string("\5\1\0", 3),
                                                   std::string("\5\1\0\1\x7f\0\0\7\x1f\x90", 10)}));
}

TEST_F(ProxyTest, SocksCarriesNamesWhenTheProxyTakesThem) {
  RawServer proxy(socks_to(server.port(), std::string("\5\0\0\3\4name\0\1", 11)));
  use(proxy, Kind::socks5);
  net.network.proxy_names = config::ProxyNames::remote;
  EXPECT_EQ(get("http://some.test/").body, "page");
  EXPECT_EQ(heard.all().back(), std::string("\5\1\0\3\x09some.test\0\x50", 16));
}

TEST_F(ProxyTest, Rfc1929_SocksLogsIn) {
  RawServer proxy([this](Peer& peer) {
    heard.add(peer.octets(3));
    peer.send(std::string_view("\5\2", 2));
    heard.add(peer.octets(1 + 1 + 2 + 1 + 6));
    peer.send(std::string_view("\1\0", 2));
    peer.octets(10);
    peer.send(std::string_view("\5\0\0\1\0\0\0\0\0\0", 10));
    peer.relay(server.port());
  });
  use(proxy, Kind::socks5);
  log_in("me", "secret");
  EXPECT_EQ(get("http://some.test/").body, "page");
  EXPECT_EQ(heard.all(), (std::vector<std::string>{std::string("\5\1\2", 3), "\1\2me\6secret"}));
}

TEST_F(ProxyTest, SocksRepliesSpeakOfTheServerOrOfTheProxy) {
  const struct {
    char reply;
    Error error;
  } kRows[] = {{1, Error::unreachable}, {2, Error::unreachable}, {3, Error::unreachable},
               {4, Error::unreachable}, {5, Error::refused},     {6, Error::connect_timeout},
               {7, Error::proxy},       {8, Error::proxy},       {'\xff', Error::proxy}};
  for (const auto& row : kRows) {
    std::string reply("\5\0\0\1\0\0\0\0\0\0", 10);
    reply[1] = row.reply;
    RawServer proxy(socks_to(server.port(), reply));
    Net own;
    own.network.proxy = {Kind::socks5, "127.0.0.1", proxy.port(), {}};
    EXPECT_EQ(own.get("http://127.0.0.1:8080/").error, row.error) << int{row.reply};
    EXPECT_EQ(own.budget->taken(), 0U);
  }
}

TEST_F(ProxyTest, HttpRepliesSpeakOfTheServerOrOfTheProxy) {
  const struct {
    std::string reply;
    Error error;
  } kRows[] = {{"HTTP/1.1 403 No\r\n\r\n", Error::unreachable},
               {"HTTP/1.1 407 Name\r\n\r\n", Error::proxy},
               {"HTTP/1.1 502 Bad\r\n\r\n", Error::unreachable},
               {"HTTP/1.1 503 Busy\r\n\r\n", Error::unreachable},
               {"HTTP/1.1 504 Slow\r\n\r\n", Error::connect_timeout},
               {"SSH-2.0-x\r\n\r\n", Error::proxy},
               {"HTTP/1.1 200 OK\r\n\r\nsurplus", Error::proxy},
               {"HTTP/1.1 200 OK\r\nX: " + std::string(kProxyHeadMax, 'x') + "\r\n\r\n", Error::proxy},
               {"", Error::proxy}};
  for (const auto& row : kRows) {
    RawServer proxy([&row](Peer& peer) {
      peer.request();
      peer.send(row.reply);
    });
    Net own;
    own.network.proxy = {Kind::http, "127.0.0.1", proxy.port(), {}};
    EXPECT_EQ(own.get("http://127.0.0.1:8080/").error, row.error) << row.reply.substr(0, 40);
    EXPECT_EQ(own.budget->taken(), 0U);
  }
  EXPECT_EQ(server.accepted(), 0);
}

TEST_F(ProxyTest, AProxyThatIsAwayIsNotTheServersFault) {
  std::uint16_t port = 0;
  {
    RawServer gone(always(""));
    port = gone.port();
  }
  net.network.proxy = {Kind::http, "127.0.0.1", port, {}};
  const Outcome outcome = net.get("http://127.0.0.1:8080/");
  EXPECT_EQ(outcome.error, Error::proxy);
  EXPECT_EQ(outcome.detail, "network.proxy: Connection refused");
  const support::FullListener silent;
  Net slow;
  slow.network.proxy = {Kind::http, "127.0.0.1", silent.port, {}};
  slow.network.timeouts.connect = 100ms;
  EXPECT_EQ(slow.get("http://127.0.0.1:8080/").error, Error::proxy);
}

TEST_F(ProxyTest, AProxyThatSaysNothingMeetsTheDeadline) {
  RawServer proxy([](Peer& peer) { peer.wait_closed(); });
  for (const Kind kind : {Kind::http, Kind::socks5}) {
    Net own;
    own.network.proxy = {kind, "127.0.0.1", proxy.port(), {}};
    own.network.timeouts.connect = 100ms;
    EXPECT_EQ(own.get("http://127.0.0.1:8080/").error, Error::connect_timeout)
        << "as when the server is silent";
    EXPECT_EQ(own.budget->taken(), 0U);
  }
}

TEST_F(ProxyTest, APasswordThatIsWrongIsNeverTheAnswerOfASite) {
  RawServer proxy(always(answer("who are you?", "", "407 Name")));
  use(proxy, Kind::http);
  net.network.proxy_names = config::ProxyNames::remote;
  const Outcome outcome = get("http://some.test/robots.txt");
  EXPECT_EQ(outcome.error, Error::proxy);
  EXPECT_TRUE(outcome.body.empty());
}

TEST_F(ProxyTest, NamesThatAreTooLongGoNowhere) {
  RawServer proxy(socks_to(server.port()));
  use(proxy, Kind::socks5);
  net.network.proxy_names = config::ProxyNames::remote;
  const auto name = [](std::size_t size) {
    std::string text;
    while (text.size() + 64 < size) text += std::string(63, 'a') + ".";
    return text + std::string(size - text.size(), 'b');
  };
  EXPECT_EQ(net.resolve("http://" + name(253) + "/").error, Error::none);
  EXPECT_EQ(net.resolve("http://" + name(255) + "/").error, Error::dns_failure);
  EXPECT_EQ(net.resolve("http://" + name(271) + "/").error, Error::dns_failure);
}

TEST_F(ProxyTest, TheGuardStillJudgesTheTarget) {
  RawServer proxy(connects_to(server.port()));
  use(proxy, Kind::http);
  EXPECT_EQ(net.resolve("http://10.1.2.3/").error, Error::blocked_address);
  EXPECT_EQ(net.resolve("http://127.0.0.1/").error, Error::blocked_address)
      << "the proxy's own address as well";
  EXPECT_EQ(net.resolve("http://127.0.0.7/").error, Error::none);
  EXPECT_EQ(get("http://127.0.0.7/").body, "page");
}

}  // namespace
}  // namespace fetch
