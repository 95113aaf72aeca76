// Every case of tests/data/robots.jsonl.
#include "robots/rules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace robots {
namespace {

using Json = nlohmann::json;

std::vector<Json> read_cases() {
  std::ifstream file(CRAWLD_TEST_DATA "/robots.jsonl");
  std::vector<Json> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(Json::parse(line));
  return cases;
}

config::Robots options_of(const Json& c) {
  config::Robots options;
  const Json mode = c.value("mode", Json::object());
  if (mode.is_object() && mode.value("grouping", "") == "rfc9309")
    options.grouping = config::Grouping::rfc9309;
  return options;
}

std::string clock_text(unsigned hhmm) {
  const std::string digits = std::to_string(hhmm);
  return std::string(4 - digits.size(), '0') + digits;
}

Json rates_of(const Rules& rules) {
  if (rules.request_rates().empty()) return nullptr;
  Json out = Json::array();
  for (const base::RequestRate& rate : rules.request_rates()) {
    Json one = {{"documents", rate.documents}, {"seconds", rate.seconds}, {"from", nullptr}, {"to", nullptr}};
    if (rate.window) one["from"] = clock_text(rate.window->written_from);
    if (rate.window) one["to"] = clock_text(rate.window->written_to);
    out.push_back(one);
  }
  return out;
}

Json sitemaps_of(const Rules& rules, const base::Url& url) {
  Json out = Json::array();
  for (const base::Url& sitemap : resolved_sitemaps(rules, *base::Url::resolve("/robots.txt", url))) {
    out.push_back(sitemap.text());
  }
  return out;
}

TEST(RobotsCases, AreAllAnsweredAsExpected) {
  const std::vector<Json> cases = read_cases();
  ASSERT_GE(cases.size(), 148U);
  for (const Json& c : cases) {
    SCOPED_TRACE(c["id"].get<std::string>() + ": " + c["why"].get<std::string>());
    const std::vector<std::string> tokens{c["agent"].get<std::string>()};
    const auto url = base::Url::parse(c["url"].get<std::string>());
    ASSERT_TRUE(url);
    const Rules rules = Rules::parse(c["robots"].get<std::string>(), tokens, options_of(c));
    EXPECT_EQ(rules.check(url->target()).allowed, c["allow"].get<bool>());
    if (!c["crawl_delay"].is_null()) {
      EXPECT_EQ(Json(rules.crawl_delay().value_or(-1)), c["crawl_delay"]);
    }
    if (!c["request_rates"].is_null()) {
      EXPECT_EQ(rates_of(rules), c["request_rates"]);
    }
    if (!c["sitemaps"].is_null()) {
      EXPECT_EQ(sitemaps_of(rules, *url), c["sitemaps"]);
    }
    // These say by their reason that nothing well formed is left.
    if (c["why"].get<std::string>().find("ignored") != std::string::npos &&
        c["id"].get<std::string>().starts_with("rat")) {
      if (c["request_rates"].is_null()) {
        EXPECT_TRUE(rules.request_rates().empty());
      }
    }
    if (c["id"].get<std::string>().starts_with("cdl") && c["crawl_delay"].is_null()) {
      EXPECT_FALSE(rules.crawl_delay());
    }
    if (c["id"] == "smp-006") {
      EXPECT_EQ(sitemaps_of(rules, *url), Json::array());
    }
  }
}

}  // namespace
}  // namespace robots
