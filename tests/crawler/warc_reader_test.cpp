#include "crawler/warc_reader.h"

#include "crawler/warc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using crawler::Digest;
using crawler::Packing;
using Look = crawler::WarcReader::Look;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Seen {
  std::vector<crawler::WarcEntry> entries;
  std::vector<std::string> blocks;
  std::vector<std::string> problems;  // `offset: what`
  std::uint64_t whole_until = 0;
};

Seen read(const std::string& octets, Look look = Look::all) {
  Seen seen;
  std::istringstream in(octets);
  crawler::WarcReader reader(in, look, [&](const crawler::WarcProblem& problem) {
    seen.problems.push_back(std::to_string(problem.offset) + ": " + problem.what);
  });
  while (reader.next() != nullptr) {
    std::string block;
    for (auto piece = reader.read(); !piece.empty(); piece = reader.read()) block += piece;
    seen.entries.push_back(reader.finish());
    seen.blocks.push_back(std::move(block));
  }
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_EQ(reader.records(), seen.entries.size());
  seen.whole_until = reader.whole_until();
  return seen;
}

crawler::WarcRecord record(const std::string& name, std::string_view body) {
  crawler::WarcRecord out;
  out.type = "response";
  out.id = crawler::warc_id(1, body.size());
  out.target = "http://a.test/" + name;
  out.content_type = "application/http;msgtype=response";
  out.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  out.body = body;
  out.payload_digest = crawler::digest_text(Digest::sha1, body);
  return out;
}

std::string packed(const std::string& name, std::string_view body, Packing packing = Packing::gzip) {
  return crawler::pack(record(name, body), Digest::sha1, packing);
}

/// A record as text, with the given lines behind those that have to be there.
std::string plain(const std::string& more, const std::string& block = "",
                  const std::string& version = "1.1") {
  return "WARC/" + version +
         "\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: "
         "2026-11-21T18:30:00Z\r\nContent-Length: " +
         std::to_string(block.size()) + "\r\n" + more + "\r\n" + block + "\r\n\r\n";
}

std::string gzipped(const std::string& octets) {
  z_stream state{};
  deflateInit2(&state, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, octets.size()), '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(octets.data()));
  state.avail_in = static_cast<uInt>(octets.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - state.avail_out);
  deflateEnd(&state);
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(WarcReader, ReadsWhatWeWrite) {
  const std::string large(1'000'000, 'x');
  for (const Packing packing : {Packing::gzip, Packing::zstd}) {
    const std::string first = packed("1", "one", packing);
    const std::string second = packed("2", large, packing);
    const std::string third = packed("3", "", packing);
    const Seen seen = read(first + second + third);
    EXPECT_THAT(seen.problems, IsEmpty());
    ASSERT_EQ(seen.entries.size(), 3U);
    EXPECT_EQ(seen.entries[1].offset, first.size());
    EXPECT_EQ(seen.entries[1].length, second.size());
    EXPECT_EQ(seen.entries[1].version, "1.1");
    EXPECT_EQ(seen.entries[1].field("warc-target-uri"), "http://a.test/2");
    EXPECT_TRUE(seen.entries[1].whole);
    EXPECT_EQ(seen.blocks[0], "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\none");
    EXPECT_TRUE(seen.blocks[1].ends_with(large));
    EXPECT_EQ(seen.entries[2].offset, first.size() + second.size());
    EXPECT_EQ(seen.whole_until, first.size() + second.size() + third.size());
  }
}

TEST(WarcReader, ReadsFilesThatAreNotPacked) {
  const std::string first = plain("", "first");
  const std::string second = plain("", "second", "1.0");
  const Seen seen = read(first + second);
  EXPECT_THAT(seen.problems, IsEmpty());
  EXPECT_THAT(seen.blocks, ElementsAre("first", "second"));
  EXPECT_EQ(seen.entries[1].version, "1.0");
  EXPECT_EQ(seen.entries[1].offset, first.size());
  EXPECT_EQ(seen.entries[1].length, second.size() - 4);
  EXPECT_EQ(seen.whole_until, first.size() + second.size());
}

TEST(WarcReader, BeginsAtAnyRecord) {
  const std::string first = packed("1", "one");
  const std::string both = first + packed("2", "two");
  std::istringstream in(both.substr(first.size()));
  crawler::WarcReader reader(
      in, Look::all, [](const auto& problem) { FAIL() << problem.what; }, first.size());
  ASSERT_NE(reader.next(), nullptr);
  EXPECT_EQ(reader.finish().offset, first.size());
  EXPECT_EQ(reader.whole_until(), both.size());
}

TEST(WarcReader, FindsWhereTheLastWholeRecordEndsWhereverAFileIsCut) {
  const auto cut_everywhere = [](const std::vector<std::string>& records) {
    std::string all;
    for (const std::string& one : records) all += one;
    for (std::size_t length = 0; length <= all.size(); ++length) {
      std::size_t whole = 0;
      std::size_t count = 0;
      while (count < records.size() && whole + records[count].size() <= length)
        whole += records[count++].size();
      const Seen seen = read(all.substr(0, length));
      ASSERT_EQ(seen.whole_until, whole) << length;
      ASSERT_EQ(seen.problems.empty(), length == whole && length > 0) << length;
      ASSERT_LE(seen.problems.size(), 1U) << length;
      for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(seen.entries[i].whole) << length;
    }
  };
  cut_everywhere({packed("1", "one"), packed("2", "two"), packed("3", "three")});
  cut_everywhere({packed("1", "one", Packing::zstd), packed("2", "two", Packing::zstd)});
  cut_everywhere({plain("", "one"), plain("", "two")});
}

TEST(WarcReader, SurvivesEveryFlippedBitAndKeepsWhatIsBefore) {
  for (const Packing packing : {Packing::gzip, Packing::zstd}) {
    const std::string first = packed("1", "one", packing);
    const std::string all = first + packed("2", "two", packing) + packed("3", "three", packing);
    std::size_t found = 0;
    for (std::size_t i = 8 * first.size(); i < 8 * all.size(); ++i) {
      std::string broken = all;
      broken[i / 8] = static_cast<char>(broken[i / 8] ^ (1 << i % 8));
      const Seen seen = read(broken);
      ASSERT_GE(seen.whole_until, first.size());
      ASSERT_TRUE(seen.entries.at(0).whole);
      if (!seen.problems.empty()) ++found;
    }
    // Only time, extra flags and system in a gzip header have no checksum over them, and in each frame of
    // zstd bits that are reserved or say the same in two ways.
    EXPECT_GE(found, 8 * (all.size() - first.size()) - std::size_t{2} * 8 * 7);
  }
}

TEST(WarcReader, ComparesDigests) {
  const std::string digest = crawler::digest_text(Digest::sha256, "abc");
  EXPECT_THAT(read(plain("WARC-Block-Digest: " + digest + "\r\n", "abc")).problems, IsEmpty());
  EXPECT_THAT(read(plain("WARC-Block-Digest: " + digest + "\r\n", "abd")).problems,
              ElementsAre("0: the block is not what its digest says: " + digest));
  EXPECT_THAT(read(plain("WARC-Block-Digest: " + digest + "\r\n", "abd"), Look::structure).problems,
              IsEmpty());
  EXPECT_THAT(read(plain("WARC-Payload-Digest: " + digest + "\r\n", "abd")).problems,
              ElementsAre(HasSubstr("the payload is not")));
  EXPECT_THAT(read(plain("WARC-Block-Digest: sha1:what\r\n", "abd")).problems,
              ElementsAre("0: sha1:what is no digest"));
  EXPECT_THAT(read(plain("WARC-Block-Digest: blake3:what\r\n", "abd")).problems, IsEmpty());
}

std::string http(const std::string& head, const std::string& body, const std::string& digest_of) {
  return plain("Content-Type: application/http\r\nWARC-Payload-Digest: " +
                   crawler::digest_text(Digest::sha1, digest_of) + "\r\n",
               "HTTP/1.1 200 OK\r\n" + head + "\r\n" + body);
}

TEST(WarcReader, ComparesThePayloadOfHttpWithAndWithoutItsChunks) {
  const std::string chunks = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  EXPECT_THAT(read(http("", "abcde", "abcde")).problems, IsEmpty());
  EXPECT_THAT(read(http("", "", "")).problems, IsEmpty());
  EXPECT_THAT(read(http(chunked, chunks, chunks)).problems, IsEmpty());
  EXPECT_THAT(read(http(chunked, chunks, "abcde")).problems, IsEmpty());
  EXPECT_THAT(read(http("", chunks, "abcde")).problems, ElementsAre(HasSubstr("the payload is not")));
  EXPECT_THAT(read(http(chunked, chunks, "abcdX")).problems, ElementsAre(HasSubstr("the payload is not")));
  EXPECT_THAT(read(http("", "abcdX", "abcde")).problems, ElementsAre(HasSubstr("the payload is not")));
}

TEST(WarcReader, LeavesThePayloadOfRevisitsAndSegmentsAlone) {
  const std::string digest =
      "WARC-Payload-Digest: " + crawler::digest_text(Digest::sha1, "elsewhere") + "\r\n";
  const std::string revisit =
      replaced(plain(digest + "WARC-Profile: http://x/\r\nWARC-Target-URI: http://a/\r\n", "x"), "metadata",
               "revisit");
  EXPECT_THAT(read(revisit).problems, IsEmpty());
  EXPECT_THAT(read(plain(digest + "WARC-Segment-Number: 1\r\n", "x")).problems, IsEmpty());
}

TEST(WarcReader, HoldsAnHttpHeadOnlyUpToItsLimit) {
  const auto head = [](std::size_t octets) {
    return "X: " + std::string(octets - 17 - 2 - 3 - 2, 'x') + "\r\n";
  };
  EXPECT_THAT(read(http(head(crawler::kHttpHeadMax), "abc", "abc")).problems, IsEmpty());
  EXPECT_THAT(read(http(head(crawler::kHttpHeadMax + 1), "abc", "abc")).problems,
              ElementsAre(HasSubstr("the HTTP head is longer than")));
}

TEST(WarcReader, NamesEveryBrokenRuleOfHeaders) {
  const std::string good = plain("", "x");
  const std::vector<std::pair<std::string, std::string>> cases{
      {replaced(good, "WARC-Type: metadata\r\n", ""), "WARC-Type is missing"},
      {replaced(good, "WARC-Record-ID: <urn:x:1>\r\n", ""), "WARC-Record-ID is missing"},
      {replaced(good, "WARC-Date: 2026-11-21T18:30:00Z\r\n", ""), "WARC-Date is missing"},
      {replaced(good, "<urn:x:1>", "urn:x:1"), "WARC-Record-ID urn:x:1 is no URI in < >"},
      {replaced(good, "18:30:00Z", "25:30:00Z"),
       "WARC-Date 2026-11-21T25:30:00Z is not of the form of WARC/1.1"},
      {replaced(good, "18:30:00Z", "18:30:00"),
       "WARC-Date 2026-11-21T18:30:00 is not of the form of WARC/1.1"},
      {plain("WARC-Type: metadata\r\n"), "WARC-Type stands there more than once"},
      {plain("no field\r\n"), "a header line is no field"},
      {plain("A: b\n"), "a header line ends with LF alone"},
      {plain(std::string("A: b\0\r\n", 7)), "a header field has control characters in it"},
      {plain("", "", "1.2"), "WARC/1.2 is no version known here"},
      {replaced(good, "metadata", "response"), "WARC-Target-URI is missing, and this is a response"},
      {replaced(plain("WARC-Target-URI: http://a/\r\n"), "metadata", "revisit"),
       "WARC-Profile is missing, and this is a revisit"},
      {replaced(plain("", "", "1.0"), "00Z", "00.5Z"),
       "WARC-Date 2026-11-21T18:30:00.5Z is not of the form of WARC/1.0"},
  };
  for (const auto& [octets, problem] : cases) {
    const Seen seen = read(octets + good);
    EXPECT_THAT(seen.problems, ElementsAre("0: " + problem));
    EXPECT_EQ(seen.entries.size(), 2U);
    EXPECT_EQ(seen.whole_until, octets.size() + good.size()) << "a rule of headers is none of the structure";
  }
}

TEST(WarcReader, ReadsEveryDateOfTheStandard) {
  for (const char* date : {"2026", "2026-11", "2026-11-21", "2026-11-21T18:30Z", "2026-11-21T18:30:00Z",
                           "2026-11-21T18:30:00.1Z", "2026-11-21T18:30:00.123456789Z"}) {
    EXPECT_THAT(read(replaced(plain(""), "2026-11-21T18:30:00Z", date)).problems, IsEmpty()) << date;
  }
}

TEST(WarcReader, JoinsFoldedLines) {
  const Seen seen = read(plain("A: one\r\n  two\r\n\tthree\r\nB:four  \r\n"));
  EXPECT_THAT(seen.problems, IsEmpty());
  EXPECT_EQ(seen.entries.at(0).field("a"), "one two three");
  EXPECT_EQ(seen.entries.at(0).field("b"), "four");
}

TEST(WarcReader, HoldsAHeaderOnlyUpToItsLimits) {
  const std::size_t rest = plain("A: \r\n").size() - 4;
  const std::string most = plain("A: " + std::string(crawler::kWarcHeadMax - rest, 'a') + "\r\n");
  EXPECT_THAT(read(most).problems, IsEmpty());
  const Seen more = read(replaced(most, "A: ", "A:  "));
  EXPECT_THAT(more.problems, ElementsAre("0: a header longer than 131072 octets"));
  EXPECT_THAT(more.entries, IsEmpty());

  std::string fields;
  for (std::size_t i = 4; i < crawler::kWarcFieldsMax; ++i) fields += "A: b\r\n";
  EXPECT_THAT(read(plain(fields)).problems, IsEmpty());
  const Seen many = read(plain(fields + "C: d\r\n"));
  EXPECT_THAT(many.problems, ElementsAre(HasSubstr("too many header fields")));
  EXPECT_EQ(many.entries.at(0).fields.size(), crawler::kWarcFieldsMax);
}

TEST(WarcReader, TakesNoContentLengthOnTrust) {
  for (const char* length : {"", "-1", "+3", "3x", "99999999999999999999999", "0x3"}) {
    const std::string bad =
        replaced(plain("", "abc"), "Content-Length: 3", std::string("Content-Length: ") + length);
    const Seen alone = read(bad + plain(""), Look::structure);
    EXPECT_THAT(alone.problems, ElementsAre("0: Content-Length is no number")) << length;
    const Seen members = read(gzipped(bad) + gzipped(plain("")), Look::structure);
    EXPECT_THAT(members.problems, ElementsAre("0: Content-Length is no number")) << length;
    EXPECT_EQ(members.entries.size(), 1U) << "the next member can be read";
    EXPECT_EQ(members.whole_until, 0U);
  }
  for (const auto& [length, problem] :
       {std::pair("2",
                  "behind the block of 2 octets there are not two line ends, so Content-Length may be wrong"),
        std::pair("7", "behind the block of 7 octets there are not two line ends"),
        std::pair("9", "Content-Length is 9, and the last 2 octets are not there"),
        std::pair("18446744073709551615",
                  "Content-Length is 18446744073709551615, and the last 18446744073709551608 "
                  "octets are not there")}) {
    const std::string bad = replaced(plain("", "abc"), "Length: 3", std::string("Length: ") + length);
    const Seen seen = read(gzipped(bad) + gzipped(plain("")));
    EXPECT_THAT(seen.problems, ElementsAre(std::string("0: ") + problem));
    ASSERT_EQ(seen.entries.size(), 2U);
    EXPECT_FALSE(seen.entries[0].whole);
    EXPECT_TRUE(seen.entries[1].whole);
    EXPECT_EQ(seen.whole_until, 0U);
  }
}

TEST(WarcReader, TellsMembersFromRecords) {
  const std::string one = plain("", "one");
  const Seen shared = read(gzipped(one + one + one) + gzipped(one));
  EXPECT_THAT(shared.problems, ElementsAre("0: more than one record in this member"));
  EXPECT_EQ(shared.entries.size(), 4U);
  EXPECT_EQ(shared.entries[1].length, 0U);
  EXPECT_GT(shared.entries[3].length, 0U);
  EXPECT_EQ(shared.whole_until, gzipped(one + one + one).size() + gzipped(one).size());

  const Seen split = read(gzipped(one.substr(0, 30)) + gzipped(one.substr(30)));
  EXPECT_THAT(split.problems,
              ElementsAre("0: it ends within a record's header", HasSubstr("no record begins here")));

  const Seen empty = read(gzipped(one) + gzipped("") + gzipped(one));
  EXPECT_THAT(empty.problems, ElementsAre(std::to_string(gzipped(one).size()) + ": an empty member"));
  EXPECT_EQ(empty.entries.size(), 2U);
  EXPECT_EQ(empty.whole_until, gzipped(one).size());

  const Seen garbage = read(gzipped(one) + std::string(100, '\0'));
  EXPECT_THAT(garbage.problems, ElementsAre(HasSubstr("neither a gzip member nor a zstd frame begins here")));
  EXPECT_EQ(garbage.whole_until, gzipped(one).size());
}

TEST(WarcReader, NamesWhatIsNoWarcFile) {
  EXPECT_THAT(read("").problems, ElementsAre("0: the file is empty"));
  EXPECT_THAT(read("W").problems, ElementsAre("0: it ends within a record's header"));
  for (const char* octets : {"<html>", "X", "WARX/1.1\r\n\r\n", "filedesc://x.arc 0.0.0.0 20010101000000"}) {
    EXPECT_THAT(read(octets).problems, ElementsAre("0: no record begins here")) << octets;
  }
  EXPECT_THAT(read("\r\n" + plain("")).problems, ElementsAre("0: line ends that belong to no record"));
  EXPECT_THAT(read(plain("") + "\r\n").problems,
              ElementsAre(HasSubstr("line ends that belong to no record")));
}

TEST(WarcReader, RefusesFramesThatNeedMoreThanTheyBring) {
  const std::string dictionary("\x5d\x2a\x4d\x18\x04\0\0\0abcd", 12);
  EXPECT_THAT(read(dictionary + packed("1", "one", Packing::zstd)).problems,
              ElementsAre(HasSubstr("zstd dictionary")));
  const std::string skippable("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  const Seen skipped = read(skippable + packed("1", "one", Packing::zstd) + skippable);
  EXPECT_THAT(skipped.problems, IsEmpty());
  EXPECT_EQ(skipped.entries.size(), 1U);

  for (const int window : {crawler::kWarcWindowLogMax, crawler::kWarcWindowLogMax + 1}) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> state(ZSTD_createCCtx(), ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(state.get(), ZSTD_c_windowLog, window);
    const std::string octets = plain("", "x");
    std::string frame(ZSTD_compressBound(octets.size()), '\0');
    ZSTD_inBuffer in{octets.data(), octets.size(), 0};
    ZSTD_outBuffer out{frame.data(), frame.size(), 0};
    ASSERT_FALSE(ZSTD_isError(ZSTD_compressStream2(state.get(), &out, &in, ZSTD_e_continue)));
    ASSERT_EQ(ZSTD_compressStream2(state.get(), &out, &in, ZSTD_e_end), 0U);
    frame.resize(out.pos);
    const Seen seen = read(frame);
    if (window == crawler::kWarcWindowLogMax)
      EXPECT_THAT(seen.problems, IsEmpty());
    else
      EXPECT_THAT(seen.problems, ElementsAre(HasSubstr("window is larger than 8 MiB")));
  }
}

/// A header, and then the same octet again and again.
class Endless : public std::streambuf {
 public:
  Endless(std::string head, std::uint64_t octets) : head_(std::move(head)), left_(octets), piece_(4096, 'x') {
    setg(head_.data(), head_.data(), head_.data() + head_.size());
  }

 protected:
  int_type underflow() override {
    const auto octets = static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece_.size()));
    left_ -= octets;
    setg(piece_.data(), piece_.data(), piece_.data() + octets);
    return octets == 0 ? traits_type::eof() : traits_type::to_int_type('x');
  }

 private:
  std::string head_;
  std::uint64_t left_;
  std::string piece_;
};

TEST(WarcReader, HoldsNoMoreThanAPieceOfABlock) {
  constexpr std::uint64_t kLarge = std::uint64_t{256} * 1024 * 1024;
  const std::string head = replaced(plain(""), "Length: 0", "Length: " + std::to_string(kLarge));
  Endless buffer(head.substr(0, head.size() - 4), kLarge);
  std::istream in(&buffer);
  std::vector<std::string> problems;
  crawler::WarcReader reader(in, Look::all, [&](const auto& problem) { problems.push_back(problem.what); });
  ASSERT_NE(reader.next(), nullptr);
  std::uint64_t total = 0;
  for (auto piece = reader.read(); !piece.empty(); piece = reader.read()) {
    ASSERT_LE(piece.size(), crawler::kWarcPiece);
    total += piece.size();
  }
  EXPECT_EQ(total, kLarge);
  EXPECT_FALSE(reader.finish().whole);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("there are not two line ends")));
}

/// Records of every kind that a crawl writes, among them a page that would like to be a record.
std::vector<crawler::WarcRecord> crawl(Digest kind) {
  static const std::string trap =
      "</p>\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
  static const std::string large(300'000, 'x');
  std::vector<crawler::WarcRecord> out(7);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].id = crawler::warc_id(i, i);
    out[i].date = base::WallTime(std::chrono::milliseconds(1'795'282'540'123));
    out[i].target = "http://www.a.test/" + std::to_string(i) + "?b=2&a=%2F";
  }
  out[0].type = "warcinfo";
  out[0].target = {};
  out[0].content_type = "application/warc-fields";
  out[0].fields = {{"WARC-Filename", "sample.warc.gz"}};
  out[0].body = "software: crawld\r\nformat: WARC File Format 1.1\r\n";
  for (const std::size_t i : {1U, 2U, 3U}) {
    out[i].type = "response";
    out[i].content_type = "application/http;msgtype=response";
    out[i].fields = {{"WARC-IP-Address", "192.0.2.1"}, {"WARC-Concurrent-To", "<" + out[4].id + ">"}};
    out[i].head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
  }
  out[1].body = trap;
  out[2].body = large;
  out[2].packed = true;
  for (const std::size_t i : {1U, 2U, 3U}) out[i].payload_digest = crawler::digest_text(kind, out[i].body);
  out[4].type = "request";
  out[4].target = out[3].target;
  out[4].content_type = "application/http;msgtype=request";
  out[4].head = "GET /3?b=2&a=%2F HTTP/1.1\r\nHost: www.a.test\r\n\r\n";
  out[5].type = "revisit";
  out[5].content_type = "application/http;msgtype=response";
  out[5].fields = {{"WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"}};
  out[5].head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  out[5].payload_digest = out[1].payload_digest;
  out[6].type = "resource";
  out[6].target = "dns:www.a.test";
  out[6].content_type = "text/dns";
  out[6].body = "20261121173540\r\nwww.a.test.\t60\tIN\tA\t192.0.2.1\r\n";
  out[6].payload_digest = crawler::digest_text(kind, out[6].body);
  return out;
}

TEST(WarcReader, ReadsBackAFileOfEveryKindOfRecord) {
  // Left behind for the readers of others (tests/process/warc_tool_test.py) when they ask for it.
  const char* const wanted = std::getenv("CRAWLD_WARC_SAMPLES");
  for (const Packing packing : {Packing::gzip, Packing::zstd}) {
    for (const Digest kind : {Digest::sha1, Digest::sha256}) {
      std::string octets;
      for (const crawler::WarcRecord& one : crawl(kind)) octets += crawler::pack(one, kind, packing);
      const Seen seen = read(octets);
      EXPECT_THAT(seen.problems, IsEmpty());
      ASSERT_EQ(seen.entries.size(), 7U);
      for (std::size_t i = 0; i < seen.blocks.size(); ++i) {
        EXPECT_EQ(seen.blocks[i], std::string(crawl(kind)[i].head) + std::string(crawl(kind)[i].body));
        EXPECT_EQ(seen.entries[i].field("WARC-Record-ID"), "<" + crawl(kind)[i].id + ">");
      }
      if (wanted == nullptr) continue;
      const std::string name = kind == Digest::sha1 ? "sha1.warc." : "sha256.warc.";
      std::ofstream(std::filesystem::path(wanted) / (name + (packing == Packing::gzip ? "gz" : "zst")),
                    std::ios::binary)
          << octets;
    }
  }
}

}  // namespace
