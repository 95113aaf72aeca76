#include "fetch/response.h"

#include "tests/support/encode.h"

#include <gtest/gtest.h>

namespace fetch {
namespace {

constexpr std::uint64_t kHeadMax = 64 * 1024;
constexpr std::size_t kBodyMax = 1024 * 1024;

enum class Ending { none, orderly, broken };

struct Seen {
  Error error = Error::none;
  std::string detail;
  int status = 0;
  std::string body;
  bool cut = false;
  bool reusable = false;
  Headers headers;
  Response::State state = Response::State::head;
};

Seen read(std::string_view octets, std::size_t slice, Ending ending, std::uint64_t head_max,
          std::size_t body_max) {
  Response response(head_max, body_max);
  for (std::size_t at = 0; at < octets.size(); at += slice) response.feed(octets.substr(at, slice));
  if (ending != Ending::none) response.end(ending == Ending::orderly);
  Seen seen;
  seen.state = response.state();
  seen.error = response.failure().error;
  seen.detail = response.failure().detail;
  seen.status = response.status();
  seen.cut = response.cut();
  seen.reusable = response.reusable();
  if (seen.state == Response::State::done) seen.body = response.take_body();
  seen.headers = std::move(response.headers());
  return seen;
}

/// Reads in one piece and in single octets, and expects the same from both.
Seen read(std::string_view octets, Ending ending = Ending::none, std::uint64_t head_max = kHeadMax,
          std::size_t body_max = kBodyMax) {
  Seen whole = read(octets, std::max<std::size_t>(octets.size(), 1), ending, head_max, body_max);
  const Seen single = read(octets, 1, ending, head_max, body_max);
  EXPECT_EQ(whole.state, single.state);
  EXPECT_EQ(whole.error, single.error);
  EXPECT_EQ(whole.detail, single.detail);
  EXPECT_EQ(whole.status, single.status);
  EXPECT_EQ(whole.body, single.body);
  EXPECT_EQ(whole.cut, single.cut);
  EXPECT_EQ(whole.reusable, single.reusable);
  return whole;
}

bool done(const Seen& seen) {
  return seen.state == Response::State::done;
}

std::string ok(std::string_view fields, std::string_view body) {
  return "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n" + std::string(body);
}
std::string chunked(std::string_view body) {
  return ok("Transfer-Encoding: chunked\r\n", body);
}

TEST(Response, ReadsABodyByItsLength) {
  const Seen seen = read(ok("Content-Length: 5\r\nX-A: 1\r\nx-a: 2\r\n", "hello"));
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.status, 200);
  EXPECT_EQ(seen.body, "hello");
  EXPECT_TRUE(seen.reusable);
  EXPECT_EQ(seen.headers.get("CONTENT-length"), "5");
  EXPECT_EQ(seen.headers.joined("X-a"), "1, 2");
  EXPECT_FALSE(seen.headers.has("x-b"));
}

TEST(Response, IsNotDoneBeforeItsEnd) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n").state, Response::State::head);
  EXPECT_EQ(read(ok("Content-Length: 5\r\n", "hell")).state, Response::State::body);
  EXPECT_EQ(read(chunked("5\r\nhello\r\n0\r\n")).state, Response::State::body);
  EXPECT_EQ(read(ok("", "hello")).state, Response::State::body);
}

TEST(Response, Rfc9112_6_3_StatusesWithoutBodyHaveNone) {
  for (const std::string_view status : {"204 No Content", "304 Not Modified"}) {
    const Seen seen = read("HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 5\r\n\r\n");
    EXPECT_TRUE(done(seen)) << status;
    EXPECT_TRUE(seen.reusable) << status;
    EXPECT_EQ(seen.body, "");
  }
  const Seen coded =
      read("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\nContent-Encoding: odd\r\n\r\n");
  EXPECT_TRUE(done(coded));
  EXPECT_TRUE(coded.reusable);
  EXPECT_TRUE(done(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")));
}

TEST(Response, Rfc9112_7_1_ReadsChunks) {
  const Seen seen = read(chunked("5\r\nhello\r\n1;a=\"b;c\"\r\n,\r\n00006 \t\r\n world\r\n0\r\n\r\n"));
  EXPECT_TRUE(done(seen)) << seen.detail;
  EXPECT_EQ(seen.body, "hello, world");
  EXPECT_TRUE(seen.reusable);
}

TEST(Response, TrailersAreSkipped) {
  const Seen seen = read(chunked("1\r\nx\r\n0\r\nX-Sum: 1\r\nX-B: \r\n\r\n"));
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.body, "x");
  EXPECT_TRUE(seen.reusable);
  EXPECT_FALSE(seen.headers.has("X-Sum"));
}

TEST(Response, MalformedChunksFail) {
  for (const std::string_view body :
       {"\r\nx", "x\r\n", "-1\r\nx", "0x5\r\nhello\r\n", " 5\r\nhello\r\n", "5 5\r\nhello", "5\rhello",
        "5\r\nhelloo\r\n", "5\r\nhello\rx", "5,\r\nhello", "0\r\n\rx", "5;a\rb\nhello", "g\r\n"}) {
    EXPECT_EQ(read(chunked(body)).error, Error::protocol) << body;
  }
}

TEST(Response, ChunkSizesHaveAnEdge) {
  const std::string size(kChunkSizeMax - 1, '0');
  EXPECT_TRUE(done(read(chunked(size + "1\r\nx\r\n0\r\n\r\n"))));
  EXPECT_EQ(read(chunked(size + "01\r\nx\r\n0\r\n\r\n")).error, Error::protocol);
  EXPECT_TRUE(done(read(chunked("1" + std::string(kChunkSizeMax - 1, ' ') + "\r\nx\r\n0\r\n\r\n"))));
  EXPECT_EQ(read(chunked("1" + std::string(kChunkSizeMax, ' ') + "\r\nx\r\n0\r\n\r\n")).error,
            Error::protocol);
  EXPECT_EQ(read(chunked("ffffffffffffffff\r\nx"), Ending::orderly).error, Error::truncated);
}

TEST(Response, ChunkExtensionsHaveAnEdge) {
  const std::string extension(kChunkExtensionMax, 'e');
  EXPECT_TRUE(done(read(chunked("1;" + extension + "\r\nx\r\n0;" + extension + "\r\n\r\n"))));
  EXPECT_EQ(read(chunked("1;" + extension + "e\r\nx\r\n0\r\n\r\n")).error, Error::protocol);
  EXPECT_EQ(read(chunked("1;" + std::string(100'000, 'e'))).error, Error::protocol);
}

TEST(Response, TinyChunksEndBeforeTheyCostTooMuch) {
  std::string body;
  while (body.size() < kWireFree + 20'000) body += "1;" + std::string(200, 'e') + "\r\nx\r\n";
  const Seen seen = read(chunked(body), Ending::none, kHeadMax, 1000);
  EXPECT_TRUE(seen.error == Error::none && seen.cut) << "the body is over its limit first";
  EXPECT_EQ(read(chunked(body), 4096, Ending::none, kHeadMax, 100'000).error, Error::none);
  EXPECT_EQ(read(chunked(body), 4096, Ending::none, kHeadMax, 6000).error, Error::protocol);
}

TEST(Response, Rfc9112_6_3_WithoutFramingABodyEndsWithTheConnection) {
  const Seen seen = read(ok("", "hello"), Ending::orderly);
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.body, "hello");
  EXPECT_FALSE(seen.reusable);
  EXPECT_EQ(read(ok("", "hello"), Ending::broken).error, Error::truncated);
  EXPECT_TRUE(done(read(ok("", ""), Ending::orderly)));
}

TEST(Response, Rfc9112_8_AnEarlyEndIsTruncation) {
  EXPECT_EQ(read(ok("Content-Length: 5\r\n", "hell"), Ending::orderly).error, Error::truncated);
  EXPECT_EQ(read(ok("Content-Length: 5\r\n", ""), Ending::orderly).error, Error::truncated);
  for (const std::string_view body : {"", "5", "5\r\n", "5\r\nhel", "5\r\nhello", "5\r\nhello\r\n",
                                      "5\r\nhello\r\n0\r\n", "5\r\nhello\r\n0\r\nX: y\r\n"}) {
    EXPECT_EQ(read(chunked(body), Ending::orderly).error, Error::truncated) << body;
  }
  EXPECT_EQ(read("HTTP/1.1 200", Ending::orderly).error, Error::truncated);
  EXPECT_EQ(read("", Ending::orderly).error, Error::reset);
  const Seen complete = read(ok("Content-Length: 5\r\n", "hello"), Ending::broken);
  EXPECT_TRUE(done(complete)) << "what the framing says is complete needs no orderly end";
}

TEST(Response, Rfc9112_6_3_ContentLengthsMustAgree) {
  EXPECT_TRUE(done(read(ok("Content-Length: 2\r\nContent-Length: 2\r\n", "ab"))));
  EXPECT_TRUE(done(read(ok("Content-Length: 2, 2\r\n", "ab"))));
  for (const std::string_view fields :
       {"Content-Length: 2\r\nContent-Length: 3\r\n", "Content-Length: 2, 3\r\n", "Content-Length: -1\r\n",
        "Content-Length: +2\r\n", "Content-Length: 0x2\r\n", "Content-Length: 2 2\r\n", "Content-Length:\r\n",
        "Content-Length: 18446744073709551616\r\n", "Content-Length: 2.0\r\n", "Content-Length: 2,\r\n"}) {
    EXPECT_EQ(read(ok(fields, "ab")).error, Error::protocol) << fields;
  }
}

TEST(Response, Rfc9112_6_3_TransferEncodingBeatsContentLengthAndEndsTheConnection) {
  for (const std::string_view fields :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n"}) {
    const Seen seen = read(ok(fields, "2\r\nab\r\n0\r\n\r\n"));
    EXPECT_TRUE(done(seen)) << fields;
    EXPECT_EQ(seen.body, "ab");
    EXPECT_FALSE(seen.reusable);
  }
}

TEST(Response, OtherTransferCodingsAreRefused) {
  for (const std::string_view coding :
       {"gzip, chunked", "gzip", "chunked, gzip", "chunked, chunked", "xchunked"}) {
    const Seen seen = read(ok("Transfer-Encoding: " + std::string(coding) + "\r\n", "2\r\nab\r\n0\r\n\r\n"));
    EXPECT_EQ(seen.error, Error::protocol) << coding;
  }
  EXPECT_EQ(read(ok("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")).error,
            Error::protocol);
  const Seen identity = read(ok("Transfer-Encoding: identity\r\nContent-Length: 2\r\n", "ab"));
  EXPECT_TRUE(done(identity));
  EXPECT_EQ(identity.body, "ab");
  EXPECT_FALSE(identity.reusable);
  EXPECT_TRUE(done(read(ok("Transfer-Encoding: Chunked\r\n", "0\r\n\r\n"))));
}

TEST(Response, KeepsAConnectionOnlyWhenBothSidesDo) {
  EXPECT_FALSE(read(ok("Content-Length: 0\r\nConnection: close\r\n", "")).reusable);
  EXPECT_FALSE(read(ok("Content-Length: 0\r\nConnection: foo, Close\r\n", "")).reusable);
  EXPECT_FALSE(read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").reusable);
  EXPECT_TRUE(read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n").reusable);
  EXPECT_TRUE(read(ok("Content-Length: 0\r\n", "")).reusable);
  EXPECT_TRUE(
      read(ok("Content-Length: 0\r\nUpgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive\r\n", "")).reusable);
}

TEST(Response, OctetsAfterTheEndCostTheConnection) {
  const Seen seen = read(ok("Content-Length: 2\r\n", "abHTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.body, "ab");
  EXPECT_FALSE(seen.reusable);
  EXPECT_FALSE(read("HTTP/1.1 304 Not Modified\r\n\r\nx").reusable);
  EXPECT_FALSE(read(chunked("0\r\n\r\n\n")).reusable);
}

TEST(Response, Rfc9112_2_2_LinesMayEndWithLineFeedAlone) {
  const Seen seen = read("HTTP/1.1 200 OK\nContent-Length: 2\nX: y\n\nab");
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.body, "ab");
  EXPECT_EQ(seen.headers.get("X"), "y");
  EXPECT_FALSE(seen.reusable);
  const Seen chunks = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\n\n1\nx\n2;e\nyz\n0\nT: 1\n\n");
  EXPECT_TRUE(done(chunks));
  EXPECT_EQ(chunks.body, "xyz");
  EXPECT_FALSE(chunks.reusable);
}

TEST(Response, TheReasonMayBeMissing) {
  for (const std::string_view line : {"HTTP/1.1 404", "HTTP/1.1 404 ", "HTTP/1.0 404"}) {
    const Seen seen = read(std::string(line) + "\r\nContent-Length: 1\r\n\r\nx");
    EXPECT_TRUE(done(seen)) << line;
    EXPECT_EQ(seen.status, 404) << line;
    EXPECT_EQ(seen.body, "x");
  }
}

TEST(Response, WhatIsNotHttpFails) {
  for (const std::string_view head :
       {"\r\nHTTP/1.1 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n",
        "http/1.1 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding\r\n\r\n", "\n", "<html>\n\n"}) {
    const Seen seen = read(head);
    EXPECT_EQ(seen.error, Error::protocol) << head;
    EXPECT_FALSE(seen.reusable);
  }
  EXPECT_EQ(read(std::string_view("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", 28)).error, Error::protocol);
}

TEST(Response, OddButLegalHeadsAreRead) {
  EXPECT_EQ(read("HTTP/1.1 999 Request denied\r\nContent-Length: 0\r\n\r\n").status, 999);
  EXPECT_EQ(read(ok("A: b\r\n c\r\nContent-Length: 0\r\n", "")).headers.get("a"), "b c");
  EXPECT_EQ(read(ok("A: caf\xc3\xa9\r\nContent-Length: 0\r\n", "")).headers.get("a"), "caf\xc3\xa9");
  EXPECT_EQ(read(ok("A:\r\nContent-Length: 0\r\n", "")).headers.get("a"), "");
}

TEST(Response, InterimResponsesAreSkipped) {
  std::string interim;
  for (int i = 0; i < kInterimMax; ++i) interim += "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const Seen seen = read(interim + ok("Content-Length: 1\r\n", "x"));
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.status, 200);
  EXPECT_FALSE(seen.headers.has("Link"));
  EXPECT_TRUE(seen.reusable);
  EXPECT_EQ(read(interim + "HTTP/1.1 100 Continue\r\n\r\n").error, Error::protocol);
  EXPECT_EQ(read("HTTP/1.1 101 Switching Protocols\r\n\r\n").error, Error::protocol);
}

TEST(Response, HeadsHaveAnEdge) {
  const std::string head = ok("Content-Length: 1\r\n", "");
  EXPECT_TRUE(done(read(head + "x", Ending::none, head.size())));
  const Seen over = read(head + "x", Ending::none, head.size() - 1);
  EXPECT_EQ(over.error, Error::head_limit);
  EXPECT_EQ(over.status, 0);
  const std::string interim = "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_TRUE(done(read(interim + head + "x", Ending::none, interim.size() + head.size())));
  EXPECT_EQ(read(interim + head + "x", Ending::none, interim.size() + head.size() - 1).error,
            Error::head_limit);
  EXPECT_EQ(read(std::string(1000, 'H'), Ending::none, 999).error, Error::head_limit)
      << "without any line end";
}

TEST(Response, TrailersCountAgainstTheHead) {
  const std::string head = chunked("");
  const std::string trailer = "X: y\r\n\r\n";
  EXPECT_TRUE(done(read(head + "0\r\n" + trailer, Ending::none, head.size() + trailer.size())));
  EXPECT_EQ(read(head + "0\r\n" + trailer, Ending::none, head.size() + trailer.size() - 1).error,
            Error::head_limit);
}

TEST(Response, FieldsHaveAnEdge) {
  std::string fields = "Content-Length: 0\r\n";
  for (std::size_t i = 1; i < kFieldsMax; ++i) fields += "A: b\r\n";
  EXPECT_TRUE(done(read(ok(fields, ""))));
  EXPECT_EQ(read(ok(fields + "A: b\r\n", "")).error, Error::head_limit);
}

TEST(Response, BodiesHaveAnEdge) {
  const std::string text(100, 'x');
  for (const std::string& octets :
       {ok("Content-Length: 100\r\n", text), chunked("64\r\n" + text + "\r\n0\r\n\r\n")}) {
    const Seen whole = read(octets, Ending::none, kHeadMax, 100);
    EXPECT_TRUE(done(whole) && !whole.cut && whole.reusable);
    EXPECT_EQ(whole.body, text);
    const Seen cut = read(octets, Ending::none, kHeadMax, 99);
    EXPECT_TRUE(done(cut) && cut.cut && !cut.reusable);
    EXPECT_EQ(cut.body, text.substr(1));
  }
  const Seen unwanted = read(ok("Content-Length: 100\r\n", text), Ending::none, kHeadMax, 0);
  EXPECT_TRUE(done(unwanted) && unwanted.cut);
  EXPECT_EQ(unwanted.body, "");
}

TEST(Response, LengthsArePromisesAndTakeNoMemory) {
  EXPECT_EQ(read(ok("Content-Length: 18446744073709551615\r\n", "x")).state, Response::State::body);
}

TEST(Response, DecodesTheBody) {
  const std::string text(3000, 'y');
  const std::string coded = support::gzip(text);
  const std::string fields =
      "Content-Encoding: gzip\r\nContent-Length: " + std::to_string(coded.size()) + "\r\n";
  const Seen seen = read(ok(fields, coded));
  EXPECT_TRUE(done(seen));
  EXPECT_EQ(seen.body, text);
  EXPECT_TRUE(seen.reusable);
  const Seen cut = read(ok(fields, coded), Ending::none, kHeadMax, 2999);
  EXPECT_TRUE(done(cut) && cut.cut);
  EXPECT_EQ(cut.body.size(), 2999U);
  EXPECT_FALSE(cut.reusable);
}

TEST(Response, DecodeFailuresKeepTheHead) {
  const Seen corrupt = read(ok("Content-Encoding: br\r\nContent-Length: 5\r\n", "hello"));
  EXPECT_EQ(corrupt.error, Error::decode);
  EXPECT_EQ(corrupt.status, 200);
  const Seen unknown = read(ok("Content-Encoding: compress\r\nContent-Length: 5\r\n", ""));
  EXPECT_EQ(unknown.error, Error::decode);
  const Seen short_of =
      read(ok("Content-Encoding: gzip\r\nContent-Length: 9\r\n", support::gzip("x").substr(0, 9)));
  EXPECT_EQ(short_of.error, Error::decode);
  const Seen empty = read("HTTP/1.1 301 Moved\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(done(empty)) << "redirects claim codings for bodies that they do not have";
}

}  // namespace
}  // namespace fetch
