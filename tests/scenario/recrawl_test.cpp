// Pages that come again, and seeds that change while the crawl runs. In virtual time.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using support::Crawl;
using support::Reply;

std::vector<double> days_of(const std::vector<support::Seen>& log, const std::string& target) {
  std::vector<double> days;
  for (const support::Seen& seen : log) {
    if (seen.target == target) {
      const base::Duration since = seen.start.steady - Crawl::midnight().steady;
      days.push_back(std::round(std::chrono::duration<double>(since).count() / 86'400));
    }
  }
  return days;
}

TEST(RecrawlStory, EachPageFindsItsOwnInterval) {
  Crawl crawl;
  crawl.config.recrawl = {true, 4 * 24h, 24h, 16 * 24h};
  int edition = 0;
  std::map<std::string, int> conditional;
  crawl.web.add("http://a.test", "192.0.2.1",
                [&](const std::string& target, base::Now, const fetch::Request& request) {
                  Reply reply;
                  if (target == "/robots.txt") return reply;
                  if (!request.if_none_match.empty()) ++conditional[target];
                  if (target == "/news") reply.body = "edition " + std::to_string(++edition);
                  if (target == "/still") {
                    reply.headers.push_back({"ETag", "\"v1\""});
                    if (request.if_none_match == "\"v1\"") reply.status = 304;
                  }
                  if (target == "/same") reply.body = "no validators, the same octets";
                  if (target == "/gone") reply.status = 404;
                  return reply;
                });
  crawl.start({"http://a.test/news", "http://a.test/still", "http://a.test/same", "http://a.test/gone"});
  crawl.run(40 * 24h);
  EXPECT_EQ(crawl.idles, 1U);  // after the first pass nothing is owed
  using Days = std::vector<double>;
  const Days news = days_of(crawl.web.log, "/news");
  EXPECT_EQ(Days(news.begin(), news.begin() + 6), (Days{0, 4, 6, 7, 8, 9}));
  EXPECT_EQ(days_of(crawl.web.log, "/still"), (Days{0, 4, 12, 28}));
  EXPECT_EQ(days_of(crawl.web.log, "/same"), (Days{0, 4, 12, 28}));
  EXPECT_EQ(days_of(crawl.web.log, "/gone"), (Days{0, 4, 12}));  // three times gone is gone
  EXPECT_EQ(conditional["/still"], 3);
  EXPECT_EQ(conditional["/same"], 0);
  EXPECT_EQ(crawl.fate(Fate::unchanged), 6U);
  EXPECT_EQ(crawl.fate(Fate::gone), 3U);
  crawl.finish();
}

TEST(RecrawlStory, APageThatFailsOnItsWayBackIsTriedAgainSoon) {
  Crawl crawl;
  crawl.config.recrawl = {true, 24h, 24h, 24h};
  bool broken = false;
  crawl.web.add("http://a.test", "192.0.2.1",
                [&](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  if (target != "/robots.txt" && broken) reply.status = 500;
                  return reply;
                });
  crawl.start({"http://a.test/1"});
  crawl.run(23h);
  broken = true;
  crawl.run(1h + 30s);
  EXPECT_EQ(crawl.shards.front()->report().urls.owed(), 1U);
  broken = false;
  crawl.run(12h);
  EXPECT_EQ(crawl.shards.front()->report().urls.owed(), 0U);
  EXPECT_EQ(crawl.shards.front()->report().urls.again, 1U);
  EXPECT_EQ(crawl.fate(Fate::fetched) + crawl.fate(Fate::unchanged), 2U);
  crawl.finish();
}

TEST(ScopeStory, WithOtherSeedsWhatWasQueuedIsJudgedAnew) {
  Crawl crawl;
  const auto site = [](const std::string& target, base::Now, const fetch::Request&) {
    Reply reply;
    if (target == "/") reply.body = support::page_with_links({"/1", "/2", "/3", "/4"});
    return reply;
  };
  for (const char* const name : {"http://a.test", "http://b.test", "http://c.test"}) {
    crawl.web.add(name, "192.0.2." + std::to_string(name[7] - 'a' + 1), site);
  }
  crawl.start({"http://a.test/", "http://b.test/"});
  crawl.run(3s);  // robots.txt and the first page of each
  config::Config other = crawl.config;
  other.seeds = {{*base::Url::parse("http://b.test/"), "test"},
                 {*base::Url::parse("http://c.test/"), "test"}};
  crawl.shards.front()->set_scope(other);
  crawl.mail.send_offers({{other.seeds[0].url, {.how = crawler::How::seed, .seed = true}},
                          {other.seeds[1].url, {.how = crawler::How::seed, .seed = true}}},
                         {});
  crawl.run(1h);
  EXPECT_EQ(crawl.requests_to("http://a.test").size(), 2U);
  EXPECT_EQ(crawl.requests_to("http://b.test").size(), 6U);
  EXPECT_EQ(crawl.requests_to("http://c.test").size(), 6U);
  EXPECT_EQ(crawl.fate(Fate::out_of_scope), 4U);
  EXPECT_EQ(crawl.shards.front()->report().urls.owed(), 0U);
  // And with the old seeds again they can be found again.
  crawl.shards.front()->set_scope(crawl.config);
  crawl.mail.send_offers({{*base::Url::parse("http://a.test/2"), {.how = crawler::How::seed, .seed = true}}},
                         {});
  crawl.run(1h);
  EXPECT_EQ(crawl.requests_to("http://a.test").size(), 3U);
  crawl.finish();
}

}  // namespace
