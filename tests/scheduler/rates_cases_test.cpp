// Every line of tests/data/rates.jsonl: what is in force at an instant, given wishes and bounds.
#include "gtest/gtest.h"
#include "scheduler/pace.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace scheduler {
namespace {

using nlohmann::json;

base::Duration seconds(double s) {
  return base::Duration(std::llround(s * 1e9));
}

/// `1659` -> the first minute outside: an end at minute 59 covers that minute.
base::DailyWindow window(const std::string& from, const std::string& to) {
  const int begin = std::stoi(from);
  const int end = std::stoi(to);
  const auto minutes = [](int hhmm) { return hhmm / 100 * 60 + hhmm % 100; };
  const int outside = minutes(end) + (end % 100 == 59 ? 1 : 0);
  return {static_cast<std::uint16_t>(minutes(begin)), static_cast<std::uint16_t>(outside),
          static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
}

Wishes wishes(const json& line) {
  Wishes result;
  for (const json& rate : line["request_rates"]) {
    base::RequestRate read{rate["documents"], rate["seconds"], std::nullopt};
    if (!rate["from"].is_null()) read.window = window(rate["from"], rate["to"]);
    result.rates.push_back(read);
  }
  if (!line["crawl_delay"].is_null()) result.crawl_delay = line["crawl_delay"];
  return result;
}

config::Politeness politeness(const json& keys) {
  config::Politeness result;
  result.default_interval = seconds(keys["default_interval_s"]);
  result.hard_minimum = seconds(keys["hard_min_interval_s"]);
  result.max_crawl_delay = seconds(keys["max_crawl_delay_s"]);
  result.rate_floor.reset();
  if (!keys["floor_interval_s"].is_null()) result.rate_floor = seconds(keys["floor_interval_s"]);
  return result;
}

/// 2026-11-21 at `hh:mm:ss`.
base::WallTime at(const std::string& utc) {
  const auto day = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
  return base::WallTime(day) + std::chrono::hours(std::stoi(utc.substr(0, 2))) +
         std::chrono::minutes(std::stoi(utc.substr(3, 2))) +
         std::chrono::seconds(std::stoi(utc.substr(6, 2)));
}

TEST(RatesCases, EveryLineHolds) {
  std::ifstream file(CRAWLD_TEST_DATA "/rates.jsonl");
  int cases = 0;
  for (std::string text; std::getline(file, text); ++cases) {
    const json line = json::parse(text);
    const Pace pace(wishes(line), politeness(line["config"]), "example.com", false);
    EXPECT_EQ(pace.at(at(line["utc"])).length, seconds(line["interval_s"])) << text;
  }
  EXPECT_GE(cases, 12);
}

}  // namespace
}  // namespace scheduler
