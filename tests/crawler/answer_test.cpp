#include "crawler/answer.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;

std::optional<base::Duration> max_age(const std::string& value) {
  fetch::Headers headers;
  headers.add("cache-control", value);
  return crawler::max_age_of(headers);
}

TEST(Answer, Rfc9111_5_2_2_1_MaxAge) {
  EXPECT_EQ(max_age("max-age=60"), base::Duration(60s));
  EXPECT_EQ(max_age("public, MAX-AGE=\"60\" , foo"), base::Duration(60s));
  EXPECT_EQ(max_age("max-age=60, max-age=30"), base::Duration(30s));
  EXPECT_EQ(max_age("max-age=60, no-cache"), base::Duration(0));
  EXPECT_EQ(max_age("no-store"), base::Duration(0));
  EXPECT_EQ(max_age("max-age=-5"), base::Duration(0));
  EXPECT_EQ(max_age("max-age=99999999999999999999999"), base::Duration(365 * 24h));
  EXPECT_EQ(max_age("s-maxage=60"), std::nullopt);
  EXPECT_EQ(crawler::max_age_of({}), std::nullopt);
}

TEST(Answer, AFailedExchangeIsNoAnswer) {
  fetch::Outcome outcome;
  outcome.status = 200;
  outcome.body = "User-agent: *";
  outcome.error = fetch::Error::truncated;
  const auto answer = crawler::to_answer(std::move(outcome), {});
  EXPECT_EQ(answer.status, 0);
  EXPECT_TRUE(answer.body.empty());
}

TEST(Answer, CarriesWhatTheCacheNeeds) {
  fetch::Outcome outcome;
  outcome.status = 503;
  outcome.headers.add("Retry-After", "7");
  outcome.headers.add("ETag", "\"1\"");
  outcome.headers.add("Last-Modified", "x");
  outcome.headers.add("Location", "/y");
  const auto answer = crawler::to_answer(std::move(outcome), {});
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.retry_after, base::Duration(7s));
  EXPECT_EQ(answer.etag, "\"1\"");
  EXPECT_EQ(answer.last_modified, "x");
  EXPECT_EQ(answer.location, "/y");
}

}  // namespace
