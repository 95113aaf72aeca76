// What one hostile or broken site may cost the others, in virtual time.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using support::Crawl;
using support::FakeWeb;
using support::Reply;

FakeWeb::Handler answers_after(base::Duration latency) {
  return [latency](const std::string&, base::Now, const fetch::Request&) {
    Reply reply;
    reply.latency = latency;
    return reply;
  };
}

std::string numbered(const std::string& before, int number, const std::string& after) {
  return before + std::to_string(number) + after;
}

TEST(Hostile, AFarmOfSlowHostsTakesItsPartOfTheSlotsAndNoMore) {
  constexpr int kHosts = 2'000;
  Crawl crawl;
  crawl.config.politeness.per_address_interval = 0s;
  std::vector<std::string> seeds;
  for (int i = 0; i < kHosts; ++i) {
    const std::string origin = numbered("http://h", i, ".farm.test");
    crawl.web.add(origin, "45.80." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1),
                  answers_after(60s));
    seeds.push_back(origin + "/");
  }
  crawl.web.add("http://good.test", "45.81.0.1", answers_after(10ms));
  seeds.emplace_back("http://good.test/");
  int open = 0;
  int most = 0;
  std::vector<base::TimePoint> ends;
  crawl.web.watch = [&](const support::Seen& seen) {
    if (!seen.origin.ends_with(".farm.test")) return;
    std::erase_if(ends, [&](base::TimePoint end) { return end <= seen.start.steady; });
    ends.push_back(seen.start.steady + 60s);
    open = static_cast<int>(ends.size());
    most = std::max(most, open);
  };
  crawl.start(seeds);
  crawl.run(10s);
  ASSERT_EQ(crawl.requests_to("http://good.test").size(), 2U)
      << "robots.txt and the page, while the farm holds on";
  EXPECT_EQ(most, 1024 / static_cast<int>(crawler::kSitePartOfVisits))
      << "all that one site may have, and all are used";
  crawl.run(2h);
  EXPECT_EQ(crawl.fate(Fate::fetched), kHosts + 1U) << "the farm is visited as well, in its time";
  EXPECT_EQ(most, 1024 / static_cast<int>(crawler::kSitePartOfVisits));
  crawl.finish();
}

TEST(Hostile, SlowSitesWithoutNumberLeaveAQuarterOfTheSlots) {
  constexpr int kSlow = 4'000;
  Crawl crawl;
  std::vector<std::string> seeds;
  for (int i = 0; i < kSlow; ++i) {
    const std::string origin = numbered("http://slow", i, ".test");
    crawl.web.add(origin, "45.80." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1),
                  answers_after(10min));
    seeds.push_back(origin + "/");
  }
  for (int i = 0; i < 10; ++i) {
    const std::string origin = numbered("http://good", i, ".test");
    crawl.web.add(origin, "45.99.0." + std::to_string(i + 1), answers_after(10ms));
    for (int page = 0; page < 20; ++page) seeds.push_back(origin + numbered("/", page, ""));
  }
  crawl.start(seeds);
  crawl.run(90s);
  EXPECT_EQ(crawl.fate(Fate::fetched), 200U) << "while thousands hold on to what they have";
  EXPECT_EQ(crawl.bugs(), 0U);
  crawl.finish();
}

TEST(Hostile, AProxyThatIsAwayIsAskedSeldomWhateverIsDue) {
  Crawl crawl;
  crawl.config.politeness.per_address_interval = 0s;
  bool away = true;
  int asked = 0;
  std::vector<std::string> seeds;
  for (int i = 0; i < 500; ++i) {
    const std::string origin = numbered("http://h", i, ".test");
    crawl.web.add(origin, "45.80." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1),
                  [&](const std::string&, base::Now, const fetch::Request&) {
                    Reply reply;
                    ++asked;
                    if (away) reply.error = fetch::Error::proxy;
                    return reply;
                  });
    seeds.push_back(origin + "/");
    seeds.push_back(
        numbered("http://nowhere", i, ".test/"));  // a name that does not resolve says nothing of a proxy
  }
  crawl.start(seeds);
  crawl.run(10s);
  const int at_first = asked;  // those that were under way when the first found out, and a few more
  EXPECT_LE(at_first, 502);
  crawl.run(1h);
  EXPECT_LE(asked - at_first, 25) << "one at a time, further and further apart";
  EXPECT_GE(asked - at_first, 10);
  away = false;
  crawl.run(1h);
  EXPECT_EQ(crawl.fate(Fate::fetched), 500U) << "nothing is lost";
  EXPECT_EQ(crawl.fate(Fate::given_up), 0U);
  crawl.finish();
}

TEST(Hostile, WhereAnotherAddressAnswersItsIntervalHolds) {
  Crawl crawl;
  crawl.config.politeness.default_interval = 100ms;
  crawl.config.politeness.per_address_interval = 1s;
  std::vector<std::string> seeds;
  for (int i = 0; i < 4; ++i) {
    const std::string origin = numbered("http://", i, ".test");
    crawl.web.add(origin, "45.80.0." + std::to_string(i + 1), answers_after(1ms));
    crawl.web.answers_at(origin, "45.99.0.1");
    for (int page = 0; page < 5; ++page) seeds.push_back(origin + numbered("/", page, ""));
  }
  crawl.start(seeds);
  crawl.run(1h);
  EXPECT_EQ(crawl.fate(Fate::fetched), 20U);
  std::vector<base::TimePoint> starts;
  for (const support::Seen& seen : crawl.web.log) {
    EXPECT_EQ(seen.address.text(), "45.99.0.1");
    starts.push_back(seen.start.steady);
  }
  ASSERT_EQ(starts.size(), 24U);
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_GE(starts[i] - starts[i - 1], 1s);
  crawl.finish();
}

TEST(Hostile, AWantOfOursSaysNothingAboutRobotsTxt) {
  for (const fetch::Error error : {fetch::Error::resources, fetch::Error::proxy}) {
    Crawl crawl;
    int asked = 0;
    crawl.web.add("http://a.test", "45.80.0.1",
                  [&](const std::string& target, base::Now, const fetch::Request&) {
                    Reply reply;
                    if (target == "/robots.txt" && ++asked <= 3) reply.error = error;
                    return reply;
                  });
    crawl.start({"http://a.test/"});
    crawl.run(1min);
    EXPECT_EQ(asked, 4) << "again every few seconds, without the ladder of a robots.txt that is away";
    EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
    crawl.finish();
  }
}

TEST(Hostile, APageThatNeverComesWholeIsTakenAtLastAndAskedForWithoutConditions) {
  Crawl crawl;
  crawl.config.recrawl.enabled = true;
  crawl.config.recrawl.initial = crawl.config.recrawl.min = 24h;
  std::vector<std::string> conditions;
  crawl.web.add("http://a.test", "45.80.0.1",
                [&](const std::string& target, base::Now, const fetch::Request& request) {
                  Reply reply;
                  if (target == "/robots.txt") return reply;
                  conditions.push_back(request.if_none_match);
                  reply.error = fetch::Error::truncated;
                  reply.body = support::page_with_links({"/next"});
                  reply.headers.push_back({"ETag", "\"1\""});
                  return reply;
                });
  crawl.start({"http://a.test/"});
  crawl.run(12h);
  EXPECT_EQ(conditions.size(), 8U) << "four tries of the page, and four of the one it leads to";
  EXPECT_EQ(crawl.fate(Fate::fetched), 2U);
  crawl.run(48h);
  EXPECT_GT(conditions.size(), 8U);
  EXPECT_TRUE(std::ranges::all_of(conditions, [](const std::string& c) { return c.empty(); }));
  crawl.finish();
}

}  // namespace
