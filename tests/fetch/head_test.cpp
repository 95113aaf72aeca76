#include "fetch/head.h"

#include "fetch/response.h"

#include <gtest/gtest.h>

#include <numeric>

namespace fetch {
namespace {

using namespace std::string_literals;

constexpr std::uint64_t kHeadMax = 64 * 1024;
constexpr std::size_t kBodyMax = 1024;

/// A response as it comes, and what becomes of it when the connection ends in an orderly way behind it.
struct Row {
  std::string name;
  std::string octets;
  std::string outcome;  // `200 body`, or `word: detail`
  std::string fields;   // `Name: value; ` for each
  bool odd = true;
};

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kAb = "Content-Length: 2\r\n\r\nab";
const std::string kAbFields = "Content-Length: 2; ";
const std::string kChunks = "\r\n2\r\nab\r\n0\r\n\r\n";
const std::string kChunkedFields = "Transfer-Encoding: chunked; ";

const std::string kNoStatusLine = "protocol: not a status line";
const std::string kTwoLengths = "protocol: two different Content-Lengths";
const std::string kCodedTransfer = "protocol: a transfer coding other than chunked";

/// A status line alone, in front of a head that is in order.
Row line(std::string name, const std::string& status_line, std::string outcome, bool odd = true) {
  const bool fails = outcome.starts_with("protocol");
  return {std::move(name), status_line + "\r\n" + kAb, std::move(outcome), fails ? "" : kAbFields, odd};
}

/// Field lines of a head that is in order otherwise.
Row fields(std::string name, const std::string& lines, const std::string& read, bool odd = true) {
  return {std::move(name), kOk + lines + "\r\n" + kAb, "200 ab", read + kAbFields, odd};
}

/// Content-Length lines in front of three octets.
Row lengths(std::string name, const std::string& lines, std::string outcome, std::string read,
            bool odd = true) {
  return {std::move(name), kOk + lines + "\r\n\r\nabc", std::move(outcome), std::move(read), odd};
}

/// Transfer-Encoding lines in front of a chunked body.
Row codings(std::string name, const std::string& lines, std::string outcome, std::string read,
            bool odd = true) {
  return {std::move(name), kOk + lines + "\r\n" + kChunks, std::move(outcome), std::move(read), odd};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"all in order", kOk + kAb, "200 ab", kAbFields, false},
      {"lines end with LF", "HTTP/1.1 200 OK\nContent-Length: 2\nX: y\n\nab", "200 ab", kAbFields + "X: y; "},
      {"one line ends with LF", kOk + "X: y\n" + kAb, "200 ab", "X: y; " + kAbFields},
      {"CR CR LF", kOk + "X: y\r\r\n" + kAb, "200 ab", "X: y; " + kAbFields},
      {"an empty line first", "\r\n" + kOk + kAb, "200 ab", kAbFields},
      {"four empty lines first", "\r\n\n \t\r\n\r\n" + kOk + kAb, "200 ab", kAbFields},
      {"five empty lines first", "\r\n\r\n\r\n\r\n\r\n" + kOk + kAb, "protocol: too many empty lines", ""},

      line("ICY", "ICY 200 OK", "200 ab"),
      line("icy", "icy 200 OK", "200 ab"),
      line("HTTP/2.0", "HTTP/2.0 200 OK", "200 ab"),
      line("HTTP/2", "HTTP/2 200", "200 ab"),
      line("HTTP/3", "HTTP/3 200", "200 ab"),
      line("HTTP/1.2", "HTTP/1.2 200 OK", "200 ab"),
      line("lower case", "http/1.1 200 ok", "200 ab"),
      line("mixed case", "HtTp/1.0 200 ok", "200 ab"),
      line("HTTP/1.0", "HTTP/1.0 200 OK", "200 ab", false),
      line("HTTP/0.9", "HTTP/0.9 200 OK", kNoStatusLine),
      line("HTTP/4.0", "HTTP/4.0 200 OK", kNoStatusLine),
      line("HTTP/1", "HTTP/1 200 OK", kNoStatusLine),
      line("HTTP/1.10", "HTTP/1.10 200 OK", kNoStatusLine),
      line("HTTP/01.1", "HTTP/01.1 200 OK", kNoStatusLine),
      line("no version", "HTTP 200 OK", kNoStatusLine),
      line("an empty version", "HTTP/ 200 OK", kNoStatusLine),
      line("no status", "HTTP/1.1", kNoStatusLine),
      line("no blank behind the version", "HTTP/1.1200 OK", kNoStatusLine),
      line("no reason", "HTTP/1.1 404 ", "404 ab", false),
      line("no reason and no blank", "HTTP/1.1 404", "404 ab"),
      line("no blank behind the status", "HTTP/1.1 200OK", "200 ab"),
      line("several blanks", "HTTP/1.1   200 \t  OK  ", "200 ab"),
      line("tabs", "HTTP/1.1\t200\tOK", "200 ab"),
      line("blanks at the front", "  \tHTTP/1.1 200 OK", "200 ab"),
      line("control octets in the reason", "HTTP/1.1 200 O\x01K\x7f", "200 ab"),
      line("NUL in the reason", "HTTP/1.1 200 O\0K"s, "200 ab"),
      line("CR in the reason", "HTTP/1.1 200 O\rK", "200 ab"),
      line("octets from 0x80 in the reason", "HTTP/1.1 200 \xe9t\xe9", "200 ab", false),
      line("two digits", "HTTP/1.1 20 OK", kNoStatusLine),
      line("four digits", "HTTP/1.1 2000 OK", kNoStatusLine),
      line("letters", "HTTP/1.1 abc OK", kNoStatusLine),
      line("a sign", "HTTP/1.1 +200 OK", kNoStatusLine),
      line("hexadecimal", "HTTP/1.1 0xC8 OK", kNoStatusLine),
      line("status 099", "HTTP/1.1 099 OK", "protocol: status below 100"),
      line("status 000", "HTTP/1.1 000 OK", "protocol: status below 100"),
      line("status 600", "HTTP/1.1 600 X", "600 ab", false),
      line("status 999", "HTTP/1.1 999 Request denied", "999 ab", false),
      {"SSH", "SSH-2.0-OpenSSH_9.2p1\r\n", kNoStatusLine, ""},
      {"HTTP/0.9", "<html><p>hello</html>", kNoStatusLine, ""},
      {"TLS", "\x15\x03\x01\0\x02\x02\x46"s, kNoStatusLine, ""},
      {"FTP", "220 ready\r\n", kNoStatusLine, ""},
      {"a body without head", "\r\n\r\n<!doctype html>", kNoStatusLine, ""},
      {"a line that ends within HTTP", "HT\nTP/1.1 200 OK\r\n" + kAb, kNoStatusLine, ""},
      {"the connection ends in the status line", "HTTP/1.1 200", "truncated: the connection ended too early",
       ""},

      fields("blanks before the colon", "A : b\r\nB\t :c", "A: b; B: c; "),
      fields("no colon", "no colon here\r\nA: b", "A: b; "),
      fields("an empty name", ": v\r\nA: b", "A: b; "),
      fields("a blank as name", "A: b\r\nB C: v", "A: b; "),
      fields("a name that is no token", "A(b): v\r\nA: b\r\n\xc3\xa9: v\r\n\"q\": v\r\n{x}: y", "A: b; "),
      fields("a control octet in the name", "A\x01: v\r\nB\0: v\r\nA: b\r\nC\r: v"s, "A: b; "),
      fields("a name of every mark", "!#$%&'*+-.^_`|~0aZ: v", "!#$%&'*+-.^_`|~0aZ: v; ", false),
      fields("NUL in a value", "A: b\0c"s, "A: b c; "),
      fields("bare CR in a value", "A: b\rc\r\r\nB: \rd", "A: b c; B: d; "),
      fields("control octets in a value",
             "A: b\x01\x0b\x7f"
             "c",
             "A: b   c; "),
      fields("a tab in a value", "A: b\tc\t", "A: b\tc; ", false),
      fields("octets from 0x80 in a value", "A: caf\xe9 \xc3\xa9", "A: caf\xe9 \xc3\xa9; ", false),
      fields("an empty value", "A:\r\nB: \t ", "A: ; B: ; ", false),
      fields("no blank behind the colon", "A:b:c", "A: b:c; ", false),
      fields("folded", "A: b\r\n c\r\n\t d ", "A: b c d; "),
      fields("folded with nothing in front", "A:\r\n b", "A: b; "),
      fields("a line of blanks", "A: b\r\n  ", "A: b; "),
      fields("the first begins with a blank", " A: b\r\n\tC: d\r\nE: f", "E: f; "),
      fields("folded to a line that is dropped", "no colon\r\n X: y\r\nA: b", "A: b; "),
      fields("Connection with parameters", "Connection: keep-alive; timeout=5", ""),
      fields("Proxy-Connection with parameters", "Proxy-Connection: \"x\"", ""),

      lengths("two that agree", "Content-Length: 2\r\nContent-Length: 2", "200 ab", "Content-Length: 2; "),
      lengths("a list that agrees", "Content-Length: 2, 2", "200 ab", "Content-Length: 2; "),
      lengths("three that agree", "Content-Length: 2,2\r\nA: b\r\ncontent-length:2", "200 ab",
              "A: b; Content-Length: 2; "),
      lengths("two that differ", "Content-Length: 3\r\nContent-Length: 2", kTwoLengths, ""),
      lengths("a list that differs", "Content-Length: 2, 3", kTwoLengths, ""),
      lengths("the same number written differently", "Content-Length: 2\r\nContent-Length: 02", kTwoLengths,
              ""),
      lengths("a comma at the end", "Content-Length: 2,", kTwoLengths, ""),
      lengths("one that is no number and one that is", "Content-Length: x\r\nContent-Length: 2", kTwoLengths,
              ""),
      lengths("leading zeros", "Content-Length: 0002", "200 ab", "Content-Length: 0002; ", false),
      lengths("folded", "Content-Length:\r\n 2", "200 ab", "Content-Length: 2; "),
      lengths("a blank before the colon", "Content-Length : 2", "200 ab", "Content-Length: 2; "),
      lengths("+2", "Content-Length: +2", "200 abc", ""),
      lengths("+2 twice", "Content-Length: +2, +2", "200 abc", ""),
      lengths("-1", "Content-Length: -1", "200 abc", ""),
      lengths("0x2", "Content-Length: 0x2", "200 abc", ""),
      lengths("2.0", "Content-Length: 2.0", "200 abc", ""),
      lengths("2 2", "Content-Length: 2 2", "200 abc", ""),
      lengths("2 NUL 2", "Content-Length: 2\0 2"s, "200 abc", ""),
      lengths("empty", "Content-Length:", "200 abc", ""),
      lengths("too large for 64 bits", "Content-Length: 99999999999999999999999", "200 abc", ""),
      lengths("one too large for 64 bits", "Content-Length: 18446744073709551616", "200 abc", ""),

      codings("chunked", "Transfer-Encoding: chunked", "200 ab", kChunkedFields, false),
      codings("in any case", "transfer-encoding: ChunKed", "200 ab", "transfer-encoding: ChunKed; ", false),
      codings("beside a length", "Content-Length: 3\r\nTransfer-Encoding: chunked", "200 ab", kChunkedFields),
      codings("beside two lengths", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\nContent-Length: 4",
              "200 ab", kChunkedFields),
      codings("folded", "Transfer-Encoding:\r\n chunked", "200 ab", kChunkedFields),
      codings("a blank before the colon", "Transfer-Encoding : chunked", "200 ab", kChunkedFields),
      codings("chunked, chunked", "Transfer-Encoding: chunked, chunked", "200 ab", kChunkedFields),
      codings("chunked twice", "Transfer-Encoding: chunked\r\nA: b\r\nTransfer-Encoding: chunked", "200 ab",
              "A: b; " + kChunkedFields),
      codings("chunked, identity", "Transfer-Encoding: chunked, identity", "200 ab", kChunkedFields),
      codings("identity folded to chunked", "Transfer-Encoding: identity\r\n , chunked", "200 ab",
              kChunkedFields),
      codings("gzip, chunked", "Transfer-Encoding: gzip, chunked", kCodedTransfer, ""),
      codings("chunked, gzip", "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", kCodedTransfer, ""),
      codings("gzip", "Transfer-Encoding: gzip\r\nContent-Length: 2", kCodedTransfer, ""),
      codings("xchunked", "Transfer-Encoding: xchunked", kCodedTransfer, ""),
      codings("chunked with a parameter", "Transfer-Encoding: chunked;q=1", kCodedTransfer, ""),
      codings("a control octet inside", "Transfer-Encoding: chun\x01ked", kCodedTransfer, ""),
      lengths("identity", "Transfer-Encoding: identity\r\nContent-Length: 2", "200 ab",
              "Content-Length: 2; "),
      lengths("Identity alone", "Transfer-Encoding: Identity", "200 abc", ""),
      lengths("an empty Transfer-Encoding", "Transfer-Encoding:\r\nContent-Length: 2", "200 ab",
              "Content-Length: 2; "),
      {"chunked in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n" + kChunks, "200 ab",
       kChunkedFields},
      {"no body, whatever is said of it",
       "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: gzip\r\nContent-Length: 9\r\n\r\n", "304 ", ""},
  };
  return all;
}

std::string listed(const Headers& headers) {
  return std::accumulate(
      headers.all().begin(), headers.all().end(), std::string(),
      [](const std::string& all, const Header& one) { return all + one.name + ": " + one.value + "; "; });
}

/// Reads `octets` in pieces that end at the multiples of `slice`, or at `split`.
Row read(const Row& row, std::size_t slice, std::size_t split = 0) {
  Row seen;
  seen.name = row.name;
  seen.octets = row.octets;
  HeadReader reader(kHeadMax);
  Response response(kHeadMax, kBodyMax);
  HeadReader::State state = HeadReader::State::more;
  for (std::size_t at = 0; at < row.octets.size();) {
    const std::size_t end = at < split ? split : at + slice;
    std::string_view piece = std::string_view(row.octets).substr(at, end - at);
    at = end;
    response.feed(piece);
    if (state == HeadReader::State::more) state = reader.feed(piece);
  }
  response.end(true);
  const Step& failure = response.failure();
  const bool failed = failure.error != Error::none;
  seen.outcome = failed ? std::string(to_string(failure.error)) + ": " + failure.detail
                        : std::to_string(response.status()) + " " + response.take_body();
  seen.odd = failed || reader.odd();
  if (!failed) {
    EXPECT_EQ(state, HeadReader::State::done);
    seen.fields = listed(response.headers());
    EXPECT_EQ(listed(reader.head().headers), seen.fields);
  }
  EXPECT_FALSE(seen.odd && response.reusable()) << row.name;
  return seen;
}

void expect_same(const Row& seen, const Row& row, const std::string& how) {
  EXPECT_EQ(seen.outcome, row.outcome) << row.name << how;
  EXPECT_EQ(seen.odd, row.odd) << row.name << how;
  EXPECT_EQ(seen.fields, row.fields) << row.name << how;
}

TEST(Head, IsReadAsTheTableSays) {
  for (const Row& row : rows()) expect_same(read(row, row.octets.size()), row, "");
}

TEST(Head, IsReadTheSameHoweverItComes) {
  for (const Row& row : rows()) {
    expect_same(read(row, 1), row, ", octet by octet");
    for (std::size_t split = 1; split < row.octets.size(); ++split)
      expect_same(read(row, row.octets.size(), split), row, ", split at " + std::to_string(split));
  }
}

TEST(Head, OnlyWhatIsInOrderKeepsTheConnection) {
  int kept = 0;
  for (const Row& row : rows()) {
    Response response(kHeadMax, kBodyMax);
    response.feed(row.octets);
    // Rows about lengths bring an octet too many.
    if (!row.odd && row.octets.ends_with("ab") && !row.octets.starts_with("HTTP/1.0")) {
      EXPECT_TRUE(response.reusable()) << row.name;
      ++kept;
    } else if (row.odd) {
      EXPECT_FALSE(response.reusable()) << row.name;
    }
  }
  EXPECT_GT(kept, 8);
}

/// The failure of a head, or `none: `.
std::string failure_of(std::string_view octets, std::uint64_t head_max = kHeadMax) {
  std::string outcome;
  for (const std::size_t slice : {octets.size(), std::size_t{1}}) {
    Response response(head_max, kBodyMax);
    for (std::size_t at = 0; at < octets.size(); at += slice) response.feed(octets.substr(at, slice));
    const std::string seen =
        std::string(to_string(response.failure().error)) + ": " + response.failure().detail;
    if (outcome.empty()) outcome = seen;
    EXPECT_EQ(outcome, seen) << "in slices of " << slice;
  }
  return outcome;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Head, DroppedAndFoldedLinesCountAsFields) {
  for (const std::string_view one : {"A: b\r\n", "no colon\r\n", " folded\r\n", "Content-Length: 2\r\n",
                                     "Transfer-Encoding: identity\r\n", "A:\r\n"}) {
    EXPECT_EQ(failure_of(kOk + repeated(one, kFieldsMax) + "\r\n"), "none: ") << one;
    EXPECT_EQ(failure_of(kOk + repeated(one, kFieldsMax + 1)), "head_limit: too many fields") << one;
  }
}

TEST(Head, EmptyLinesAndDroppedLinesCountAsOctets) {
  const std::string head = "\r\n\r\n" + kOk + "no colon\r\n\r\n";
  EXPECT_EQ(failure_of(head, head.size()), "none: ");
  EXPECT_EQ(failure_of(head, head.size() - 1), "head_limit: the head is too long");
}

TEST(Head, LeadingBlanksHaveAnEdge) {
  EXPECT_EQ(failure_of(std::string(kLeadingBlanksMax, ' ') + kOk), "none: ");
  EXPECT_EQ(failure_of(std::string(kLeadingBlanksMax + 1, ' ') + kOk), "protocol: not a status line");
}

TEST(Head, FieldsHaveALengthWhereverItComesFrom) {
  constexpr std::uint64_t kLarge = 1024 * 1024;
  const std::string value(kFieldOctetsMax - 1, 'v');
  EXPECT_EQ(failure_of(kOk + "A: " + value + "\r\n\r\n", kLarge), "none: ");
  EXPECT_EQ(failure_of(kOk + "A: " + value + "v\r\nB: c\r\n", kLarge), "head_limit: a field is too long");
  const std::string half(kFieldOctetsMax / 2, 'v');
  EXPECT_EQ(failure_of(kOk + "A: " + half + "\r\n " + half + "\r\n\r\n", kLarge),
            "head_limit: a field is too long");
  EXPECT_EQ(failure_of(kOk + std::string(kFieldOctetsMax, 'n') + ":v\r\n\r\n", kLarge),
            "head_limit: a field is too long");
}

TEST(Head, WhoSpeaksAnotherProtocolIsNotWaitedFor) {
  EXPECT_EQ(failure_of("S"), "protocol: not a status line");
  EXPECT_EQ(failure_of("HTTX"), "protocol: not a status line");
  EXPECT_EQ(failure_of("HTTP/1.1 2"), "none: ");
  EXPECT_EQ(failure_of("HTTP/1.1 2\n"), "protocol: not a status line");
}

}  // namespace
}  // namespace fetch
