#include "tests/fetch/net.h"
#include "tests/support/encode.h"
#include "tests/support/raw_server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <future>
#include <thread>

namespace fetch {
namespace {

using support::answer;
using support::Peer;
using support::RawServer;

/// Answers every request of a connection with `octets`.
RawServer::Script always(std::string octets) {
  return [octets = std::move(octets)](Peer& peer) {
    while (!peer.request().empty()) peer.send(octets);
  };
}

/// Answers one request with `octets` and closes.
RawServer::Script once(std::string octets) {
  return [octets = std::move(octets)](Peer& peer) {
    peer.request();
    peer.send(octets);
  };
}

TEST(Exchange, GetsAPage) {
  std::promise<std::string> seen;
  RawServer server([&seen](Peer& peer) {
    seen.set_value(peer.request());
    peer.send(answer("hello", "Content-Type: text/plain\r\n"));
    peer.wait_closed();
  });
  Net net;
  int sent = 0;
  Request request = Net::request(server.url("/page?q=1"));
  request.on_sent = [&sent] { ++sent; };
  const Outcome outcome = net.fetch(std::move(request));
  EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
  EXPECT_EQ(outcome.status, 200);
  EXPECT_EQ(outcome.body, "hello");
  EXPECT_EQ(outcome.headers.get("content-type"), "text/plain");
  EXPECT_FALSE(outcome.cut);
  EXPECT_FALSE(outcome.reused);
  EXPECT_EQ(outcome.wire_octets, answer("hello", "Content-Type: text/plain\r\n").size());
  EXPECT_EQ(outcome.peer.text(), "127.0.0.1");
  EXPECT_EQ(sent, 1);
  const std::string text = seen.get_future().get();
  EXPECT_TRUE(
      text.starts_with("GET /page?q=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"))
      << text;
  EXPECT_NE(text.find("User-Agent: crawld-test/1\r\n"), std::string::npos);
}

TEST(Exchange, DecodesWhatTheServerCodes) {
  const std::string text(50'000, 'z');
  const std::string coded = support::brotli(text);
  RawServer server(always(answer(coded, "Content-Encoding: br\r\n")));
  Net net;
  const Outcome outcome = net.get(server.url());
  EXPECT_EQ(outcome.body, text);
  EXPECT_LT(outcome.wire_octets, 1000U);
}

TEST(Exchange, KeepsAConnectionForTheSameOriginAndAddress) {
  RawServer server(always(answer("x")));
  Net net;
  EXPECT_FALSE(net.get(server.url()).reused);
  EXPECT_TRUE(net.get(server.url("/2")).reused);
  EXPECT_TRUE(net.get(server.url("/3")).reused);
  EXPECT_EQ(server.accepted(), 1);
  EXPECT_EQ(net.budget->taken(), 1U);
}

TEST(Exchange, NeverGivesAConnectionToAnotherOriginOrAddress) {
  RawServer server(always(answer("x")), nullptr, "0.0.0.0");
  Net net;
  EXPECT_FALSE(net.get(server.url()).reused);
  EXPECT_FALSE(net.get(server.url("/", "localhost")).reused) << "another origin at the same address";
  Request elsewhere = Net::request(server.url(), "127.0.0.2");
  EXPECT_FALSE(net.fetch(std::move(elsewhere)).reused) << "the same origin at another address";
  EXPECT_EQ(server.accepted(), 3);
  EXPECT_TRUE(net.get(server.url()).reused);
}

TEST(Exchange, ConnectionsThatMustNotBeKeptAreClosed) {
  for (const std::string& octets : {answer("x", "Connection: close\r\n"), answer("x") + "surplus",
                                    std::string("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"),
                                    std::string("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"),
                                    std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: "
                                                "chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")}) {
    RawServer server(always(octets));
    Net net;
    for (int i = 0; i < 2; ++i) {
      const Outcome outcome = net.get(server.url());
      EXPECT_EQ(outcome.body, "x") << octets;
      EXPECT_FALSE(outcome.reused) << octets;
    }
    EXPECT_EQ(server.accepted(), 2);
    EXPECT_EQ(net.budget->taken(), 0U);
  }
}

TEST(Exchange, AKeptConnectionThatDiesUnansweredIsStaleAndNothingIsSentTwice) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send(answer("x"));
    peer.request();  // and goes, as a server does whose patience ended at the same moment
  });
  Net net;
  net.get(server.url());
  int sent = 0;
  Request request = Net::request(server.url("/2"));
  request.on_sent = [&sent] { ++sent; };
  const Outcome outcome = net.fetch(std::move(request));
  EXPECT_EQ(outcome.error, Error::stale)
      << "the server may have seen it: when it may come again is not decided here";
  EXPECT_TRUE(outcome.reused);
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(server.accepted(), 1);
  EXPECT_EQ(net.get(server.url("/2")).body, "x") << "the next one is on a fresh connection";
  EXPECT_EQ(server.accepted(), 2);
}

TEST(Exchange, OneOctetOfAnAnswerIsNotStale) {
  for (const bool reset : {false, true}) {
    RawServer server([reset](Peer& peer) {
      peer.request();
      peer.send(answer("x"));
      peer.request();
      peer.drip("H", 150ms);  // time to read it: a reset throws away what is unread
      if (reset) peer.reset();
    });
    Net net;
    net.get(server.url());
    const Outcome outcome = net.get(server.url());
    EXPECT_EQ(outcome.error, reset ? Error::reset : Error::truncated);
    EXPECT_TRUE(outcome.reused);
    EXPECT_EQ(server.accepted(), 1);
  }
}

TEST(Exchange, AFreshConnectionIsNeverStale) {
  RawServer server([](Peer& peer) { peer.request(); });
  Net net;
  EXPECT_EQ(net.get(server.url()).error, Error::reset);
  EXPECT_EQ(server.accepted(), 1);
}

TEST(Exchange, AConnectionThatItsServerClosesIsForgotten) {
  std::promise<void> closed;
  RawServer server([&closed, n = std::make_shared<int>(0)](Peer& peer) {
    peer.request();
    peer.send(answer("x"));
    if ((*n)++ > 0) return;
    peer.close();
    closed.set_value();
  });
  Net net;
  net.get(server.url());
  closed.get_future().wait();
  int sent = 0;
  Request request = Net::request(server.url());
  request.on_sent = [&sent] { ++sent; };
  const Outcome outcome = net.fetch(std::move(request));
  EXPECT_EQ(outcome.error, Error::none);
  EXPECT_EQ(sent, 1) << "the dead connection was not even tried";
  EXPECT_EQ(server.accepted(), 2);
}

TEST(Exchange, InterimAndBodilessAnswersKeepTheConnectionInStep) {
  RawServer server([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + answer("one"));
    peer.request();
    peer.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 3\r\n\r\n");
    peer.request();
    peer.send("HTTP/1.1 204 No Content\r\n\r\n");
    peer.request();
    peer.send(answer("two"));
    peer.wait_closed();
  });
  Net net;
  EXPECT_EQ(net.get(server.url()).body, "one");
  EXPECT_EQ(net.get(server.url()).status, 304);
  EXPECT_EQ(net.get(server.url()).status, 204);
  EXPECT_EQ(net.get(server.url()).body, "two");
  EXPECT_EQ(server.accepted(), 1);
}

TEST(Exchange, CutsABodyAndClosesTheConnection) {
  std::promise<void> gone;
  RawServer server([&gone](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + std::string(70'000, 'x'));
    peer.wait_closed();
    gone.set_value();
  });
  Net net;
  const Outcome outcome = net.get(server.url(), 65'536);
  EXPECT_EQ(outcome.error, Error::none);
  EXPECT_TRUE(outcome.cut);
  EXPECT_EQ(outcome.body, std::string(65'536, 'x'));
  EXPECT_EQ(gone.get_future().wait_for(4s), std::future_status::ready);
  EXPECT_EQ(net.budget->taken(), 0U);
}

TEST(Exchange, HeadsOverTheLimitEnd) {
  RawServer server(once("HTTP/1.1 200 OK\r\nX: " + std::string(5000, 'x') + "\r\nContent-Length: 0\r\n\r\n"));
  Net net;
  net.network.max_head_size = 4096;
  const Outcome outcome = net.get(server.url());
  EXPECT_EQ(outcome.error, Error::head_limit);
  EXPECT_EQ(outcome.status, 0);
  Net wide;
  wide.network.max_head_size = 8192;
  EXPECT_EQ(wide.get(server.url()).error, Error::none);
}

TEST(Exchange, EndlessHeadsEndAtTheLimit) {
  RawServer server([](Peer& peer) {
    peer.request();
    for (int i = 0; i < 100'000; ++i)
      peer.send("HTTP/1.1 100 Continue\r\nX: " + std::string(1000, 'x') + "\r\n\r\n");
  });
  Net net;
  net.network.max_head_size = 8000;
  EXPECT_EQ(net.get(server.url()).error, Error::head_limit);
}

TEST(Exchange, EarlyEndsAreTold) {
  const struct {
    std::string octets;
    Error error;
    std::string body = {};
  } kRows[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", Error::truncated, "half"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", Error::truncated, "half"},
      {"HTTP/1.1 200 OK\r\nTransf", Error::truncated},
      {"", Error::reset},
      {"HTTP/1.1 200 OK\r\n\r\nall", Error::none, "all"},
      {"SSH-2.0-OpenSSH_9.2\r\n\r\n", Error::protocol},
      {"HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\n\r\n", Error::decode},
      {answer(support::gzip("x").substr(0, 12), "Content-Encoding: gzip\r\n"), Error::decode},
  };
  for (const auto& row : kRows) {
    RawServer server(once(row.octets));
    Net net;
    const Outcome outcome = net.get(server.url());
    EXPECT_EQ(outcome.error, row.error) << row.octets;
    EXPECT_EQ(outcome.body, row.body);
    EXPECT_EQ(net.budget->taken(), 0U);
  }
}

TEST(Exchange, ResetsAreTold) {
  RawServer early([](Peer& peer) {
    peer.request();
    peer.reset();
  });
  RawServer late([](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\n\r\nsome");
    peer.reset();
  });
  Net net;
  EXPECT_EQ(net.get(early.url()).error, Error::reset);
  const Outcome outcome = net.get(late.url());
  EXPECT_TRUE(outcome.error == Error::reset || outcome.error == Error::truncated) << to_string(outcome.error);
}

TEST(Exchange, RefusalsAreTold) {
  std::uint16_t port = 0;
  {
    RawServer gone(once(""));
    port = gone.port();
  }
  Net net;
  const Outcome outcome = net.get("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(outcome.error, Error::refused) << outcome.detail;
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(net.budget->taken(), 0U);
}

TEST(Exchange, BlockedAddressesAreNotConnectedTo) {
  RawServer server(always(answer("x")));
  Net net;
  net.network.allow_addresses.clear();
  const Outcome outcome = net.get(server.url());
  EXPECT_EQ(outcome.error, Error::blocked_address);
  EXPECT_EQ(outcome.detail, "127.0.0.1 is loopback");
  EXPECT_EQ(server.accepted(), 0);
  Net open;
  EXPECT_EQ(open.get(server.url()).error, Error::none);
  for (const std::string_view address :
       {"10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "0.0.0.0"}) {
    EXPECT_EQ(open.fetch(Net::request(server.url(), address)).error, Error::blocked_address) << address;
  }
}

TEST(Exchange, BlockedPortsAreNotConnectedTo) {
  Net net;
  for (const unsigned port : {22U, 25U, 6379U, 11211U}) {
    const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/";
    EXPECT_EQ(net.resolve(url).error, Error::blocked_port) << port;
    EXPECT_EQ(net.get(url).error, Error::blocked_port) << port;
  }
}

TEST(Exchange, ConcurrentExchangesDoNotDisturbEachOther) {
  RawServer server([](Peer& peer) {
    for (std::string text = peer.request(); !text.empty(); text = peer.request()) {
      peer.send(answer(text.substr(4, text.find(' ', 4) - 4)));
    }
  });
  Net net;
  std::vector<std::shared_ptr<std::optional<Outcome>>> results;
  for (int i = 0; i < 50; ++i)
    results.push_back(net.start(Net::request(server.url("/" + std::to_string(i)))));
  for (int i = 0; i < 50; ++i) {
    const Outcome outcome = net.finish(results[static_cast<std::size_t>(i)]);
    EXPECT_EQ(outcome.body, "/" + std::to_string(i)) << outcome.detail;
  }
  EXPECT_EQ(server.accepted(), 50);
  net.run_for(0ms);
  EXPECT_LE(net.budget->taken(), 2U) << "of one origin and address two connections wait";
}

}  // namespace
}  // namespace fetch
