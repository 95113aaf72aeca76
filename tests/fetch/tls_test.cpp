#include "fetch/tls.h"

#include "tests/fetch/net.h"
#include "tests/support/certificates.h"
#include "tests/support/raw_server.h"

#include <gtest/gtest.h>

#include <atomic>

namespace fetch {
namespace {

using support::answer;
using support::Identity;
using support::IdentityOptions;
using support::kDay;
using support::Peer;
using support::RawServer;

/// One authority that the client trusts.
class TlsTest : public ::testing::Test {
 protected:
  Identity server_identity(const std::string& alternatives, long from = -kDay, long until = kDay) const {
    IdentityOptions options;
    options.alternatives = alternatives;
    options.valid_from = from;
    options.valid_until = until;
    return support::issue(options, &trusted_);
  }
  std::unique_ptr<Net> net() const {
    auto made = std::make_unique<Net>();
    made->network.ca_file = ca_file_;
    return made;
  }
  /// What a client gets from a server that shows `identity`.
  Outcome outcome_with(const Identity& identity, std::string_view host = "localhost") const {
    const auto context = support::server_context(identity);
    RawServer server(
        [](Peer& peer) {
          while (!peer.request().empty()) peer.send(answer("secret"));
        },
        context.get());
    return net()->get(server.url("/", host));
  }

  support::TempFolder folder_;
  Identity trusted_ = support::authority();
  std::string ca_file_ = folder_.write("ca.pem", support::pem(trusted_));
};

TEST_F(TlsTest, TrustsACertificateOfItsAuthorityForTheHost) {
  EXPECT_EQ(outcome_with(server_identity("DNS:localhost")).body, "secret");
  EXPECT_EQ(outcome_with(server_identity("DNS:other.test,DNS:localhost")).body, "secret");
  EXPECT_EQ(outcome_with(server_identity("DNS:*.a.localhost"), "b.a.localhost").body, "secret");
  EXPECT_EQ(outcome_with(server_identity("DNS:localhost"), "localhost.").body, "secret");
}

TEST_F(TlsTest, AnAddressHasToBeInTheCertificateAsAnAddress) {
  EXPECT_EQ(outcome_with(server_identity("IP:127.0.0.1"), "127.0.0.1").body, "secret");
  EXPECT_EQ(outcome_with(server_identity("DNS:127.0.0.1"), "127.0.0.1").error, Error::tls_certificate);
  EXPECT_EQ(outcome_with(server_identity("IP:127.0.0.2"), "127.0.0.1").error, Error::tls_certificate);
}

TEST_F(TlsTest, RefusesCertificatesAndSaysWhy) {
  const Identity stranger = support::authority("stranger");
  IdentityOptions options;
  options.alternatives = "DNS:localhost";
  const struct {
    Identity identity;
    std::string_view detail;
  } kRows[] = {
      {server_identity("DNS:localhost", -2 * kDay, -kDay), "certificate has expired"},
      {server_identity("DNS:localhost", kDay, 2 * kDay), "certificate is not yet valid"},
      {server_identity("DNS:other.test"), "hostname mismatch"},
      {server_identity(""), "hostname mismatch"},
      {server_identity("DNS:local*"), "hostname mismatch"},
      {support::issue(options), "self-signed certificate"},
      {support::issue(options, &stranger), "unable to get local issuer certificate"},
  };
  for (const auto& row : kRows) {
    const Outcome outcome = outcome_with(row.identity);
    EXPECT_EQ(outcome.error, Error::tls_certificate) << row.detail;
    EXPECT_EQ(outcome.detail, row.detail);
    EXPECT_EQ(outcome.body, "");
  }
}

TEST_F(TlsTest, OfUnverifiedHostsItIsNotedWhatIsWrong) {
  const auto context = support::server_context(server_identity("DNS:localhost", -2 * kDay, -kDay));
  RawServer server(
      [](Peer& peer) {
        while (!peer.request().empty()) peer.send(answer("old"));
      },
      context.get());
  const auto lenient = net();
  lenient->network.unverified_hosts = {"*.localhost", "localhost"};
  Outcome outcome = lenient->get(server.url("/", "localhost"));
  EXPECT_EQ(outcome.body, "old");
  EXPECT_EQ(outcome.certificate, "certificate has expired");
  outcome = lenient->get(server.url("/2", "localhost"));
  EXPECT_TRUE(outcome.reused);
  EXPECT_EQ(outcome.certificate, "certificate has expired") << "of a kept connection, too";
  EXPECT_EQ(lenient->get(server.url("/", "a.localhost")).certificate, "hostname mismatch");
  EXPECT_EQ(lenient->get(server.url("/", "127.0.0.1")).error, Error::tls_certificate) << "not in the list";
  const auto all = net();
  all->network.unverified_hosts = {"*"};
  EXPECT_EQ(all->get(server.url("/", "127.0.0.1")).body, "old");
  EXPECT_EQ(net()->get(server.url("/", "localhost")).error, Error::tls_certificate);
}

TEST_F(TlsTest, OffersTheNameAndHttp11AndAtLeastTls12) {
  std::string name = "?";
  std::string protocol = "?";
  const auto context = support::server_context(server_identity("DNS:localhost"));
  {
    RawServer server(
        [&](Peer& peer) {
          name = peer.server_name();
          protocol = peer.protocol();
          peer.request();
          peer.send(answer("x"));
        },
        context.get());
    EXPECT_EQ(net()->get(server.url("/", "localhost")).body, "x");
  }
  EXPECT_EQ(name, "localhost");
  EXPECT_EQ(protocol, "http/1.1");

  SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  RawServer newer(
      [](Peer& peer) {
        peer.request();
        peer.send(answer("1.2"));
      },
      context.get());
  EXPECT_EQ(net()->get(newer.url("/", "localhost")).body, "1.2");

  SSL_CTX_set_security_level(context.get(), 0);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context.get(), TLS1_1_VERSION);
  RawServer older([](Peer&) {}, context.get());
  EXPECT_EQ(net()->get(older.url("/", "localhost")).error, Error::tls);
}

TEST_F(TlsTest, SendsNoNameForAnAddress) {
  std::string name = "?";
  const auto context = support::server_context(server_identity("IP:127.0.0.1"));
  {
    RawServer server(
        [&name](Peer& peer) {
          name = peer.server_name();
          peer.request();
          peer.send(answer("x"));
        },
        context.get());
    EXPECT_EQ(net()->get(server.url()).body, "x");
  }
  EXPECT_EQ(name, "");
}

TEST_F(TlsTest, KeepsConnections) {
  const auto context = support::server_context(server_identity("DNS:localhost"));
  RawServer server(
      [](Peer& peer) {
        while (!peer.request().empty()) peer.send(answer("x"));
      },
      context.get());
  const auto client = net();
  EXPECT_FALSE(client->get(server.url("/", "localhost")).reused);
  EXPECT_TRUE(client->get(server.url("/", "localhost")).reused);
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(TlsTest, ResumesSessionsOfTheSameOriginOnly) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const auto context = support::server_context(server_identity("DNS:localhost,DNS:a.localhost"));
    SSL_CTX_set_max_proto_version(context.get(), version);
    std::atomic<int> resumed{0};
    RawServer server(
        [&resumed](Peer& peer) {
          if (peer.resumed()) ++resumed;
          peer.request();
          peer.send(answer("x", "Connection: close\r\n"));
          peer.close_notify();
        },
        context.get());
    const auto client = net();
    EXPECT_EQ(client->get(server.url("/", "localhost")).body, "x");
    EXPECT_EQ(resumed, 0);
    EXPECT_EQ(client->get(server.url("/", "localhost")).body, "x");
    EXPECT_EQ(resumed, 1);
    EXPECT_EQ(client->get(server.url("/", "a.localhost")).body, "x");
    EXPECT_EQ(resumed, 1) << "a session belongs to one origin";
  }
}

TEST_F(TlsTest, AnEndWithoutCloseNotifyIsTruncationUnlessTheFramingIsComplete) {
  const auto context = support::server_context(server_identity("DNS:localhost"));
  const struct {
    std::string octets;
    bool notify;
    Error error;
  } kRows[] = {
      {"HTTP/1.1 200 OK\r\n\r\nall", false, Error::truncated},
      {"HTTP/1.1 200 OK\r\n\r\nall", true, Error::none},
      {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nall", false, Error::none},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nall\r\n0\r\n\r\n", false, Error::none},
      {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nall", true, Error::truncated},
      {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nall", false, Error::truncated},
  };
  for (const auto& row : kRows) {
    RawServer server(
        [&row](Peer& peer) {
          peer.request();
          peer.send(row.octets);
          if (row.notify) peer.close_notify();
        },
        context.get());
    const Outcome outcome = net()->get(server.url("/", "localhost"));
    EXPECT_EQ(outcome.error, row.error) << row.octets << row.notify << outcome.detail;
    EXPECT_EQ(outcome.body, "all") << "what came is there, and the error says that it may not be all";
  }
}

TEST_F(TlsTest, OtherFailuresAreNotCertificateErrors) {
  RawServer plain([](Peer& peer) {
    peer.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    peer.wait_closed();
  });
  EXPECT_EQ(net()->get("https://127.0.0.1:" + std::to_string(plain.port()) + "/").error, Error::tls);
  RawServer closing([](Peer&) {});
  const Outcome closed = net()->get("https://127.0.0.1:" + std::to_string(closing.port()) + "/");
  EXPECT_TRUE(closed.error == Error::tls || closed.error == Error::reset) << to_string(closed.error);
}

TEST_F(TlsTest, TheSystemsTrustStoreIsTheDefault) {
  Net net;
  net.network.ca_file.clear();
  const auto context = support::server_context(server_identity("DNS:localhost"));
  RawServer server([](Peer& peer) { peer.request(); }, context.get());
  EXPECT_EQ(net.get(server.url("/", "localhost")).error, Error::tls_certificate);
}

TEST_F(TlsTest, ATrustStoreThatCannotBeReadStopsTheStart) {
  Net missing;
  missing.network.ca_file = folder_.path("missing.pem");
  EXPECT_THROW(missing.client(), std::runtime_error);
  Net empty;
  empty.network.ca_file = folder_.write("empty.pem", "no certificate\n");
  EXPECT_THROW(empty.client(), std::runtime_error);
}

TEST(TlsSessions, AreBounded) {
  TlsSessions sessions(2);
  for (const std::string_view origin : {"https://a.test", "https://b.test", "https://c.test"}) {
    sessions.store(origin, SSL_SESSION_new());
  }
  EXPECT_EQ(sessions.size(), 2U);
  sessions.forget("https://c.test");
  sessions.forget("https://c.test");
  EXPECT_EQ(sessions.size(), 1U);
  EXPECT_EQ(sessions.find("https://b.test"), nullptr) << "an empty session cannot be resumed";
  EXPECT_EQ(sessions.size(), 0U);
}

}  // namespace
}  // namespace fetch
