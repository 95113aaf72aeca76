#include "crawler/crawl_log.h"

#include "base/time_text.h"
#include "base/url.h"
#include "crawler/crawl_log_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace std::chrono_literals;
using crawler::CrawlEntry;
using crawler::Fate;
using crawler::heritrix_line;
using crawler::heritrix_status;
using crawler::json_line;
using fetch::Error;
using Json = nlohmann::json;

const base::WallTime kLogged = *base::parse_rfc3339("2026-11-21T01:36:56.123Z");

CrawlEntry page() {
  CrawlEntry entry;
  entry.logged = kLogged;
  entry.begun = kLogged - 48ms;
  entry.took = 47ms + 999us;
  entry.status = 200;
  entry.octets = 312;
  entry.url = "http://a.test/x?y=1";
  entry.path = "LLR";
  entry.via = "http://a.test/";
  entry.mime = "text/html; charset=utf-8";
  entry.worker = 3;
  entry.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  entry.source = "http://a.test/";
  entry.annotations = {"unchanged", "3t"};
  entry.fate = "fetched";
  return entry;
}

std::vector<std::string> columns_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> columns;
  for (std::string column; in >> column;) columns.push_back(column);
  return columns;
}

TEST(CrawlLog, HasHeritrixsColumns) {
  EXPECT_EQ(heritrix_line(page()),
            "2026-11-21T01:36:56.123Z   200        312 http://a.test/x?y=1 LLR http://a.test/ text/html #003 "
            "20261121013656075+47 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://a.test/ unchanged,3t\n");
}

TEST(CrawlLog, SaysWhatIsAbsent) {
  CrawlEntry entry;
  entry.logged = kLogged;
  entry.status = -9998;
  entry.url = "http://a.test/";
  EXPECT_EQ(heritrix_line(entry),
            "2026-11-21T01:36:56.123Z -9998          - http://a.test/ - - no-type #000 - - - -\n");
  EXPECT_EQ(
      json_line(entry),
      "{\"time\":\"2026-11-21T01:36:56.123Z\",\"url\":\"http://a.test/\",\"status\":-9998,\"worker\":0}\n");
}

TEST(CrawlLog, WideNumbersOnlyMakeTheColumnWider) {
  CrawlEntry entry = page();
  entry.octets = 123'456'789'012;
  entry.worker = 1234;
  const auto columns = columns_of(heritrix_line(entry));
  ASSERT_EQ(columns.size(), 12U);
  EXPECT_EQ(columns[2], "123456789012");
  EXPECT_EQ(columns[7], "#1234");
}

TEST(CrawlLog, WhateverStrangersWriteItIsOneLineOfThirteenColumns) {
  std::string hostile = "a b\n2026-11-21T01:36:56.123Z 200 1 http://forged/\r\t\x1b[31m\x7f\"\\,";
  hostile += '\0';
  for (int c = 1; c < 256; ++c) hostile += static_cast<char>(c);
  hostile += "\xE2\x80\xAE";  // right-to-left override
  CrawlEntry entry = page();
  entry.url = entry.via = entry.mime = entry.digest = entry.source = hostile;
  entry.error = entry.detail = entry.ip = entry.robots_rule = entry.warc_file = entry.fate = hostile;
  entry.robots = entry.robots_group = entry.behalf = hostile;
  entry.path = hostile;
  entry.annotations = {hostile, hostile};

  const std::string line = heritrix_line(entry);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_TRUE(std::all_of(line.begin(), line.end() - 1, [](char c) { return c >= ' ' && c < '\x7F'; }));
  const auto columns = columns_of(line);
  ASSERT_EQ(columns.size(), 13U);
  EXPECT_EQ(Json::parse(columns[12])["robots_rule"], Json::parse(json_line(entry))["robots_rule"]);
  EXPECT_TRUE(columns[3].starts_with("a%20b%0A2026-11-21T01:36:56.123Z%20200"));
  EXPECT_TRUE(columns[3].ends_with("%E2%80%AE"));
  EXPECT_EQ(columns[6], "a");
  EXPECT_EQ(std::count(columns[11].begin(), columns[11].end(), ','), 1);

  const std::string json = json_line(entry);
  EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), 1);
  EXPECT_EQ(json.find("\xE2\x80\xAE"), json.npos);
  EXPECT_TRUE(
      std::none_of(json.begin(), json.end() - 1, [](unsigned char c) { return c < ' ' || c == 0x7F; }));
  const Json read = Json::parse(json);
  EXPECT_EQ(read["url"].get<std::string>().substr(0, 4), "a b\n");
  EXPECT_EQ(read["annotations"].size(), 2U);
}

TEST(CrawlLog, UrlsAreWholeAndOtherTextsAreCut) {
  const std::string longest = "http://a.test/" + std::string(base::kUrlOctetsMax - 14, 'x');
  const std::string longer(crawler::kCrawlLogTextMax + 1, 'd');
  CrawlEntry entry = page();
  entry.url = entry.via = entry.source = longest;
  entry.digest = longer;
  entry.annotations.assign(crawler::kCrawlLogAnnotationsMax + 1, longer);
  const auto columns = columns_of(heritrix_line(entry));
  EXPECT_EQ(columns[3], longest);
  EXPECT_EQ(columns[5], longest);
  EXPECT_EQ(columns[9], longer.substr(1));
  EXPECT_EQ(columns[11].size(), crawler::kCrawlLogAnnotationsMax * (crawler::kCrawlLogTextMax + 1) - 1);
  const Json read = Json::parse(json_line(entry));
  EXPECT_EQ(read["url"], longest);
  EXPECT_EQ(read["digest"], longer.substr(1) + "…(+1)");
  EXPECT_EQ(read["annotations"].size(), crawler::kCrawlLogAnnotationsMax);
}

TEST(CrawlLog, JsonHasAllThatIsKnown) {
  CrawlEntry entry = page();
  entry.error = "truncated";
  entry.detail = "3 octets are missing";
  entry.ip = "127.0.0.1";
  entry.robots_rule = "Allow: /x";
  entry.robots_line = 4;
  entry.robots = "rules";
  entry.robots_group = "*";
  entry.interval = scheduler::Interval{1500ms, scheduler::Reason::crawl_delay};
  entry.axis = base::TimePoint(12'345'678us);
  entry.behalf = "http://b.test";
  entry.run = kLogged - 1h;
  entry.warc_file = "crawld-1.warc.gz";
  entry.warc_offset = 17;
  const Json expected = {{"time", "2026-11-21T01:36:56.123Z"},
                         {"url", "http://a.test/x?y=1"},
                         {"fate", "fetched"},
                         {"status", 200},
                         {"octets", 312},
                         {"begun", "2026-11-21T01:36:56.075Z"},
                         {"ms", 47},
                         {"ip", "127.0.0.1"},
                         {"path", "LLR"},
                         {"via", "http://a.test/"},
                         {"source", "http://a.test/"},
                         {"mime", "text/html; charset=utf-8"},
                         {"digest", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"},
                         {"worker", 3},
                         {"error", "truncated"},
                         {"detail", "3 octets are missing"},
                         {"robots_rule", "Allow: /x"},
                         {"robots_line", 4},
                         {"robots", "rules"},
                         {"robots_group", "*"},
                         {"interval", "1.5s"},
                         {"reason", "crawl_delay"},
                         {"axis_ms", 12'345},
                         {"behalf", "http://b.test"},
                         {"run", "2026-11-21T00:36:56.123Z"},
                         {"warc_file", "crawld-1.warc.gz"},
                         {"warc_offset", 17},
                         {"annotations", {"unchanged", "3t"}}};
  EXPECT_EQ(Json::parse(json_line(entry)), expected);
}

TEST(CrawlLog, TheEvidenceIsOneColumnOfAscii) {
  CrawlEntry entry = page();
  entry.robots_rule = "Allow: /\u00e9\u20ac\U0001F600 \"x\"\\";
  entry.robots_line = 7;
  const std::string line = heritrix_line(entry);
  const auto columns = columns_of(line);
  ASSERT_EQ(columns.size(), 13U);
  EXPECT_EQ(columns[12],
            "{\"robots_rule\":\"Allow:\\u0020/\\u00e9\\u20ac\\ud83d\\ude00\\u0020\\\"x\\\"\\\\\","
            "\"robots_line\":7}");
  EXPECT_EQ(Json::parse(columns[12])["robots_rule"], entry.robots_rule);
}

TEST(CrawlLog, ALineIsInTheFileAtOnceAndSaysOfWhichRunItIs) {
  config::Config config;
  config.crawl_log.format = config::CrawlLogFormat::json;
  config.crawl_log.file = testing::TempDir() + "/crawl_log." + std::to_string(::getpid());
  crawler::CrawlLog log(config);
  for (int written = 1; written <= 2; ++written) {
    CrawlEntry entry = page();
    entry.logged += written * 1s;
    log.write(entry);
    std::ifstream in(config.crawl_log.file);
    int lines = 0;
    for (std::string line; std::getline(in, line); ++lines) {
      EXPECT_EQ(Json::parse(line)["run"], base::rfc3339(kLogged + 1s));
    }
    EXPECT_EQ(lines, written);
  }
  std::filesystem::remove(config.crawl_log.file);
}

TEST(CrawlLog, EveryErrorHasAStatus) {
  const std::map<Error, int> table = {
      {Error::dns_failure, -1},
      {Error::dns_timeout, -1},
      {Error::blocked_address, -5001},
      {Error::blocked_port, -5001},
      {Error::refused, -2},
      {Error::unreachable, -2},
      {Error::connect_timeout, -2},
      {Error::tls_certificate, -2},
      {Error::tls, -2},
      {Error::timeout, -4},
      {Error::slow, -4},
      {Error::reset, -3},
      {Error::stale, -3},
      {Error::protocol, -3},
      {Error::head_limit, -3},
      {Error::truncated, -3},
      {Error::decode, -3},
      {Error::bomb, -3},
      {Error::proxy, -2},
      {Error::resources, -5},
      {Error::not_now, -50},
      {Error::cancelled, -7000},
  };
  EXPECT_EQ(heritrix_status(Fate::retry, Error::none, 503), 503);
  for (std::size_t i = 1; i < fetch::kErrors; ++i) {
    const auto error = static_cast<Error>(i);
    ASSERT_TRUE(table.contains(error)) << fetch::to_string(error);
    EXPECT_EQ(heritrix_status(Fate::retry, error, 0), table.at(error)) << fetch::to_string(error);
    EXPECT_EQ(heritrix_status(Fate::retry, error, 200), table.at(error)) << fetch::to_string(error);
    EXPECT_EQ(heritrix_status(Fate::given_up, error, 200), -8) << fetch::to_string(error);
  }
}

TEST(CrawlLog, EveryFateHasAStatus) {
  const std::map<Fate, int> table = {
      {Fate::fetched, 200},   {Fate::unchanged, 200},      {Fate::redirected, 200}, {Fate::disallowed, -9998},
      {Fate::blocked, -5001}, {Fate::gone, 200},           {Fate::refused, 200},    {Fate::retry, 200},
      {Fate::given_up, 200},  {Fate::out_of_scope, -5000}, {Fate::trap, -4000},
  };
  EXPECT_EQ(table.size(), crawler::kFates);
  for (const auto& [fate, status] : table) {
    EXPECT_EQ(heritrix_status(fate, Error::none, 200), status) << to_string(fate);
  }
  EXPECT_EQ(heritrix_status(Fate::fetched, Error::truncated, 200), 200);
}

}  // namespace
