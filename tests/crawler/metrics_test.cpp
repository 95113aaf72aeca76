#include "crawler/metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace {

using namespace std::chrono_literals;
using namespace crawler;

std::map<std::string, std::string> series_of(const std::string& text) {
  std::map<std::string, std::string> series;
  std::istringstream lines(text);
  std::set<std::string> families;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(families.insert(line.substr(7, line.find(' ', 7) - 7)).second) << line;
    }
    if (line.starts_with("#")) continue;
    const std::size_t blank = line.rfind(' ');
    EXPECT_TRUE(series.emplace(line.substr(0, blank), line.substr(blank + 1)).second) << line;
  }
  return series;
}

TEST(Metrics, EachSeriesIsOnceAndThereAreFew) {
  const auto series = series_of(metrics_text(Condition{}, ProcessStats{}));
  EXPECT_GT(series.size(), 200U);
  EXPECT_LE(series.size(), 600U);
  EXPECT_EQ(series.at("crawld_state{state=\"starting\"}"), "1");
  EXPECT_EQ(series.at("crawld_state{state=\"running\"}"), "0");
}

TEST(Metrics, HistogramsAddUp) {
  Condition condition;
  Histogram& gaps = condition.total.counters.gaps;
  for (const base::Duration gap : std::initializer_list<base::Duration>{500us, 2s, 2s, 5h}) gaps.add(gap);
  const auto series = series_of(metrics_text(condition, ProcessStats{}));
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_bucket{le=\"0.001\"}"), "1");
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_bucket{le=\"1\"}"), "1");
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_bucket{le=\"2.5\"}"), "3");
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_bucket{le=\"3600\"}"), "3");
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_bucket{le=\"+Inf\"}"), "4");
  EXPECT_EQ(series.at("crawld_politeness_wait_seconds_count"), "4");
}

TEST(Metrics, WhatIsDueAndNotAskedShows) {
  Condition condition;
  condition.now.steady = base::TimePoint(1h);
  condition.total.next = {base::Url::parse("http://a.test/")->origin(), {base::TimePoint(50min), {}}};
  auto series = series_of(metrics_text(condition, ProcessStats{}));
  EXPECT_EQ(series.at("crawld_frontier_oldest_due_seconds"), "600");
  condition.total.next->second.due = base::TimePoint(2h);
  series = series_of(metrics_text(condition, ProcessStats{}));
  EXPECT_EQ(series.at("crawld_frontier_oldest_due_seconds"), "0");
}

TEST(ProcessStats, AreThoseOfThisProcess) {
  const ProcessStats stats = process_stats();
  EXPECT_GT(stats.resident_octets, 1'000'000U);
  EXPECT_GT(stats.open_descriptors, 2U);
  EXPECT_GE(stats.max_descriptors, stats.open_descriptors);
  EXPECT_GE(stats.threads, 1U);
  EXPECT_GT(stats.started, 1.7e9);
}

}  // namespace
