// Little memory, and origins that would keep it for themselves: those that sleep, those whose robots.txt is
// elsewhere, and those that share an address.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using support::Crawl;
using support::Reply;

std::string origin(const std::string& kind, int i) {
  return "http://" + kind + std::to_string(i) + ".test";
}

/// Three pages in a chain.
Reply page(const std::string& target) {
  Reply reply;
  if (target == "/1") reply.body = support::page_with_links({"/2"});
  if (target == "/2") reply.body = support::page_with_links({"/3"});
  return reply;
}

std::size_t pages_of(const Crawl& crawl, const std::string& kind, int count) {
  std::size_t sum = 0;
  for (int i = 0; i < count; ++i) {
    for (const support::Seen& seen : crawl.requests_to(origin(kind, i))) {
      if (seen.target != "/robots.txt" && seen.status == 200) ++sum;
    }
  }
  return sum;
}

constexpr std::uint64_t kLittle = std::uint64_t{64} * 1024;  // a dozen origins

TEST(Starving, OriginsOnOneAddressAllGetTheirTurnWhateverTheLeasesOfTheOthersDo) {
  Crawl crawl;
  std::vector<std::string> seeds;
  for (int i = 0; i < 30; ++i) {
    crawl.web.add(origin("s", i), "192.0.2." + std::to_string(1 + i % 2),
                  [](const std::string& target, base::Now, const fetch::Request&) {
                    Reply reply = page(target);
                    reply.latency = 400ms;  // longer than the address waits
                    return reply;
                  });
    seeds.push_back(origin("s", i) + "/1");
  }
  crawl.web.connect_time = 100ms;
  crawl.memory = kLittle;
  crawl.start(seeds);
  crawl.run(2h);
  EXPECT_EQ(pages_of(crawl, "s", 30), 90U);
  EXPECT_EQ(crawl.shards.front()->report().urls.owed(), 0U);
  crawl.finish();
  EXPECT_EQ(crawl.bugs(), 0U);
}

TEST(Starving, WhoSleepsForADayDoesNotKeepTheMemory) {
  Crawl crawl;
  std::vector<std::string> seeds;
  for (int i = 0; i < 40; ++i) {
    crawl.web.add(origin("asleep", i), "192.0.2." + std::to_string(1 + i),
                  [](const std::string& target, base::Now, const fetch::Request&) {
                    Reply reply;
                    if (target == "/robots.txt") return reply;
                    reply.status = 503;
                    reply.headers.push_back({"Retry-After", "86400"});
                    return reply;
                  });
    seeds.push_back(origin("asleep", i) + "/1");
  }
  for (int i = 0; i < 20; ++i) {
    crawl.web.add(origin("good", i), "198.51.100." + std::to_string(1 + i),
                  [](const std::string& target, base::Now, const fetch::Request&) { return page(target); });
  }
  crawl.memory = kLittle;
  crawl.start(seeds);
  crawl.run(1h);
  std::vector<crawler::Offer> offers;
  for (int i = 0; i < 20; ++i) {
    offers.push_back(
        {*base::Url::parse(origin("good", i) + "/1"), {.how = crawler::How::seed, .seed = true}});
  }
  config::Config wider = crawl.config;
  for (const crawler::Offer& offer : offers) wider.seeds.push_back({offer.url, "test"});
  crawl.shards.front()->set_scope(wider);
  crawl.mail.send_offers(std::move(offers), {});
  crawl.run(10min);
  EXPECT_EQ(pages_of(crawl, "good", 20), 60U);
  EXPECT_LT(crawl.shards.front()->report().held_origins, 20U);
  crawl.run(25h);
  for (int i = 0; i < 40; ++i) {  // a day later, and not before, each is asked again
    const auto seen = crawl.requests_to(origin("asleep", i));
    ASSERT_EQ(seen.size(), 4U) << i;  // robots.txt, the page, robots.txt (a day old), the page
    EXPECT_GE(seen[2].start.steady - seen[1].end.steady, 24h);
  }
  crawl.finish();
}

TEST(Starving, WhoWaitsForARobotsTxtElsewhereDoesNotKeepTheMemory) {
  Crawl crawl;
  std::vector<std::string> seeds;
  crawl.web.add("http://hub.test", "203.0.113.1", [](const std::string&, base::Now, const fetch::Request&) {
    Reply reply;
    reply.status = 503;
    reply.headers.push_back({"Retry-After", "86400"});
    return reply;
  });
  for (int i = 0; i < 40; ++i) {
    crawl.web.add(origin("moved", i), "192.0.2." + std::to_string(1 + i),
                  [](const std::string& target, base::Now, const fetch::Request&) {
                    Reply reply = page(target);
                    if (target == "/robots.txt") {
                      reply.status = 302;
                      reply.headers.push_back({"Location", "http://hub.test/robots.txt"});
                    }
                    return reply;
                  });
    seeds.push_back(origin("moved", i) + "/1");
  }
  for (int i = 0; i < 20; ++i) {
    crawl.web.add(origin("good", i), "198.51.100." + std::to_string(1 + i),
                  [](const std::string& target, base::Now, const fetch::Request&) { return page(target); });
    seeds.push_back(origin("good", i) + "/1");
  }
  crawl.memory = kLittle;
  crawl.start(seeds);
  crawl.run(1h);
  EXPECT_EQ(pages_of(crawl, "good", 20), 60U);
  EXPECT_EQ(pages_of(crawl, "moved", 40), 0U);
  crawl.finish();
}

TEST(Starving, AVisitThatEndsInABugLosesNeitherItsUrlNorItsOrigin) {
  Crawl crawl;
  int asked = 0;
  crawl.web.add("http://a.test", "192.0.2.1",
                [&asked](const std::string& target, base::Now, const fetch::Request&) {
                  if (target == "/1" && ++asked == 1) throw std::runtime_error("a bug");
                  return page(target);
                });
  crawl.start({"http://a.test/1"});
  crawl.run(1h);
  EXPECT_EQ(crawl.bugs(), 1U);
  EXPECT_EQ(crawl.fate(Fate::fetched), 3U);
  EXPECT_EQ(crawl.shards.front()->report().urls.owed(), 0U);
  crawl.finish();
}

}  // namespace
