// The conformance commands, over the same cases that the rooms are tested with.
#include "crawler/robots_tool.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace {

using Json = nlohmann::json;

std::vector<Json> lines_of(std::istream& in) {
  std::vector<Json> out;
  for (std::string line; std::getline(in, line);) out.push_back(Json::parse(line));
  return out;
}

std::vector<Json> cases(const std::string& name) {
  std::ifstream file(std::string(CRAWLD_TEST_DATA) + "/" + name);
  return lines_of(file);
}

using Tool = int (*)(std::istream&, std::ostream&, std::ostream&);

std::vector<Json> answers(const std::string& name, Tool tool) {
  std::ifstream in(std::string(CRAWLD_TEST_DATA) + "/" + name);
  std::stringstream out;
  std::stringstream talk;
  EXPECT_EQ(tool(in, out, talk), 0) << talk.str();
  return lines_of(out);
}

TEST(RobotsTool, AnswersEveryCaseAsExpected) {
  const auto asked = cases("robots.jsonl");
  const auto told = answers("robots.jsonl", crawler::answer_robots_lines);
  ASSERT_GE(asked.size(), 100U);
  ASSERT_EQ(asked.size(), told.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(told[i]["id"], asked[i]["id"]);
    EXPECT_EQ(told[i]["allow"], asked[i]["allow"]) << asked[i];
    for (const char* key : {"crawl_delay", "request_rates", "sitemaps"}) {
      EXPECT_TRUE(asked[i][key].is_null() || told[i][key] == asked[i][key]) << key << told[i] << asked[i];
    }
    EXPECT_EQ(told[i]["rule"].is_null(), told[i]["line"].is_null()) << told[i];
    EXPECT_TRUE(told[i]["allow"].get<bool>() || told[i]["rule"].is_string()) << told[i];
  }
}

TEST(RobotsTool, AnswersEveryRateCaseAsExpected) {
  const auto asked = cases("rates.jsonl");
  const auto told = answers("rates.jsonl", crawler::answer_pace_lines);
  ASSERT_GE(asked.size(), 10U);
  ASSERT_EQ(asked.size(), told.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_NEAR(told[i]["interval_s"].get<double>(), asked[i]["interval_s"].get<double>(), 1e-6) << asked[i];
  }
}

TEST(RobotsTool, ABadLineIsNamedAndTheOthersAreAnswered) {
  std::istringstream in(
      "{\"id\":1}\n"
      "not json\n"
      "{\"id\":3,\"robots\":\"User-agent: *\\nDisallow: /x\",\"agent\":\"a\",\"url\":\"http://h.test/x\"}\n");
  std::ostringstream out;
  std::ostringstream talk;
  EXPECT_EQ(crawler::answer_robots_lines(in, out, talk), 65);
  EXPECT_NE(talk.str().find("line 1: "), std::string::npos);
  EXPECT_NE(talk.str().find("line 2: "), std::string::npos);
  std::istringstream told(out.str());
  const auto all = lines_of(told);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2]["id"], 3);
  EXPECT_EQ(all[2]["allow"], false);
  EXPECT_EQ(all[2]["rule"], "Disallow: /x");
  EXPECT_EQ(all[2]["line"], 2);
}

TEST(RobotsTool, TellsAPersonWhichLineDecidesAndHowFast) {
  std::ostringstream out;
  std::ostringstream talk;
  const crawler::RobotsQuestion question{"User-agent: *\nDisallow: /x\nRequest-rate: 1/60s\nNonsense\n",
                                         {"mybot"},
                                         {"http://h.test/x", "http://h.test/y", "h.test"},
                                         {},
                                         false};
  EXPECT_EQ(crawler::answer_robots(question, out, talk), 65);  // the last is no URL
  EXPECT_NE(out.str().find("disallowed  http://h.test/x"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("line 2: Disallow: /x"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("allowed     http://h.test/y"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("interval: 10s (rate_floor)"), std::string::npos) << out.str();
  EXPECT_NE(talk.str().find("robots.txt:4: "), std::string::npos) << talk.str();
  EXPECT_NE(talk.str().find("h.test: "), std::string::npos) << talk.str();
}

}  // namespace
