// More origins than memory has room for, and one that would like to have all of it.
#include "tests/support/crawl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace {

using namespace std::chrono_literals;

constexpr int kOrigins = 300;
constexpr int kPages = 6;

std::string origin(int i) {
  return "http://o" + std::to_string(i) + ".test";
}

support::Reply reply_of(const std::string& target) {
  support::Reply reply;
  if (target == "/robots.txt") {
    reply.body = "User-agent: *\nCrawl-delay: 10\n";
    return reply;
  }
  const int page = std::stoi(target.substr(2));
  if (page + 1 < kPages) reply.body = support::page_with_links({"/p" + std::to_string(page + 1)});
  return reply;
}

class Memory : public ::testing::TestWithParam<std::size_t> {
 protected:
  void start(std::uint64_t memory) {
    std::vector<std::string> seeds;
    for (int i = 0; i < kOrigins; ++i) {
      crawl.web.add(
          origin(i), "192.0.2." + std::to_string(1 + i % 200),
          [](const std::string& target, base::Now, const fetch::Request&) { return reply_of(target); });
      seeds.push_back(origin(i) + "/p0");
    }
    crawl.config.politeness.per_address_interval = 0s;
    crawl.memory = memory;
    crawl.start(seeds, GetParam());
  }
  support::Crawl crawl;
};

TEST_P(Memory, OriginsThatDoNotFitWaitOutsideAndAllAreServedInTurn) {
  start(GetParam() * 128 * 1024);  // a few dozen origins
  std::size_t most = 0;
  std::size_t waiting = 0;
  for (int minute = 0; minute < 10 && crawl.idles == 0; ++minute) {
    crawl.run(20s);
    std::size_t held = 0;
    for (const auto& shard : crawl.shards) {
      const crawler::Report report = shard->report();
      held += report.held_origins;
      waiting = std::max<std::size_t>(waiting, report.waiting_origins);
    }
    most = std::max(most, held);
    // Nobody is far ahead of the others: whoever is due first is let in first.
    std::map<std::string, int> visits;
    for (const support::Seen& seen : crawl.web.log) ++visits[seen.origin];
    int least = visits.size() == kOrigins ? 1'000 : 0;
    int top = 0;
    for (const auto& [name, count] : visits) {
      least = std::min(least, count);
      top = std::max(top, count);
    }
    EXPECT_LE(top - least, 3) << "after " << (minute + 1) * 20 << " s";
  }
  crawl.run(1h);
  EXPECT_LT(most, 150U);
  EXPECT_GT(waiting, 50U);
  EXPECT_EQ(crawl.fate(crawler::Fate::fetched), std::uint64_t{kOrigins} * kPages);
  EXPECT_EQ(crawl.idles, 1U);
  std::map<std::string, base::TimePoint> last;
  for (const support::Seen& seen : crawl.web.log) {
    if (const auto found = last.find(seen.origin); found != last.end()) {
      EXPECT_GE(seen.start.steady - found->second, seen.target == "/p0" ? 2s : 10s)
          << seen.origin << seen.target;
    }
    last[seen.origin] = seen.start.steady;
  }
  std::size_t robots = 0;
  for (const support::Seen& seen : crawl.web.log) robots += seen.target == "/robots.txt" ? 1U : 0U;
  EXPECT_EQ(robots, std::size_t{kOrigins});  // whoever came back brought its verdict along
  crawl.finish();
  EXPECT_EQ(crawl.bugs(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Shards, Memory, ::testing::Values(1, 2));

TEST(MemoryOfOne, AGiantHostTakesNoMoreThanItsShare) {
  support::Crawl crawl;
  constexpr int kUrls = 20'000;
  crawl.web.add("http://giant.test", "192.0.2.1",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  support::Reply reply;
                  if (target == "/robots.txt") return reply;
                  std::vector<std::string> links;
                  const int page = target == "/" ? -1 : std::stoi(target.substr(2));
                  for (int i = 0; i < 1'000 && page < 20; ++i)
                    links.push_back("/p" + std::to_string((page + 1) * 1'000 + i));
                  reply.body = support::page_with_links(links);
                  return reply;
                });
  crawl.web.add("http://small.test", "192.0.2.2",
                [](const std::string&, base::Now, const fetch::Request&) { return support::Reply{}; });
  crawl.config.scope.max_urls_per_origin = kUrls;
  crawl.memory = std::uint64_t{8} * 1024 * 1024;
  crawl.start({"http://giant.test/", "http://small.test/"});
  std::size_t most = 0;
  for (int i = 0; i < 30; ++i) {
    crawl.run(5s);
    most = std::max(most, crawl.shards.front()->report().frontier_octets);
  }
  const crawler::Report report = crawl.shards.front()->report();
  EXPECT_GT(report.urls.queued, 15'000U);
  EXPECT_LT(most, std::size_t{2} * 1024 * 1024);
  EXPECT_EQ(crawl.requests_to("http://small.test").size(), 2U);
  crawl.finish();
}

}  // namespace
