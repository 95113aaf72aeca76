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
  seen.body = response.take_body();
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
  EXPECT_TRUE(whole.body == single.body);
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

TEST(Response, LinesOfChunksMayEndWithLineFeedAlone) {
  const Seen chunks = read(chunked("1\nx\n2;e\nyz\n0\nT: 1\n\n"));
  EXPECT_TRUE(done(chunks));
  EXPECT_EQ(chunks.body, "xyz");
  EXPECT_FALSE(chunks.reusable);
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
  EXPECT_EQ(read("HTTP/1.1 " + std::string(991, '2'), Ending::none, 999).error, Error::head_limit)
      << "without any line end";
}

TEST(Response, TrailersCountAgainstTheHead) {
  const std::string head = chunked("");
  const std::string trailer = "X: y\r\n\r\n";
  EXPECT_TRUE(done(read(head + "0\r\n" + trailer, Ending::none, head.size() + trailer.size())));
  EXPECT_EQ(read(head + "0\r\n" + trailer, Ending::none, head.size() + trailer.size() - 1).error,
            Error::head_limit);
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

/// Compresses about as well as a page does.
std::string page(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += "<p>" + std::to_string(i * 2654435761U) + "</p>\n";
  text.resize(size);
  return text;
}

std::string coded_as(std::string_view coding, std::string_view text) {
  if (coding == "gzip") return support::gzip(text);
  if (coding == "deflate") return support::zlib_coded(text, 15);
  if (coding == "br") return support::brotli(text);
  if (coding == "zstd") return support::zstd(text);
  if (coding == "gzip, br") return support::brotli(support::gzip(text));
  return std::string(text);
}

std::string head_of(std::string_view coding, std::size_t octets) {
  return ok(
      "Content-Encoding: " + std::string(coding) + "\r\nContent-Length: " + std::to_string(octets) + "\r\n",
      "");
}

TEST(Response, WhatCameBeforeTruncationIsKept) {
  for (const Ending ending : {Ending::orderly, Ending::broken}) {
    const Seen counted = read(ok("Content-Length: 5\r\n", "hell"), ending);
    EXPECT_EQ(counted.error, Error::truncated);
    EXPECT_EQ(counted.status, 200);
    EXPECT_EQ(counted.body, "hell");
    EXPECT_FALSE(counted.reusable);
    const Seen chunks = read(chunked("5\r\nhello\r\n7\r\n, wor"), ending);
    EXPECT_EQ(chunks.error, Error::truncated);
    EXPECT_EQ(chunks.body, "hello, wor");
    EXPECT_EQ(read(chunked("5\r\nhello\r\n0\r\n"), ending).body, "hello") << "the trailer is missing";
    EXPECT_EQ(read(ok("Content-Length: 5\r\n", ""), ending).body, "");
  }
  const Seen until_close = read(ok("", "hell"), Ending::broken);
  EXPECT_EQ(until_close.error, Error::truncated);
  EXPECT_EQ(until_close.body, "hell");
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nX: y\r\n", Ending::orderly).body, "");
}

TEST(Response, TruncatedCodedBodiesAreDecodedAsFarAsTheyGo) {
  const std::string text = page(600'000);
  for (const std::string_view coding : {"gzip", "deflate", "br", "zstd", "gzip, br"}) {
    const std::string coded = coded_as(coding, text);
    const std::string head = head_of(coding, coded.size());
    for (const std::size_t missing : {std::size_t{1}, coded.size() / 2, coded.size() - 1, coded.size()}) {
      const Seen seen =
          read(head + coded.substr(0, coded.size() - missing), 4096, Ending::orderly, kHeadMax, kBodyMax);
      EXPECT_EQ(seen.error, Error::truncated) << coding << ' ' << missing << ' ' << seen.detail;
      EXPECT_TRUE(text.starts_with(seen.body)) << coding << ' ' << missing;
      EXPECT_FALSE(seen.reusable);
      EXPECT_GE(seen.body.size(), missing > coded.size() / 2 ? 0 : text.size() / 10) << coding;
    }
  }
}

TEST(Response, ATruncatedBodyThatIsTooLongIsCut) {
  const std::string text = page(50'000);
  const std::string coded = support::gzip(text);
  const std::string octets = head_of("gzip", coded.size()) + coded.substr(0, coded.size() - 1);
  const Seen at_the_edge = read(octets, Ending::orderly, kHeadMax, text.size());
  EXPECT_EQ(at_the_edge.error, Error::truncated);
  EXPECT_TRUE(at_the_edge.body == text);
  const Seen cut = read(octets, Ending::orderly, kHeadMax, text.size() - 1);
  EXPECT_TRUE(done(cut) && cut.cut && !cut.reusable);
  EXPECT_TRUE(cut.body == text.substr(0, text.size() - 1));
}

TEST(Response, WhatIsCorruptIsNotMerelyTruncated) {
  const std::string whole = support::gzip(page(50'000));
  std::string coded = whole + whole;
  coded[whole.size() + 10] = '\x07';  // a kind of block that deflate does not have
  const Seen seen = read(head_of("gzip", coded.size()) + coded.substr(0, coded.size() - 20), Ending::orderly);
  EXPECT_EQ(seen.error, Error::decode);
  EXPECT_EQ(seen.body, "");
}

TEST(Response, OtherFailuresLeaveNoBody) {
  const std::string text = page(300'000);
  const std::string coded = support::gzip(text);
  const Seen malformed = read(chunked("5\r\nhello\r\nx\r\n"));
  EXPECT_EQ(malformed.error, Error::protocol);
  EXPECT_EQ(malformed.body, "");
  const Seen trailer = read(chunked("5\r\nhello\r\n0\r\n" + std::string(100, 't')), Ending::none, 100);
  EXPECT_EQ(trailer.error, Error::head_limit);
  EXPECT_EQ(trailer.body, "");
  const Seen corrupt = read(ok("Content-Encoding: br\r\n", support::brotli(text) + "x"), 4096,
                            Ending::orderly, kHeadMax, kBodyMax);
  EXPECT_EQ(corrupt.error, Error::decode);
  EXPECT_EQ(corrupt.body, "");
  // The framing says that all is there: not truncated but wrong.
  const Seen incomplete = read(head_of("gzip", coded.size() - 1) + coded.substr(0, coded.size() - 1), 4096,
                               Ending::orderly, kHeadMax, kBodyMax);
  EXPECT_EQ(incomplete.error, Error::decode);
  EXPECT_EQ(incomplete.body, "");
}

TEST(Response, BombsHaveAWordOfTheirOwn) {
  const std::string zeros(kRatioFree + 1, '\0');
  for (const std::string_view coding : {"gzip", "deflate", "br", "zstd", "gzip, br"}) {
    const std::string coded = coded_as(coding, zeros);
    for (const std::size_t slice : {std::size_t{100}, coded.size() + 1000}) {
      const Seen bomb =
          read(head_of(coding, coded.size()) + coded, slice, Ending::none, kHeadMax, 2 * kRatioFree);
      EXPECT_EQ(bomb.error, Error::bomb) << coding << ' ' << bomb.detail;
      EXPECT_EQ(bomb.body, "");
      EXPECT_EQ(bomb.status, 200);
      const Seen truncated =
          read(head_of(coding, coded.size() + 1) + coded, slice, Ending::orderly, kHeadMax, 2 * kRatioFree);
      EXPECT_EQ(truncated.error, Error::bomb) << coding;
      EXPECT_EQ(truncated.body, "");
    }
    const std::string free = coded_as(coding, zeros.substr(1));
    const Seen allowed =
        read(head_of(coding, free.size()) + free, 100, Ending::none, kHeadMax, 2 * kRatioFree);
    EXPECT_TRUE(done(allowed)) << coding << ' ' << allowed.detail;
    EXPECT_EQ(allowed.body.size(), kRatioFree);
  }
}

TEST(Response, HoldsWhatItsBodyTakes) {
  Response response(kHeadMax, kBodyMax);
  EXPECT_EQ(response.held(), 0U);
  response.feed("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n");
  EXPECT_EQ(response.held(), 0U);
  response.feed("\r\n");
  EXPECT_GE(response.held(), kReservedMax) << "as the length promises";
  EXPECT_LT(response.held(), 2 * kReservedMax) << "but a promise does not take much";
  const std::string piece(100'000, 'x');
  for (std::size_t fed = piece.size(); fed <= 1'000'000; fed += piece.size()) {
    response.feed(piece);
    EXPECT_GE(response.held(), fed);
    EXPECT_LE(response.held(), 2 * fed + kReservedMax);
  }
  EXPECT_EQ(response.take_body().size(), 1'000'000U);
  EXPECT_LT(response.held(), 100U);
}

TEST(Response, HoldsNothingAfterAFailureThatLeavesNoBody) {
  Response response(kHeadMax, kBodyMax);
  response.feed(chunked("186a0\r\n" + std::string(100'000, 'x')));
  EXPECT_GE(response.held(), 100'000U);
  response.feed("no chunk");
  EXPECT_EQ(response.failure().error, Error::protocol);
  EXPECT_EQ(response.held(), 0U);
}

TEST(Response, KeepsTheWireForAnArchive) {
  const std::string gzipped = support::gzip("the page itself");
  std::string octets =
      "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\nContent-Encoding: gzip\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  const std::string head = octets.substr(octets.find("HTTP/1.1 200"));
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", gzipped.size());
  octets += size + gzipped + "\r\n0\r\nTrailer: t\r\n\r\n";
  for (const std::size_t slice : {std::size_t{1}, std::size_t{7}, octets.size()}) {
    Response response(kHeadMax, kBodyMax, true);
    for (std::size_t at = 0; at < octets.size(); at += slice) {
      response.feed(std::string_view(octets).substr(at, slice));
    }
    ASSERT_EQ(response.state(), Response::State::done) << slice;
    EXPECT_EQ(response.raw_head(), head);  // as it came, LF and all; no interim one
    EXPECT_TRUE(response.chunked());
    EXPECT_TRUE(response.has_coding());
    EXPECT_GE(response.held(), gzipped.size());
    EXPECT_EQ(response.take_coded(), gzipped);  // without chunks, with its coding
    EXPECT_EQ(response.take_body(), "the page itself");
  }
  Response plain(kHeadMax, kBodyMax, true);
  plain.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_FALSE(plain.has_coding());
  EXPECT_EQ(plain.take_coded(), "");  // the body is it
  EXPECT_EQ(plain.take_body(), "abc");
}

}  // namespace
}  // namespace fetch
