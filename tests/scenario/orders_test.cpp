// What an operator orders while the crawl runs, in virtual time.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using crawler::HostState;
using crawler::Orders;
using support::Crawl;
using support::Reply;

support::FakeWeb::Handler site(std::string robots) {
  return [robots = std::move(robots)](const std::string& target, base::Now, const fetch::Request&) {
    Reply reply;
    if (target == "/robots.txt") reply.body = robots;
    return reply;
  };
}

std::vector<std::string> many(const std::string& origin, int count) {
  std::vector<std::string> urls;
  for (int i = 0; i < count; ++i) urls.push_back(origin + "/" + std::to_string(i));
  return urls;
}

class OrdersInForce : public ::testing::Test {
 protected:
  OrdersInForce() {
    crawl_.config.politeness.default_interval = 10s;
    crawl_.config.politeness.latency_factor = 0;
    crawl_.web.add("http://a.test", "192.0.2.1", site(""));
    crawl_.web.add("http://b.test", "192.0.2.2", site("User-agent: *\nCrawl-delay: 60\n"));
    std::vector<std::string> seeds = many("http://a.test", 1000);
    for (std::string& url : many("http://b.test", 1000)) seeds.push_back(std::move(url));
    crawl_.start(seeds);
  }
  ~OrdersInForce() override { crawl_.finish(); }
  void say(std::string_view host, const crawler::Order& order) {
    orders_.set(host, order);
    crawl_.shards[0]->set_orders(std::make_shared<const Orders>(orders_));
  }
  std::size_t seen(const std::string& origin) const { return crawl_.requests_to(origin).size(); }
  crawler::HostRow row(std::string_view host) const {
    for (const crawler::HostRow& found : crawl_.shards[0]->rows(100)) {
      if (found.origin.host() == host) return found;
    }
    ADD_FAILURE() << host;
    return {};
  }
  base::WallTime now() const { return crawl_.clock.now().wall; }

  Crawl crawl_;
  Orders orders_;
};

TEST_F(OrdersInForce, APausedHostGetsNothingUntilTheInstantAndTheOthersGoOn) {
  crawl_.run(60s);
  const std::size_t before = seen("http://a.test");
  const std::size_t others = seen("http://b.test");
  EXPECT_GE(before, 6U);
  say("a.test", {.paused = true, .until = now() + 1h});
  crawl_.run(59min);
  EXPECT_EQ(seen("http://a.test"), before);
  EXPECT_EQ(row("a.test").state, HostState::blocked);
  EXPECT_GE(seen("http://b.test"), others + 58);
  crawl_.run(2min);
  EXPECT_GE(seen("http://a.test"), before + 5);
  EXPECT_EQ(crawl_.bugs(), 0U);
}

TEST_F(OrdersInForce, AHostThatIsResumedGoesOnWithinSeconds) {
  say("a.test", {.paused = true});
  crawl_.run(24h);
  EXPECT_EQ(seen("http://a.test"), 0U);
  say("a.test", {});
  crawl_.run(31s);
  EXPECT_GE(seen("http://a.test"), 3U);
}

TEST_F(OrdersInForce, ADelayIsOneMoreFloorAndIsTakenBack) {
  crawl_.run(30s);
  say("a.test", {.delay = 120s});
  say("b.test", {.delay = 5s});
  EXPECT_EQ(row("a.test").interval.length, 120s);
  EXPECT_EQ(row("b.test").interval.length, 60s) << "no order makes it faster";
  const std::size_t before = seen("http://a.test");
  crawl_.run(1h);
  EXPECT_EQ(seen("http://a.test"), before + 30);
  say("a.test", {});
  crawl_.run(10min);
  EXPECT_GE(seen("http://a.test"), before + 30 + 58);
  EXPECT_EQ(crawl_.shards[0]->report().counters.violations, 0U);
}

TEST_F(OrdersInForce, APageIsVisitedAgainAtOnce) {
  crawl_.run(60s);
  const base::Url url = *base::Url::parse("http://a.test/0");
  const auto count = [this] {
    std::size_t found = 0;
    for (const support::Seen& one : crawl_.requests_to("http://a.test"))
      found += one.target == "/0" ? 1U : 0U;
    return found;
  };
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(crawl_.shards[0]->requeue(url), crawler::Requeued::done);
  EXPECT_EQ(crawl_.shards[0]->requeue(url), crawler::Requeued::waits);
  EXPECT_EQ(crawl_.shards[0]->requeue(*base::Url::parse("http://a.test/999")), crawler::Requeued::waits);
  EXPECT_EQ(crawl_.shards[0]->requeue(*base::Url::parse("http://a.test/x")), crawler::Requeued::unseen);
  crawl_.run(60s);
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(crawl_.bugs(), 0U);
}

TEST_F(OrdersInForce, WhoLooksOnSeesWhatTheServerSaw) {
  crawl_.run(10min + 3s);
  const crawler::Counters counters = crawl_.shards[0]->report().counters;
  EXPECT_EQ(counters.requests, seen("http://a.test") + seen("http://b.test"));
  EXPECT_EQ(counters.violations, 0U);
  const auto gaps = counters.gaps;
  std::uint64_t measured = 0;
  for (const std::uint64_t count : gaps.counts) measured += count;
  EXPECT_EQ(measured, counters.requests - 2);
  const auto visits = crawl_.shards[0]->recent(5);
  ASSERT_EQ(visits.size(), 5U);
  EXPECT_GE(visits[0].at, visits[4].at);
  const auto views = crawl_.shards[0]->views("b.test");
  ASSERT_EQ(views.size(), 1U);
  EXPECT_EQ(views[0].body, "User-agent: *\nCrawl-delay: 60\n");
  EXPECT_EQ(views[0].row.interval.reason, scheduler::Reason::crawl_delay);
  ASSERT_EQ(views[0].day.size(), 1U);
  EXPECT_EQ(views[0].day[0].interval.length, 60s);
  const auto waits = crawl_.shards[0]->longest_waits(5, 100);
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits[0].origin.host(), "b.test");
}

}  // namespace
