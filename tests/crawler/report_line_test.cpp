#include "tests/support/report_fixture.h"

namespace {

using namespace std::chrono_literals;
using namespace support;

constexpr std::string_view kColumns =
    "2026-11-21T01:36:56.123Z   200        312 http://a.test/x L - text/html #003 20261121013656075+47 - - "
    "fetched";

LogLine read(std::string_view text) {
  LogLine line;
  EXPECT_EQ(read_log_line(text, line), "") << text;
  return line;
}

std::string why_not(std::string_view text) {
  LogLine line;
  return read_log_line(text, line);
}

TEST(ReportLine, BothFormsSayTheSame) {
  for (const bool json : {false, true}) {
    std::string text = line_in(json, entry_of("http://a.test/x"));
    ASSERT_EQ(text.back(), '\n');
    text.pop_back();
    const LogLine line = read(text);
    EXPECT_EQ(line.logged, kBegun + 48ms);
    EXPECT_EQ(line.begun, kBegun);
    EXPECT_EQ(line.took_ms, 47);
    EXPECT_EQ(line.status, 200);
    EXPECT_EQ(line.octets, 312U);
    EXPECT_EQ(line.url, "http://a.test/x");
    EXPECT_EQ(line.mime, "text/html");
    EXPECT_EQ(line.fate, "fetched");
    EXPECT_EQ(line.interval, 500ms);
    EXPECT_EQ(line.reason, "request_rate");
    EXPECT_EQ(line.axis_ms, 1'000'000);
    EXPECT_EQ(line.robots, "rules");
    EXPECT_EQ(line.group, "*");
    EXPECT_EQ(line.rule, "Allow: /x y\u20ac\U0001F600\"\\");
    EXPECT_EQ(line.rule_line, 3U);
    EXPECT_EQ(line.run, "2026-11-21T01:36:56.075Z");
    EXPECT_TRUE(line.asked());
  }
}

TEST(ReportLine, LinesOfOlderVersionsHaveTwelveColumns) {
  const LogLine line = read(kColumns);
  EXPECT_EQ(line.begun, kBegun);
  EXPECT_FALSE(line.interval);
  EXPECT_FALSE(line.axis_ms);
  EXPECT_EQ(read(std::string(kColumns) + " -").rule, "");
}

TEST(ReportLine, WhatWasAskedAndWhatWasNot) {
  struct Case {
    int status;
    std::string annotations;
    bool begun;
    bool asked;
  };
  const Case table[] = {
      {200, "fetched", true, true},
      {-9998, "disallowed", false, false},
      {-1, "retry,dns_failure", true, false},
      {-2, "retry,refused", true, false},
      {-8, "given_up,refused", true, false},
      {-8, "given_up,timeout", true, true},
      {-4, "retry,timeout", true, true},
      {-3, "retry,stale", true, true},
      {-7000, "retry,cancelled", true, true},
      {-5001, "robots", true, false},
      {-2, "robots", true, false},
      {-4, "robots", true, true},
      {-50, "retry,not_now", true, false},
      {404, "robots", true, true},
  };
  for (const Case& each : table) {
    const LogLine line =
        read(fmt::format("2026-11-21T01:36:56.123Z {} 0 http://a.test/ - - no-type #000 {} - - {}",
                         each.status, each.begun ? "20261121013656075+47" : "-", each.annotations));
    EXPECT_EQ(line.asked(), each.asked) << each.status << ' ' << each.annotations;
  }
}

TEST(ReportLine, RefusedIsAFateAndAnError) {
  for (const bool json : {false, true}) {
    CrawlEntry entry = entry_of("http://a.test/");
    entry.fate = "refused";
    entry.annotations = {"refused"};
    std::string text = line_in(json, entry);
    text.pop_back();
    EXPECT_EQ(read(text).fate, "refused");
    EXPECT_EQ(read(text).error, "");
    entry.fate = "retry";
    entry.error = "refused";
    entry.annotations = {"retry", "refused"};
    text = line_in(json, entry);
    text.pop_back();
    EXPECT_EQ(read(text).fate, "retry");
    EXPECT_EQ(read(text).error, "refused");
  }
}

TEST(ReportLine, HostileLinesAreNotReadAndSayWhy) {
  const std::pair<std::string, std::string> table[] = {
      {"rubbish", "12 columns"},
      {std::string(kColumns.substr(0, kColumns.rfind(' '))), "12 columns"},
      {"yesterday 200 1 http://a.test/ - - - #1 - - - -", "RFC 3339"},
      {"2026-11-21T01:36:56Z 2x0 1 http://a.test/ - - - #1 - - - -", "status"},
      {"2026-11-21T01:36:56Z 1000 1 http://a.test/ - - - #1 - - - -", "status"},
      {"2026-11-21T01:36:56Z -10000 1 http://a.test/ - - - #1 - - - -", "status"},
      {"2026-11-21T01:36:56Z 200 18446744073709551616 http://a.test/ - - - #1 - - - -", "size"},
      {"2026-11-21T01:36:56Z 200 -1 http://a.test/ - - - #1 - - - -", "size"},
      {"2026-11-21T01:36:56Z 200 1 http://a.test/ - - - 1 - - - -", "worker"},
      {"2026-11-21T01:36:56Z 200 1 dns:a.test - - - #1 - - - -", "url"},
      {"2026-11-21T01:36:56Z 200 1 http://a.test/ - - - #1 2026112101365607+1 - - -", "17 digits"},
      {"2026-11-21T01:36:56Z 200 1 http://a.test/ - - - #1 20261321013656075+1 - - -", "begin"},
      {"2026-11-21T01:36:56Z 200 1 http://a.test/ - - - #1 20261121013656075 - - -", "duration"},
      {"2026-11-21T01:36:56Z 200 1 http://a.test/ - - - #1 20261121013656075+9223372036854775807 - - -",
       "duration"},
      {std::string(kColumns) + " {\"interval\":\"5s\"", "whole JSON"},
      {std::string(kColumns) + " {\"interval\":\"5 apples\"}", "interval"},
      {std::string(kColumns) + " {\"axis_ms\":1e300}", "axis_ms"},
      {std::string(kColumns) + " {\"robots_line\":-1}", "robots_line"},
      {std::string(kColumns) + " {\"robots_rule\":7}", "robots_rule"},
      {"{", "whole JSON"},
      {"{}", "time is missing"},
      {R"({"time":"2026-11-21T01:36:56Z","url":"http://a.test/"})", "status is missing"},
      {R"({"time":"2026-11-21T01:36:56Z","status":200})", "url"},
      {R"({"time":"2026-11-21T01:36:56Z","status":200,"url":["http://a.test/"]})", "url"},
      {R"({"time":"2026-11-21T01:36:56Z","status":200,"url":"http://a.test/","ms":-1})", "ms"},
      {R"({"time":"2026-11-21T01:36:56Z","status":2.5,"url":"http://a.test/"})", "status"},
      {"{\"time\":\"2026-11-21T01:36:56Z\",\"status\":200,\"url\":\"http://a.test/\xff\"}", "whole JSON"},
      {"{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}", "time is missing"},
  };
  for (const auto& [text, why] : table) EXPECT_THAT(why_not(text), HasSubstr(why)) << text.substr(0, 200);
}

TEST(ReportLine, TheLongestLineIsRead) {
  std::string text = R"({"time":"2026-11-21T01:36:56Z","status":200,"url":"http://a.test/","x":")";
  text += std::string(crawler::kLogLineMax - text.size() - 2, 'x') + "\"}";
  ASSERT_EQ(text.size(), crawler::kLogLineMax);
  EXPECT_EQ(why_not(text), "");
  text.insert(text.size() - 2, "x");
  EXPECT_THAT(why_not(text), HasSubstr("longer than 262144 octets"));
}

TEST(ReportLine, TheLongestLineThatIsWrittenCanBeRead) {
  const std::string hostile(20'000, '\xff');
  CrawlEntry entry = entry_of(hostile);
  entry.path = hostile;
  entry.via = entry.source = entry.mime = entry.digest = entry.error = entry.detail = hostile;
  entry.warc_file = entry.ip = entry.robots_rule = entry.robots_group = entry.behalf = hostile;
  entry.annotations.assign(crawler::kCrawlLogAnnotationsMax + 1, hostile);
  for (const bool json : {false, true}) EXPECT_LT(line_in(json, entry).size(), crawler::kLogLineMax);
}

}  // namespace
