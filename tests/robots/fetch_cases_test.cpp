// Every case of tests/data/fetch.jsonl, step by step through the Cache.
#include "base/time_text.h"
#include "robots/cache.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace robots {
namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

constexpr base::TimePoint kStart{std::chrono::hours(1000)};

/// What a fetch would have made of the step: a broken exchange has no status, a body comes decoded.
Answer answer_of(const Json& step) {
  Answer answer;
  if (step.contains("error") || step.contains("close_after")) return answer;
  answer.status = step["status"].get<int>();
  answer.body = step.value("body", "");
  answer.location = step.value("location", "");
  const Json headers = step.value("headers", Json::object());
  answer.etag = headers.value("ETag", "");
  if (headers.contains("Retry-After")) {
    answer.retry_after = base::parse_retry_after(headers["Retry-After"].get<std::string>(), {});
  }
  const std::string control = headers.value("Cache-Control", "");
  if (control.starts_with("max-age=")) answer.max_age = std::chrono::seconds(std::stol(control.substr(8)));
  return answer;
}

class FetchCase : public testing::TestWithParam<Json> {};

TEST_P(FetchCase, EndsAsExpected) {
  const Json& c = GetParam();
  const Json& expected = c["expect"];
  if (expected.contains("host_paused") || expected.contains("host_paused_s")) {
    GTEST_SKIP() << "about a page and the host's pause: tests/scenario has it";
  }
  SCOPED_TRACE(c["why"].get<std::string>());
  Cache cache({"crawld"}, {});
  base::Random random(1);
  base::TimePoint now = kStart;
  const base::Url first = *base::Url::parse(c["steps"][0]["get"].get<std::string>());
  const base::Origin origin = first.origin();

  std::size_t asked = 0;
  for (const Json& step : c["steps"]) {
    now = kStart + std::chrono::seconds(step.value("t", 0));
    const auto want = cache.want(origin, now, random);
    if (!want) break;
    ASSERT_EQ(want->url.text(), base::Url::parse(step["get"].get<std::string>())->text());
    EXPECT_FALSE(cache.want(origin, now, random)) << "one request at a time";
    EXPECT_FALSE(cache.due(origin, now));
    cache.learn(origin, answer_of(step), now, random);
    ++asked;
  }
  EXPECT_GE(asked, 1U);

  const base::Url url = *base::Url::parse(expected.value("url", std::string(origin.text()) + "/"));
  const Verdict verdict = cache.check(url, now);
  const auto due = cache.due(origin, now);
  ASSERT_TRUE(due);
  EXPECT_GT(*due, now) << "the fetch is over";
  if (expected.contains("access")) {
    EXPECT_EQ(to_string(verdict.access), expected["access"].get<std::string>());
  }
  if (expected.contains("allow")) {
    EXPECT_EQ(verdict.decision.allowed, expected["allow"].get<bool>());
  }
  if (expected.value("retry", false)) {
    EXPECT_LE(*due - now, 6h);
  }
  if (expected.contains("retry_after_s")) {
    EXPECT_EQ(*due - now, std::chrono::seconds(expected["retry_after_s"].get<int>()));
  }
  if (expected.contains("refetch_by_s")) {
    EXPECT_LE(*due - kStart, std::chrono::seconds(expected["refetch_by_s"].get<int>()));
  }
  for (const Json& other : expected.value("scope_not", Json::array())) {
    const base::Url elsewhere = *base::Url::parse(other.get<std::string>());
    EXPECT_EQ(cache.check(elsewhere, now).access, Access::unknown);
    EXPECT_LE(cache.due(elsewhere.origin(), now), now);
  }
}

std::vector<Json> read_cases() {
  std::ifstream file(CRAWLD_TEST_DATA "/fetch.jsonl");
  std::vector<Json> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(Json::parse(line));
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, FetchCase, testing::ValuesIn(read_cases()), [](const auto& one) {
  std::string name = one.param["id"].template get<std::string>();
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(FetchCases, AreThere) {
  EXPECT_GE(read_cases().size(), 25U);
}

}  // namespace
}  // namespace robots
