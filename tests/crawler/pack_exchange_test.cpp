#include "crawler/pack_exchange.h"

#include "crawler/digest.h"
#include "crawler/warc_reader.h"

#include <gtest/gtest.h>

#include <sstream>

namespace crawler {
namespace {

struct Read {
  std::string head;
  std::string block;
};

/// The records, each with its problems as a failure.
std::vector<Read> read(const Parcel& parcel) {
  std::string all;
  for (const Parcel::Member& member : parcel.members) all += member.octets;
  std::istringstream in(all);
  WarcReader reader(in, WarcReader::Look::all,
                    [](const WarcProblem& problem) { ADD_FAILURE() << problem.what; });
  std::vector<Read> records;
  while (const WarcEntry* entry = reader.next()) {
    Read one{entry->head, {}};
    for (std::string_view octets = reader.read(); !octets.empty(); octets = reader.read())
      one.block += octets;
    records.push_back(std::move(one));
    EXPECT_TRUE(reader.finish().whole);
  }
  EXPECT_EQ(reader.whole_until(), all.size());
  return records;
}

class PackExchange : public ::testing::Test {
 protected:
  PackExchange() {
    outcome_.status = 200;
    outcome_.peer = *base::IpAddress::parse("192.0.2.7");
    outcome_.body = "hello, world";
    outcome_.headers.add("Content-Type", "text/html; charset=utf-8");
    outcome_.wire.request = "GET /p HTTP/1.1\r\nHost: a.test\r\n\r\n";
    outcome_.wire.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
  }
  Exchange exchange() { return {.url = url_, .outcome = outcome_, .begun = at_}; }
  Parcel pack(const Exchange& exchange) { return pack_exchange(config_, exchange, random_); }

  const base::Url url_ = *base::Url::parse("http://a.test/p");
  const base::WallTime at_ = std::chrono::sys_days(std::chrono::year(2026) / 3 / 1);
  config::Archive config_;
  base::Random random_{5};
  fetch::Outcome outcome_;
};

bool has(const Read& record, std::string_view line) {
  return record.head.find(std::string(line) + "\r\n") != std::string::npos;
}

TEST_F(PackExchange, RequestResponseAndMetadataBelongTogether) {
  Exchange whole = exchange();
  whole.metadata = {{"fate", "fetched"}, {"title", "two\r\nlines"}};
  const Parcel parcel = pack(whole);
  const std::vector<Read> records = read(parcel);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_TRUE(has(records[0], "WARC-Type: response"));
  EXPECT_TRUE(has(records[0], "WARC-Date: 2026-03-01T00:00:00.000Z"));
  EXPECT_TRUE(has(records[0], "WARC-IP-Address: 192.0.2.7"));
  EXPECT_TRUE(has(records[0], "WARC-Payload-Digest: " + digest_text(Digest::sha1, "hello, world")));
  EXPECT_EQ(records[0].block, outcome_.wire.head + "hello, world");
  EXPECT_TRUE(has(records[1], "WARC-Type: request"));
  EXPECT_EQ(records[1].block, outcome_.wire.request);
  EXPECT_EQ(records[2].block, "fate: fetched\r\ntitle: two  lines\r\n");
  const std::size_t at = records[0].head.find("<urn:uuid:");
  const std::string id = records[0].head.substr(at, records[0].head.find('>', at) + 1 - at);
  EXPECT_TRUE(has(records[1], "WARC-Concurrent-To: " + id));
  EXPECT_TRUE(has(records[2], "WARC-Concurrent-To: " + id));
  ASSERT_TRUE(parcel.members[0].index);
  EXPECT_EQ(parcel.members[0].index->content_type, "text/html; charset=utf-8");
  EXPECT_FALSE(parcel.members[1].index || parcel.members[2].index);
}

TEST_F(PackExchange, TheBodyIsKeptAsItWasCodedAndChunksAreToldOfUnderAnotherName) {
  outcome_.wire.has_coding = true;
  outcome_.wire.coded = "octets that only gzip understands";
  outcome_.wire.chunked = true;
  outcome_.wire.head =
      "HTTP/1.1 200 OK\r\nTransfer-ENCODING: chunked\r\nTransfer: x\r\nContent-Encoding: gzip\r\n\r\n";
  const std::vector<Read> records = read(pack(exchange()));
  ASSERT_EQ(records.size(), 2U);  // no metadata, no such record
  EXPECT_EQ(records[0].block,
            "HTTP/1.1 200 OK\r\nX-Crawl-Transfer-ENCODING: chunked\r\nTransfer: x\r\nContent-Encoding: "
            "gzip\r\n\r\n" +
                outcome_.wire.coded);
}

TEST_F(PackExchange, WhyAPayloadIsNotWhole) {
  outcome_.cut = true;
  EXPECT_TRUE(has(read(pack(exchange()))[0], "WARC-Truncated: length"));
  outcome_.error = fetch::Error::truncated;
  EXPECT_TRUE(has(read(pack(exchange()))[0], "WARC-Truncated: disconnect"));
}

TEST_F(PackExchange, ATwinAndAnAnswerOf304AreRevisits) {
  Exchange again = exchange();
  again.twin = Twin{"http://a.test/first", at_ - std::chrono::hours(1)};
  std::vector<Read> records = read(pack(again));
  EXPECT_TRUE(has(records[0], "WARC-Type: revisit"));
  EXPECT_TRUE(
      has(records[0], "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"));
  EXPECT_TRUE(has(records[0], "WARC-Refers-To-Target-URI: http://a.test/first"));
  EXPECT_TRUE(has(records[0], "WARC-Refers-To-Date: 2026-02-28T23:00:00.000Z"));
  EXPECT_TRUE(has(records[0], "WARC-Payload-Digest: " + digest_text(Digest::sha1, "hello, world")));
  EXPECT_EQ(records[0].block, outcome_.wire.head);
  outcome_.status = 304;
  Exchange unchanged = exchange();
  unchanged.not_modified = true;
  records = read(pack(unchanged));
  EXPECT_TRUE(has(records[0], "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified"));
  EXPECT_EQ(records[0].head.find("Payload-Digest"), std::string::npos);
}

TEST_F(PackExchange, OfAPageThatAskedNotToBeKeptOnlyThatIsWritten) {
  Exchange secret = exchange();
  secret.metadata_alone = true;
  secret.metadata = {{"indexRules", "noarchive"}};
  const Parcel parcel = pack(secret);
  const std::vector<Read> records = read(parcel);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(has(records[0], "WARC-Type: metadata"));
  EXPECT_EQ(records[0].head.find("Concurrent"), std::string::npos);
  EXPECT_EQ(parcel.members[0].octets.find("hello"), std::string::npos);
}

TEST_F(PackExchange, TheFilterOfTypesStatusesAndSizes) {
  const auto kept = [this] { return is_kept(config_, outcome_); };
  EXPECT_TRUE(kept());
  config_.types = {"image/*"};
  EXPECT_FALSE(kept());
  config_.types = {"image/*", "text/html"};
  EXPECT_TRUE(kept());
  config_.types = {"text/*"};
  EXPECT_TRUE(kept());
  config_.types = {"textual/*"};
  EXPECT_FALSE(kept());
  config_.types = {};
  config_.statuses = {"404", "3xx"};
  EXPECT_FALSE(kept());
  config_.statuses = {"2xx"};
  EXPECT_TRUE(kept());
  config_.statuses = {"200"};
  EXPECT_TRUE(kept());
  config_.max_size = 12;
  EXPECT_TRUE(kept());
  config_.max_size = 11;
  EXPECT_FALSE(kept());
}

TEST_F(PackExchange, AProxysAddressIsNotTheServers) {
  Exchange proxied = exchange();
  proxied.address_known = false;
  EXPECT_EQ(read(pack(proxied))[0].head.find("WARC-IP-Address"), std::string::npos);
}

}  // namespace
}  // namespace crawler
