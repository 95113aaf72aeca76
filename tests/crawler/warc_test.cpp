#include "crawler/warc.h"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zstd.h>

#include <random>
#include <thread>

namespace {

using crawler::Digest;
using crawler::Packing;
using namespace std::chrono_literals;

constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

crawler::WarcRecord page(std::string_view body) {
  crawler::WarcRecord record;
  record.type = "response";
  record.id = crawler::warc_id(0x0123456789abcdefU, 0xfedcba9876543210U);
  record.date =
      base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)) + 17h + 35min + 40123ms;
  record.target = "http://a.test/";
  record.content_type = "application/http;msgtype=response";
  record.fields = {{"WARC-IP-Address", "192.0.2.1"}};
  record.head = kHead;
  record.body = body;
  record.payload_digest = crawler::digest_text(Digest::sha1, body);
  return record;
}

/// One gzip member and nothing else, checksums and all.
std::string gunzipped(const std::string& member) {
  std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> state(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::string out(std::size_t{64} * 1024 * 1024, '\0');
  std::size_t read = 0;
  std::size_t written = 0;
  EXPECT_EQ(libdeflate_gzip_decompress_ex(state.get(), member.data(), member.size(), out.data(), out.size(),
                                          &read, &written),
            LIBDEFLATE_SUCCESS);
  EXPECT_EQ(read, member.size());
  out.resize(written);
  return out;
}

std::string noise(std::size_t octets) {
  std::string out(octets, '\0');
  std::minstd_rand engine(1);
  for (char& c : out) c = static_cast<char>(engine() >> 8U);
  return out;
}

TEST(Warc, WritesARecordToTheOctet) {
  EXPECT_EQ(gunzipped(crawler::pack(page("hello"), Digest::sha1, Packing::gzip)),
            "WARC/1.1\r\n"
            "WARC-Type: response\r\n"
            "WARC-Record-ID: <urn:uuid:01234567-89ab-4def-bedc-ba9876543210>\r\n"
            "WARC-Date: 2026-11-21T17:35:40.123Z\r\n"
            "WARC-Target-URI: http://a.test/\r\n"
            "WARC-IP-Address: 192.0.2.1\r\n"
            "WARC-Block-Digest: " +
                crawler::digest_text(Digest::sha1, std::string(kHead) + "hello") +
                "\r\n"
                "WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n"
                "Content-Type: application/http;msgtype=response\r\n"
                "Content-Length: 49\r\n"
                "\r\n" +
                std::string(kHead) + "hello\r\n\r\n");
}

TEST(Warc, LeavesOutWhatIsEmpty) {
  crawler::WarcRecord record;
  record.type = "warcinfo";
  record.id = "urn:uuid:x";
  const std::string text = gunzipped(crawler::pack(record, Digest::sha256, Packing::gzip));
  EXPECT_EQ(text,
            "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: "
            "1970-01-01T00:00:00.000Z\r\n"
            "WARC-Block-Digest: "
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====\r\nContent-Length: 0\r\n\r\n"
            "\r\n\r\n");
}

TEST(Warc, NobodyEndsALineOrAHeader) {
  crawler::WarcRecord record = page("x");
  record.target = "http://a.test/\r\n\r\nWARC/1.1";
  record.id = "a>\nb";
  record.fields = {{"WARC-Filename", std::string("a\0b\x7f\x80", 5)}};
  record.payload_digest = "sha1:\n";
  const std::string text = gunzipped(crawler::pack(record, Digest::sha1, Packing::gzip));
  EXPECT_NE(text.find("WARC-Target-URI: http://a.test/%0D%0A%0D%0AWARC/1.1\r\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WARC-Filename: a%00b%7F%80\r\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WARC-Record-ID: <a>%0Ab>\r\n"), std::string::npos) << text;
  EXPECT_NE(text.find("WARC-Payload-Digest: sha1:%0A\r\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("\r\n\r\n"), text.find("Content-Length: 45\r\n\r\n") + 18);
}

TEST(Warc, CutsAValueThatIsTooLong) {
  crawler::WarcRecord record = page("x");
  for (const std::string& letter : {std::string("a"), std::string("\n")}) {
    std::string value;
    for (std::size_t i = 0; i <= crawler::kWarcValueMax; ++i) value += letter;
    record.fields = {{"WARC-Filename", value}};
    const std::string text = gunzipped(crawler::pack(record, Digest::sha1, Packing::gzip));
    const std::size_t begin = text.find("WARC-Filename: ") + 15;
    const std::size_t length = text.find("\r\n", begin) - begin;
    EXPECT_EQ(length, letter == "a" ? crawler::kWarcValueMax : crawler::kWarcValueMax / 3 * 3);
  }
}

TEST(Warc, AMemberIsTheSameRecordHoweverItIsPacked) {
  for (const std::size_t size : {0U, 1U, 65'534U, 65'535U, 65'536U, 200'000U, 3'000'000U}) {
    const std::string body = noise(size);
    crawler::WarcRecord record = page(body);
    const std::string plain = gunzipped(crawler::pack(record, Digest::sha1, Packing::gzip));
    EXPECT_TRUE(plain.ends_with(body + "\r\n\r\n"));
    record.packed = true;
    const std::string stored = crawler::pack(record, Digest::sha1, Packing::gzip);
    EXPECT_TRUE(gunzipped(stored) == plain) << size;
    EXPECT_LE(stored.size(), plain.size() + 18 + 5 * (plain.size() / 65'535 + 1));
    for (const bool packed : {false, true}) {
      record.packed = packed;
      const std::string frame = crawler::pack(record, Digest::sha1, Packing::zstd);
      ASSERT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), plain.size());
      EXPECT_NE(frame[4] & 4, 0) << "no checksum";
      EXPECT_EQ(ZSTD_findFrameCompressedSize(frame.data(), frame.size()), frame.size());
      std::string back(plain.size(), '\0');
      EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), frame.data(), frame.size()), plain.size());
      EXPECT_TRUE(back == plain) << size;
    }
  }
}

TEST(Warc, PagesShrink) {
  std::string body;
  for (int i = 0; i < 1000; ++i)
    body += "<li><a href=\"/articles/" + std::to_string(i) + "\">Article</a></li>\n";
  crawler::WarcRecord record = page(body);
  EXPECT_LT(crawler::pack(record, Digest::sha1, Packing::gzip).size(), body.size() / 4);
  EXPECT_LT(crawler::pack(record, Digest::sha1, Packing::zstd).size(), body.size() / 4);
  record.packed = true;
  EXPECT_GT(crawler::pack(record, Digest::sha1, Packing::gzip).size(), body.size());
}

TEST(Warc, ThreadsDoNotDisturbOneAnother) {
  const std::string body = noise(100'000);
  const std::string expected = crawler::pack(page(body), Digest::sha256, Packing::gzip);
  std::vector<std::string> got(4);
  std::vector<std::thread> threads;
  for (std::string& one : got) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) one = crawler::pack(page(body), Digest::sha256, Packing::gzip);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : got) EXPECT_TRUE(one == expected);
}

TEST(WarcId, IsAUuidOfVersion4) {
  EXPECT_EQ(crawler::warc_id(0, 0), "urn:uuid:00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(crawler::warc_id(~std::uint64_t{0}, ~std::uint64_t{0}),
            "urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff");
}

TEST(WarcDigest, IsAsOthersWriteIt) {
  EXPECT_EQ(crawler::digest_text(Digest::sha1, ""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(crawler::digest_text(Digest::sha256, ""),
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====");
  crawler::Hash hash(Digest::sha1);
  hash.add("hel");
  hash.add("lo");
  EXPECT_EQ(hash.end_text(), crawler::digest_text(Digest::sha1, "hello"));
}

TEST(WarcDigest, IsReadInAllItsForms) {
  const std::string octets = crawler::parse_digest("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ").octets;
  ASSERT_EQ(octets.size(), 20U);
  EXPECT_EQ(octets, crawler::Hash(Digest::sha1).end());
  for (const char* same :
       {"SHA-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk"}) {
    EXPECT_EQ(crawler::parse_digest(same).octets, octets) << same;
  }
  EXPECT_EQ(crawler::parse_digest("sha-256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ").octets,
            crawler::Hash(Digest::sha256).end());
  for (const char* bad :
       {"sha1:", "sha1:3I42", "sha1:1I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1",
        "sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:zz39a3ee5e6b4b0d3255bfef95601890afd80709"}) {
    EXPECT_EQ(crawler::parse_digest(bad).octets, "") << bad;
    EXPECT_TRUE(crawler::parse_digest(bad).kind) << bad;
  }
  for (const char* unknown : {"", "md5:x", "blake3:x", ":x"})
    EXPECT_FALSE(crawler::parse_digest(unknown).kind);
}

}  // namespace
