// Whole shards against a web in memory, in virtual time: one story a test.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using support::Crawl;
using support::page_with_links;
using support::Reply;

/// Answers robots.txt with `robots` and every other target with `page`.
support::FakeWeb::Handler site(std::string robots, std::function<Reply(const std::string&, base::Now)> page) {
  return [robots = std::move(robots), page = std::move(page)](const std::string& target, base::Now now,
                                                              const fetch::Request&) {
    Reply reply;
    if (target == "/robots.txt") {
      reply.body = robots;
      return reply;
    }
    return page(target, now);
  };
}

Reply plain(const std::string&, base::Now) {
  return {};
}

Reply leads_to(std::string location, int status = 302) {
  Reply reply;
  reply.status = status;
  reply.headers.push_back({"Location", std::move(location)});
  return reply;
}

std::vector<std::string> targets(const std::vector<support::Seen>& seen) {
  std::vector<std::string> out;
  for (const support::Seen& one : seen) out.push_back(one.target);
  return out;
}

using Targets = std::vector<std::string>;

TEST(Story, RobotsTxtIsFetchedOnceAndFirst) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1", site("User-agent: *\nDisallow: /no\n", plain));
  crawl.start({"http://a.test/1", "http://a.test/no", "http://a.test/2", "http://a.test/3"});
  crawl.run(1h);
  EXPECT_EQ(targets(crawl.requests_to("http://a.test")), (Targets{"/robots.txt", "/1", "/2", "/3"}));
  EXPECT_EQ(crawl.fate(Fate::disallowed), 1U);
  EXPECT_EQ(crawl.fate(Fate::fetched), 3U);
  EXPECT_EQ(crawl.idles, 1U);
  crawl.finish();
}

TEST(Story, A503OnAPagePausesTheHostForRetryAfterAndThePageIsTriedAgain) {  // fet-043
  Crawl crawl;
  int asked = 0;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [&](const std::string& target, base::Now) {
                  Reply reply;
                  if (target == "/busy" && ++asked == 1) {
                    reply.status = 503;
                    reply.headers.push_back({"Retry-After", "300"});
                  }
                  return reply;
                }));
  crawl.start({"http://a.test/busy", "http://a.test/other"});
  crawl.run(1h);
  const auto seen = crawl.requests_to("http://a.test");
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[1].status, 503);
  EXPECT_GE(seen[2].start.steady - seen[1].end.steady, 300s);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(crawl.fate(Fate::fetched), 2U);
  crawl.finish();
}

TEST(Story, A503WithoutRetryAfterPausesForLongerEachTime) {  // fet-044
  Crawl crawl;
  int asked = 0;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [&](const std::string&, base::Now) {
                  Reply reply;
                  reply.status = ++asked <= 4 ? 503 : 200;
                  return reply;
                }));
  crawl.start({"http://a.test/busy"});
  crawl.run(48h);
  const auto seen = crawl.requests_to("http://a.test");
  ASSERT_GE(seen.size(), 6U);
  base::Duration least = 5min;
  for (std::size_t i = 2; i <= 5; ++i, least *= 2) {
    EXPECT_GE(seen[i].start.steady - seen[i - 1].end.steady, least) << i;
  }
  EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
  crawl.finish();
}

TEST(Story, AnUnreachableRobotsTxtDefersEveryUrlUntilItAnswers) {
  Crawl crawl;
  const base::TimePoint up = Crawl::midnight().steady + 10min;
  crawl.web.add("http://a.test", "192.0.2.1",
                [&](const std::string& target, base::Now now, const fetch::Request&) {
                  Reply reply;
                  if (now.steady < up) reply.error = fetch::Error::refused;
                  if (target == "/robots.txt") reply.body = "User-agent: *\nDisallow: /x\n";
                  return reply;
                });
  crawl.start({"http://a.test/x", "http://a.test/y"});
  crawl.run(10min);
  const auto early = crawl.requests_to("http://a.test");
  EXPECT_GE(early.size(), 3U);
  for (const auto& seen : early) EXPECT_EQ(seen.target, "/robots.txt");
  crawl.run(24h);
  EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
  EXPECT_EQ(crawl.fate(Fate::disallowed), 1U);
  crawl.finish();
}

class Shards : public testing::TestWithParam<std::size_t> {};

TEST_P(Shards, ARobotsRedirectToAnotherHostIsFollowedUnderThatHostsOwnLease) {
  Crawl crawl;
  crawl.config.scope.follow = config::Follow::any;
  crawl.web.add("http://a-site.test", "192.0.2.1",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  return target == "/robots.txt" ? leads_to("http://b-site.example/rules.txt", 301) : Reply{};
                });
  crawl.web.add("http://b-site.example", "192.0.2.2",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  if (target == "/rules.txt") reply.body = "User-agent: *\nDisallow: /x\nCrawl-delay: 7\n";
                  if (target == "/robots.txt") reply.body = "User-agent: *\nCrawl-delay: 5\n";
                  return reply;
                });
  crawl.start({"http://a-site.test/x", "http://a-site.test/1", "http://a-site.test/2",
               "http://b-site.example/1", "http://b-site.example/2"},
              GetParam());
  crawl.run(1h);
  const auto a = crawl.requests_to("http://a-site.test");
  EXPECT_EQ(targets(a), (Targets{"/robots.txt", "/1", "/2"}));
  EXPECT_GE(a[2].start.steady - a[1].start.steady, 7s);
  const auto b = crawl.requests_to("http://b-site.example");
  ASSERT_EQ(b.size(), 4U);
  for (std::size_t i = 1; i < b.size(); ++i) {
    EXPECT_GE(b[i].start.steady - b[i - 1].start.steady, 2s) << b[i].target;
  }
  EXPECT_EQ(crawl.fate(Fate::disallowed), 1U);
  EXPECT_EQ(crawl.web.overlaps, 0U);
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

INSTANTIATE_TEST_SUITE_P(OneOrMany, Shards, testing::Values(std::size_t{1}, std::size_t{3}, std::size_t{8}));

TEST(Story, AHostThatHalfTheWebPointsAtForRobotsTxtIsNotQueuedForBeyondTheLimit) {
  Crawl crawl;
  crawl.config.scope.follow = config::Follow::any;
  constexpr int kOrigins = static_cast<int>(crawler::kErrandsMax) + 50;
  std::vector<std::string> seeds;
  for (int i = 0; i < kOrigins; ++i) {
    const std::string origin = "http://o" + std::to_string(i) + ".test";
    crawl.web.add(origin, "198.51.100." + std::to_string(i % 250),
                  [](const std::string& target, base::Now, const fetch::Request&) {
                    return target == "/robots.txt" ? leads_to("http://rules.example/shared") : Reply{};
                  });
    seeds.push_back(origin + "/");
  }
  crawl.web.add("http://rules.example", "192.0.2.2", site("", plain));
  crawl.start(seeds);
  crawl.run(10min);
  EXPECT_LE(crawl.requests_to("http://rules.example").size(), 301U);  // 2 s apart, whoever asks
  crawl.run(24h);
  EXPECT_EQ(crawl.fate(Fate::fetched), std::uint64_t{kOrigins});
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

TEST(Story, ARedirectIsAUrlOfItsOwnWithScopeAndRobots) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1",
                site("User-agent: *\nDisallow: /secret\n", [](const std::string& target, base::Now) {
                  if (target == "/1") return leads_to("/2");
                  if (target == "/2") return leads_to("/1");
                  if (target == "/3") return leads_to("/secret");
                  if (target == "/4") return leads_to("http://elsewhere.test/");
                  if (target == "/5") return leads_to("ftp://a.test/");
                  return Reply{};
                }));
  crawl.web.add("http://elsewhere.test", "192.0.2.9", site("", plain));
  crawl.start({"http://a.test/1", "http://a.test/3", "http://a.test/4", "http://a.test/5"});
  crawl.run(1h);
  EXPECT_EQ(crawl.fate(Fate::redirected), 4U);  // 1, 2, 3, 4
  EXPECT_EQ(crawl.fate(Fate::refused), 1U);     // 5
  EXPECT_EQ(crawl.fate(Fate::disallowed), 1U);
  EXPECT_TRUE(crawl.requests_to("http://elsewhere.test").empty());
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

TEST(Story, AnEndlessRedirectEndsAtTheLimit) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [](const std::string& target, base::Now) {
                  return leads_to("/" + std::to_string(std::stoi(target.substr(1)) + 1));
                }));
  crawl.start({"http://a.test/0"});
  crawl.run(1h);
  EXPECT_EQ(crawl.fate(Fate::redirected), crawler::kRedirectsMax);
  EXPECT_EQ(crawl.fate(Fate::refused), 1U);
  crawl.finish();
}

TEST(Story, ASeedThatRedirectsToWwwTakesItsHostIntoScope) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1",
                site("", [](const std::string&, base::Now) { return leads_to("http://www.a.test/"); }));
  crawl.web.add("http://www.a.test", "192.0.2.1", site("", [](const std::string& target, base::Now) {
                  Reply reply;
                  if (target == "/") reply.body = page_with_links({"/in", "http://other.a.test/out"});
                  return reply;
                }));
  crawl.web.add("http://other.a.test", "192.0.2.1", site("", plain));
  crawl.start({"http://a.test/"});
  crawl.run(1h);
  EXPECT_EQ(targets(crawl.requests_to("http://www.a.test")), (Targets{"/robots.txt", "/", "/in"}));
  EXPECT_TRUE(crawl.requests_to("http://other.a.test").empty());
  crawl.finish();
}

TEST(Story, NofollowInTagMetaAndHeaderIsObeyed) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [](const std::string& target, base::Now) {
                  Reply reply;
                  if (target == "/") {
                    reply.body = page_with_links({"/meta", "/header", "/last"}) +
                                 "<a rel='ugc nofollow' href='/never'>n</a>";
                  }
                  if (target == "/meta")
                    reply.body = "<meta name=robots content=nofollow><a href=/never>n</a>";
                  if (target == "/header") {
                    reply.headers.push_back({"X-Robots-Tag", "none"});
                    reply.body = page_with_links({"/never"});
                  }
                  return reply;
                }));
  crawl.start({"http://a.test/"});
  crawl.run(1h);
  EXPECT_EQ(targets(crawl.requests_to("http://a.test")),
            (Targets{"/robots.txt", "/", "/meta", "/header", "/last"}));
  crawl.finish();
}

TEST(Story, DepthAndBudgetEndTheCrawlOfAnEndlessSite) {
  Crawl crawl;
  crawl.config.scope.max_depth = 3;
  crawl.config.scope.max_urls_per_origin = 10;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [](const std::string& target, base::Now) {
                  Reply reply;
                  reply.body = page_with_links({target + "x", target + "y"});
                  return reply;
                }));
  crawl.web.add("http://b.test", "192.0.2.2", site("", [](const std::string& target, base::Now) {
                  Reply reply;
                  reply.body = page_with_links({target + "x"});
                  return reply;
                }));
  crawl.start({"http://a.test/", "http://b.test/"});
  crawl.run(24h);
  EXPECT_EQ(crawl.requests_to("http://a.test").size(), 1U + 10U);
  EXPECT_EQ(crawl.requests_to("http://b.test").size(), 1U + 4U);
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

TEST(Story, AUrlThatKeepsFailingIsGivenUpAndTheOthersAreFetched) {
  Crawl crawl;
  int tries = 0;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [&](const std::string& target, base::Now) {
                  Reply reply;
                  if (target == "/bad") {
                    reply.status = 500;
                    ++tries;
                  }
                  return reply;
                }));
  crawl.start({"http://a.test/bad", "http://a.test/good"});
  crawl.run(24h);
  fetch::Outcome broken;
  broken.status = 500;
  EXPECT_EQ(tries, static_cast<int>(crawler::ladder_of(broken).attempts));
  EXPECT_EQ(crawl.fate(Fate::given_up), 1U);
  EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

TEST(Story, NothingIsSentToABlockedAddressAndItsUrlsAreSettled) {
  Crawl crawl;
  crawl.config.scope.follow = config::Follow::any;
  crawl.web.add("http://inside.test", "127.0.0.1", site("", plain));
  crawl.web.block("http://inside.test");
  crawl.web.add("http://a.test", "192.0.2.1", site("", [](const std::string&, base::Now) {
                  return leads_to("http://inside.test/by-redirect");
                }));
  crawl.web.add("http://b.test", "192.0.2.2",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  return target == "/robots.txt" ? leads_to("http://inside.test/robots.txt") : Reply{};
                });
  crawl.start({"http://inside.test/", "http://a.test/", "http://b.test/"});
  crawl.run(1h);
  EXPECT_TRUE(crawl.requests_to("http://inside.test").empty());
  EXPECT_EQ(crawl.fate(Fate::blocked), 2U);
  EXPECT_EQ(crawl.fate(Fate::redirected), 1U);
  for (const auto& seen : crawl.requests_to("http://b.test")) EXPECT_EQ(seen.target, "/robots.txt");
  crawl.finish();
}

TEST(Story, AWindowThatOpensSlowsTheVeryNextRequestDown) {
  Crawl crawl({Crawl::midnight().steady, Crawl::midnight().wall + 17h + 59min});
  std::vector<std::string> pages;
  for (int i = 0; i < 60; ++i) pages.push_back("/" + std::to_string(i));
  crawl.web.add(
      "http://a.test", "192.0.2.1",
      site("User-agent: *\nRequest-rate: 1/10s 1800-1900\n", [&](const std::string& target, base::Now) {
        Reply reply;
        if (target == "/") reply.body = page_with_links(pages);
        return reply;
      }));
  crawl.start({"http://a.test/"});
  crawl.run(5min);
  const auto seen = crawl.requests_to("http://a.test");
  const base::WallTime border = Crawl::midnight().wall + 18h;
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const bool inside = seen[i].start.wall >= border;
    ++(inside ? after : before);
    EXPECT_GE(seen[i].start.steady - seen[i - 1].start.steady, inside ? 10s : 2s) << seen[i].target;
  }
  EXPECT_GE(before, 25U);
  EXPECT_GE(after, 20U);
  crawl.finish();
}

TEST(Story, AStepOfTheWallClockNeverShortensAGap) {
  Crawl crawl;
  std::vector<std::string> pages;
  for (int i = 0; i < 200; ++i) pages.push_back("/" + std::to_string(i));
  crawl.web.add("http://a.test", "192.0.2.1",
                site("User-agent: *\nRequest-rate: 1/10s\n", [&](const std::string& target, base::Now) {
                  Reply reply;
                  if (target == "/") reply.body = page_with_links(pages);
                  return reply;
                }));
  crawl.start({"http://a.test/"});
  for (const base::Duration step :
       {base::Duration(1h), base::Duration(-2h), base::Duration(90s), base::Duration(-7s)}) {
    crawl.run(3min);
    crawl.clock.step_wall(step);
  }
  crawl.run(3min);
  const auto seen = crawl.requests_to("http://a.test");
  EXPECT_GE(seen.size(), 80U);
  for (std::size_t i = 1; i < seen.size(); ++i)
    EXPECT_GE(seen[i].start.steady - seen[i - 1].start.steady, 10s) << i;
  crawl.finish();
}

TEST(Story, SlowConnectingDoesNotEatTheInterval) {
  Crawl crawl;
  crawl.web.connect_time = 1500ms;
  crawl.web.add("http://a.test", "192.0.2.1", site("", plain));
  crawl.start({"http://a.test/1", "http://a.test/2", "http://a.test/3"});
  crawl.run(10s);
  crawl.web.connect_time = 0s;
  crawl.run(1h);
  const auto seen = crawl.requests_to("http://a.test");
  ASSERT_EQ(seen.size(), 4U);
  for (std::size_t i = 1; i < seen.size(); ++i)
    EXPECT_GE(seen[i].start.steady - seen[i - 1].start.steady, 2s) << i;
  crawl.finish();
}

TEST(Story, DrainingSendsNothingNewAndLetsTheVisitUnderWayEnd) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1", site("", [](const std::string&, base::Now) {
                  Reply reply;
                  reply.latency = 5s;
                  reply.body = page_with_links({"/next"});
                  return reply;
                }));
  crawl.start({"http://a.test/"});
  crawl.run(3s);
  ASSERT_EQ(crawl.requests_to("http://a.test").size(), 2U);  // robots.txt, and the seed under way
  crawl.finish();
  EXPECT_EQ(crawl.requests_to("http://a.test").size(), 2U);
  EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
  EXPECT_EQ(crawl.tasks.size(), 0U);
  EXPECT_EQ(crawl.mail.owed(), 1);  // what its page led to
}

TEST(Story, AServerThatAnswers5xxForAMissingRobotsTxtIsCrawledAfterADay) {  // Mandelbot's promise
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  if (target != "/" && target != "/page") reply.status = 500;
                  return reply;
                });
  crawl.start({"http://a.test/page"});
  crawl.run(23h);
  for (const auto& seen : crawl.requests_to("http://a.test")) EXPECT_EQ(seen.target, "/robots.txt");
  crawl.run(24h);
  EXPECT_EQ(crawl.fate(Fate::fetched), 1U);
  const auto seen = crawl.requests_to("http://a.test");
  for (std::size_t i = 1; i < seen.size(); ++i)
    EXPECT_GE(seen[i].start.steady - seen[i - 1].start.steady, 2s) << i;
  crawl.finish();
}

TEST(Story, EachVisitIsOneLineWithTheKeysThatToolsRead) {
  Crawl crawl;
  crawl.web.add("http://a.test", "192.0.2.1", site("User-agent: *\nAllow: /a\nRequest-rate: 1/3s\n", plain));
  crawl.start({"http://a.test/a\"b"});
  crawl.run(1h);
  std::string visit;
  for (const std::string& line : crawl.lines) {
    if (line.find(" visit ") != std::string::npos) visit = line;
  }
  EXPECT_TRUE(visit.starts_with("2026-03-01T00:00:0")) << visit;
  for (const char* part :
       {"info visit url=\"http://a.test/a%22b\" origin=\"http://a.test\" fate=fetched status=200 octets=0 "
        "ms=50 depth=0 ",
        "interval=3s reason=request_rate verdict=allowed group=\"*\" rule=\"Allow: /a\" line=2 links=0"}) {
    EXPECT_NE(visit.find(part), std::string::npos) << visit;
  }
  crawl.finish();
}

}  // namespace
