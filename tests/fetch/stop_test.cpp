// How exchanges end early: deadlines, cancel(), close(), and when something runs out.
#include "tests/fetch/net.h"
#include "tests/support/full_listener.h"
#include "tests/support/raw_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <future>

namespace fetch {
namespace {

using support::answer;
using support::FullListener;
using support::Peer;
using support::RawServer;

constexpr auto kShort = 80ms;

RawServer::Script always(std::string octets) {
  return [octets = std::move(octets)](Peer& peer) {
    while (!peer.request().empty()) peer.send(octets);
  };
}

TEST(Deadline, ConnectHasOne) {
  FullListener listener;
  Net net;
  net.network.timeouts.connect = kShort;
  Outcome outcome;
  const auto time = taken([&] { outcome = net.get(listener.url()); });
  EXPECT_EQ(outcome.error, Error::connect_timeout);
  EXPECT_GE(time, kShort);
  EXPECT_LT(time, kShort + 1s);
  EXPECT_EQ(net.budget->taken(), 0U);
}

TEST(Deadline, TheTlsHandshakeHasOne) {
  RawServer server([](Peer& peer) { peer.wait_closed(); });
  Net net;
  net.network.timeouts.tls = kShort;
  Outcome outcome;
  const auto time =
      taken([&] { outcome = net.get("https://127.0.0.1:" + std::to_string(server.port()) + "/"); });
  EXPECT_EQ(outcome.error, Error::tls);
  EXPECT_EQ(outcome.detail, "no TLS handshake in time");
  EXPECT_GE(time, kShort);
  EXPECT_LT(time, kShort + 1s);
}

TEST(Deadline, TheHeadHasOneHoweverItDrips) {
  for (const std::string& octets : {std::string(), "HTTP/1.1 200 OK\r\nX: " + std::string(10'000, 'x')}) {
    RawServer server([octets](Peer& peer) {
      peer.request();
      peer.drip(octets, 5ms);
      peer.wait_closed();
    });
    Net net;
    net.network.timeouts.head = kShort;
    Outcome outcome;
    const auto time = taken([&] { outcome = net.get(server.url()); });
    EXPECT_EQ(outcome.error, Error::timeout);
    EXPECT_EQ(outcome.detail, "no response head in time");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_GE(time, kShort);
    EXPECT_LT(time, kShort + 1s);
  }
}

TEST(Deadline, AStalledBodyEnds) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome");
    peer.wait_closed();
  });
  Net net;
  net.network.timeouts.idle = kShort;
  Outcome outcome;
  const auto time = taken([&] { outcome = net.get(server.url()); });
  EXPECT_EQ(outcome.error, Error::timeout);
  EXPECT_EQ(outcome.detail, "the body stalled");
  EXPECT_EQ(outcome.status, 200);
  EXPECT_EQ(outcome.body, "");
  EXPECT_GE(time, kShort);
  EXPECT_LT(time, kShort + 1s);
}

TEST(Deadline, ABodyThatDripsIsNotStalled) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n");
    peer.drip(std::string(60, 'x'), 10ms);
    peer.wait_closed();
  });
  Net net;
  net.network.timeouts.idle = 500ms;
  Outcome outcome;
  const auto time = taken([&] { outcome = net.get(server.url()); });
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.body.size(), 60U);
  EXPECT_GT(time, 500ms) << "longer than the idle limit altogether, or this shows nothing";
}

TEST(Deadline, TheWholeExchangeHasOne) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\n\r\n");
    peer.drip(std::string(100'000, 'x'), 5ms);
  });
  Net net;
  net.network.timeouts.idle = 60ms;
  net.network.timeouts.total = 150ms;
  Outcome outcome;
  const auto time = taken([&] { outcome = net.get(server.url()); });
  EXPECT_EQ(outcome.error, Error::timeout);
  EXPECT_EQ(outcome.detail, "the whole exchange took too long");
  EXPECT_GE(time, 150ms);
  EXPECT_LT(time, 1150ms);
}

TEST(Cancel, EndsExchangesInEveryPhase) {
  FullListener full;
  RawServer silent([](Peer& peer) { peer.wait_closed(); });
  RawServer stalled([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome");
    peer.wait_closed();
  });
  RawServer good(always(answer("x")));
  Net net;
  const auto connecting = net.start(Net::request(full.url()));
  const auto handshaking =
      net.start(Net::request("https://127.0.0.1:" + std::to_string(silent.port()) + "/"));
  const auto waiting = net.start(Net::request(silent.url()));
  const auto reading = net.start(Net::request(stalled.url()));
  net.run_for(50ms);
  EXPECT_EQ(net.budget->taken(), 4U);
  net.client().cancel();
  for (const auto& result : {connecting, handshaking, waiting, reading}) {
    const Outcome outcome = net.finish(result);
    EXPECT_EQ(outcome.error, Error::cancelled) << outcome.detail;
    EXPECT_EQ(outcome.body, "");
  }
  EXPECT_EQ(net.budget->taken(), 0U);
  EXPECT_EQ(net.get(good.url()).error, Error::cancelled) << "nor does anything begin while we are stopping";
  EXPECT_EQ(good.accepted(), 0);
}

TEST(Close, LetsTheLoopRunDry) {
  RawServer server(always(answer("x")));
  Net net;
  EXPECT_EQ(net.get(server.url()).error, Error::none);
  EXPECT_EQ(net.budget->taken(), 1U);
  net.client().close();
  EXPECT_EQ(net.budget->taken(), 0U);
  const auto time = taken([&] {
    net.io.restart();
    net.io.run();
  });
  EXPECT_LT(time, 1s);
  EXPECT_EQ(net.get(server.url()).error, Error::cancelled);
  EXPECT_EQ(net.resolve(server.url()).error, Error::cancelled);
  EXPECT_EQ(server.accepted(), 1);
}

TEST(Close, ExchangesUnderWayStillEnd) {
  std::promise<void> go;
  RawServer server([&go](Peer& peer) {
    peer.request();
    go.get_future().wait();
    peer.send(answer("late"));
    peer.wait_closed();
  });
  Net net;
  const auto result = net.start(Net::request(server.url()));
  net.run_for(20ms);
  net.client().close();
  go.set_value();
  EXPECT_EQ(net.finish(result).body, "late");
  EXPECT_EQ(net.budget->taken(), 0U) << "not kept";
}

TEST(Close, AClientMayDieBeforeItsExchanges) {
  RawServer server([](Peer& peer) { peer.wait_closed(); });
  Net net;
  const auto result = net.start(Net::request(server.url()));
  net.run_for(20ms);
  net.drop_client();
  EXPECT_EQ(net.finish(result).error, Error::cancelled);
}

TEST(Resources, ConnectionsOverTheBudgetAreRefused) {
  RawServer server([](Peer& peer) { peer.wait_closed(); });
  Net net;
  net.network.max_connections = 2;
  const auto first = net.start(Net::request(server.url()));
  const auto second = net.start(Net::request(server.url()));
  const auto third = net.start(Net::request(server.url()));
  EXPECT_EQ(net.finish(third).error, Error::resources);
  EXPECT_EQ(net.budget->taken(), 2U);
  net.client().cancel();
  EXPECT_EQ(net.finish(first).error, Error::cancelled);
  EXPECT_EQ(net.finish(second).error, Error::cancelled);
}

TEST(Resources, IdleConnectionsMakeRoom) {
  RawServer a(always(answer("a")));
  RawServer b(always(answer("b")));
  Net net;
  net.network.max_connections = 1;
  EXPECT_EQ(net.get(a.url()).body, "a");
  EXPECT_EQ(net.get(b.url()).body, "b");
  EXPECT_FALSE(net.get(a.url()).reused);
  EXPECT_EQ(net.budget->taken(), 1U);
}

TEST(Deadline, ABodyThatDripsIsSlowThoughItNeverStalls) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    peer.drip(std::string(100'000, 'x'), 5ms);
  });
  Net net;
  net.network.min_rate = 1'000;
  net.network.min_rate_over = 300ms;
  Outcome outcome;
  const auto took = taken([&] { outcome = net.get(server.url()); });
  EXPECT_EQ(outcome.error, Error::slow);
  EXPECT_EQ(outcome.detail, "the body came too slowly");
  EXPECT_EQ(outcome.status, 200);
  EXPECT_LT(took, 4s) << "long before the total deadline";
  EXPECT_EQ(net.budget->taken(), 0U);
  Net patient;
  patient.network.min_rate = 0;
  patient.network.min_rate_over = 300ms;
  patient.network.timeouts.total = 1s;
  EXPECT_EQ(patient.get(server.url()).error, Error::timeout) << "0 asks for nothing";
}

TEST(Deadline, EverySpanHasToBringTheLeastThroughput) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + std::string(50'000, 'x'));
    peer.wait_closed();
  });
  Net net;
  net.network.min_rate = 1'000;
  net.network.min_rate_over = 200ms;
  EXPECT_EQ(net.get(server.url()).error, Error::slow) << "what came early does not count for what comes late";
}

TEST(Deadline, ABodyAboveTheLeastThroughputMayTakeManySpans) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n");
    peer.drip(std::string(300, 'x'), 2ms);
  });
  Net net;
  net.network.min_rate = 20;
  net.network.min_rate_over = 100ms;
  const Outcome outcome = net.get(server.url());
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.body.size(), 300U);
}

TEST(Resources, OtherThreadsAreAskedForTheirIdleConnections) {
  RawServer a(always(answer("a")));
  RawServer b(always(answer("b")));
  Net holder;
  holder.budget = std::make_shared<ConnectionBudget>(1);
  Net other;
  other.budget = holder.budget;
  EXPECT_EQ(holder.get(a.url()).body, "a");
  EXPECT_EQ(other.get(b.url()).error, Error::resources);
  EXPECT_EQ(holder.budget->taken(), 1U);
  holder.run_for(0ms);
  EXPECT_EQ(holder.budget->taken(), 0U);
  EXPECT_EQ(other.get(b.url()).body, "b");
  other.drop_client();
  EXPECT_EQ(holder.get(a.url()).body, "a") << "nobody asks a client that is gone";
}

TEST(Resources, NoDescriptorsIsAnAnswer) {
  RawServer server(always(answer("x")));
  Net net;
  net.client();
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit none = before;
  none.rlim_cur = 0;
  const auto result = net.start(Net::request(server.url()));
  ::setrlimit(RLIMIT_NOFILE, &none);
  const Outcome outcome = net.finish(result);
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(outcome.error, Error::resources) << outcome.detail;
  EXPECT_EQ(net.budget->taken(), 0U);
  EXPECT_EQ(net.get(server.url()).body, "x");
}

TEST(Resources, NoMemoryKillsOneExchangeOnly) {
  RawServer server(always(answer("x")));
  Net net;
  Request unlucky = Net::request(server.url());
  unlucky.on_sent = [] { throw std::bad_alloc(); };
  const auto first = net.start(std::move(unlucky));
  const auto second = net.start(Net::request(server.url()));
  const Outcome outcome = net.finish(first);
  EXPECT_EQ(outcome.error, Error::resources);
  EXPECT_EQ(outcome.peer.text(), "127.0.0.1");
  EXPECT_EQ(net.finish(second).body, "x");
}

}  // namespace
}  // namespace fetch
