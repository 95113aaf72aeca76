#include "crawler/frontier.h"

#include "crawler/scope.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using crawler::Frontier;
using crawler::Offered;

base::Url url(std::string_view text) {
  return *base::Url::parse(text);
}
crawler::Offer offer(std::string_view text, std::uint32_t depth = 0) {
  return {url(text), depth, 0, false};
}
const base::Origin kA = url("http://a.test/").origin();

std::string taken(Frontier& frontier, base::TimePoint now = {}) {
  const auto item = frontier.take(kA, now);
  return item ? std::string(item->url.target()) : "none";
}

TEST(Frontier, TakesEachUrlOnceLeastDepthFirstThenFirstCome) {
  Frontier frontier(1, 100);
  EXPECT_EQ(frontier.offer(offer("http://a.test/deep", 2)), Offered::queued);
  EXPECT_EQ(frontier.offer(offer("http://a.test/1", 1)), Offered::queued);
  EXPECT_EQ(frontier.offer(offer("http://a.test/2", 1)), Offered::queued);
  EXPECT_EQ(frontier.offer(offer("http://a.test/1", 0)), Offered::seen);
  EXPECT_EQ(frontier.offer(offer("http://b.test/1", 0)), Offered::queued);
  EXPECT_EQ(frontier.owed(), 4U);
  EXPECT_EQ(taken(frontier), "/1");
  EXPECT_EQ(taken(frontier), "/2");
  EXPECT_EQ(taken(frontier), "/deep");
  EXPECT_EQ(taken(frontier), "none");
  EXPECT_EQ(frontier.offer(offer("http://a.test/1", 0)), Offered::seen);
}

TEST(Frontier, PutBackIsFirstAgain) {
  Frontier frontier(1, 100);
  frontier.offer(offer("http://a.test/1"));
  frontier.offer(offer("http://a.test/2"));
  frontier.put_back(*frontier.take(kA, {}));
  EXPECT_EQ(taken(frontier), "/1");
}

TEST(Frontier, ARetryWaitsForItsTimeAndOthersGoFirst) {
  Frontier frontier(1, 100);
  frontier.offer(offer("http://a.test/1"));
  frontier.offer(offer("http://a.test/2"));
  auto item = *frontier.take(kA, {});
  item.attempts = 3;
  frontier.retry(std::move(item), base::TimePoint(10s));
  EXPECT_EQ(frontier.next_retry(kA), base::TimePoint(10s));
  EXPECT_EQ(taken(frontier, base::TimePoint(9s)), "/2");
  EXPECT_FALSE(frontier.ready(kA, base::TimePoint(9s)));
  EXPECT_EQ(taken(frontier, base::TimePoint(9s)), "none");
  EXPECT_TRUE(frontier.ready(kA, base::TimePoint(10s)));
  const auto again = frontier.take(kA, base::TimePoint(10s));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->attempts, 3U);
  EXPECT_EQ(frontier.owed(), 2U);
  frontier.settle(*again, crawler::Fate::given_up);
  EXPECT_EQ(frontier.owed(), 1U);
}

TEST(Frontier, TheBudgetOfAnOriginIsItsOwn) {
  Frontier frontier(1, 2);
  EXPECT_EQ(frontier.offer(offer("http://a.test/1")), Offered::queued);
  EXPECT_EQ(frontier.offer(offer("http://a.test/2")), Offered::queued);
  EXPECT_EQ(frontier.offer(offer("http://a.test/3")), Offered::budget);
  EXPECT_EQ(frontier.offer(offer("http://a.test/1")), Offered::seen);
  EXPECT_EQ(frontier.offer(offer("https://a.test/1")), Offered::queued);  // another origin
}

TEST(Scope, FollowsHostDomainOrAny) {
  const std::vector<config::Seed> seeds{{url("http://www.a.co.uk/"), "test"}};
  config::Scope config;
  config.max_depth = 2;
  const struct {
    config::Follow follow;
    const char* url;
    bool in;
  } rows[] = {
      {config::Follow::host, "https://www.a.co.uk:8080/x", true},
      {config::Follow::host, "http://a.co.uk/", false},
      {config::Follow::domain, "http://b.a.co.uk/", true},
      {config::Follow::domain, "http://b.co.uk/", false},
      {config::Follow::any, "http://b.example/", true},
  };
  for (const auto& row : rows) {
    config.follow = row.follow;
    const crawler::Scope scope(config, seeds);
    EXPECT_EQ(scope.check(url(row.url), 2) == crawler::InScope::yes, row.in) << row.url;
    EXPECT_EQ(scope.check(url(row.url), 3), crawler::InScope::too_deep) << row.url;
    EXPECT_TRUE(scope.possible(url(row.url)) || !row.in) << row.url;
  }
}

TEST(Scope, ASeedsRedirectWidensItOnlyWithinItsRegistrableDomain) {
  crawler::Scope scope({}, {{url("http://a.test/"), "test"}});
  scope.follow_seed(url("http://www.a.test/"));
  scope.follow_seed(url("http://www.b.test/"));
  EXPECT_EQ(scope.check(url("http://www.a.test/x"), 0), crawler::InScope::yes);
  EXPECT_EQ(scope.check(url("http://www.b.test/x"), 0), crawler::InScope::foreign_host);
}

}  // namespace
