#pragma once
// Lines of a crawl log, and a folder of crawl logs to report on.
// `crawld report`: lines read back, rotated files, hostile values, limits at their edges.
#include "base/time_text.h"
#include "crawler/crawl_log.h"
#include "crawler/report.h"
#include "tests/support/tool_fixture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace support {

using namespace std::chrono_literals;
using crawler::CrawlEntry;
using crawler::LogFiles;
using crawler::LogLine;
using crawler::read_log_line;
using crawler::Tallied;
using ::testing::HasSubstr;
using Json = nlohmann::json;

inline const base::WallTime kBegun = *base::parse_rfc3339("2026-11-21T01:36:56.075Z");
inline CrawlEntry entry_of(std::string_view url, base::Duration after = 0s) {
  CrawlEntry entry;
  entry.begun = kBegun + after;
  entry.logged = entry.begun + 48ms;
  entry.took = 47ms;
  entry.status = 200;
  entry.octets = 312;
  entry.url = url;
  entry.mime = "text/html; charset=utf-8";
  entry.fate = "fetched";
  entry.annotations = {"fetched"};
  entry.interval = scheduler::Interval{500ms, scheduler::Reason::request_rate};
  entry.axis = base::TimePoint(1000s + after);
  entry.robots = "rules";
  entry.robots_group = "*";
  entry.robots_rule = "Allow: /x y\u20ac\U0001F600\"\\";
  entry.robots_line = 3;
  entry.run = kBegun;
  return entry;
}

inline std::string line_in(bool json, const CrawlEntry& entry) {
  return json ? json_line(entry) : heritrix_line(entry);
}

class Report : public testing::Test {
 protected:
  Report() { std::filesystem::create_directories(folder_); }
  ~Report() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<Json> host(LogFiles log, crawler::HostQuestion question, int code = 0) {
    question.json = true;
    std::ostringstream out;
    EXPECT_EQ(report_host(log, question, std::nullopt, out, talk_), code);
    return objects(out.str());
  }
  std::vector<Json> tally(LogFiles log, Tallied what, std::uint64_t limit = 0) {
    std::ostringstream out;
    EXPECT_EQ(report_tally(log, what, limit, true, out, talk_), 0);
    return objects(out.str());
  }
  static std::vector<Json> objects(const std::string& text) {
    std::vector<Json> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) found.push_back(Json::parse(line));
    return found;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("report.{}.{}", ::getpid(), counter_++);
  std::ostringstream talk_;
  static inline int counter_ = 0;
};

}  // namespace support
