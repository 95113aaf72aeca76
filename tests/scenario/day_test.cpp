// A simulated day over 200 hosts with every kind of rule, checked at every request by an observer that has
// its own idea of what each site asked for.
#include "tests/support/crawl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace std::chrono_literals;
using support::Reply;

constexpr int kHosts = 200;
constexpr int kPages = 150;
constexpr int kKinds = 10;

std::string host_of(int i) {
  return fmt::format("http://s{}.site{}.test", i, i);
}
std::string address_of(int i) {
  return fmt::format("192.0.2.{}", 1 + i % 60);
}

int minute_of(base::WallTime t) {
  return static_cast<int>(
      std::chrono::floor<std::chrono::minutes>(t - std::chrono::floor<std::chrono::days>(t)).count());
}

/// What a site of each kind asks for, and what that means, written by hand.
struct Kind {
  std::string robots;
  base::Duration (*interval)(base::WallTime) = nullptr;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"User-agent: *\nDisallow: /private\n", [](base::WallTime) -> base::Duration { return 2s; }},
      {"User-agent: *\nRequest-rate: 1/5s\n", [](base::WallTime) -> base::Duration { return 5s; }},
      {"User-agent: crawld\nRequest-rate: 1/60s\n", [](base::WallTime) -> base::Duration { return 10s; }},
      {"User-agent: *\nRequest-rate: 1/8s 0600-1759\nRequest-rate: 4/1s 1800-0559\n",
       [](base::WallTime t) -> base::Duration {
         return minute_of(t) >= 360 && minute_of(t) < 1080 ? base::Duration(8s) : base::Duration(250ms);
       }},
      {"User-agent: *\nCrawl-delay: 30\n", [](base::WallTime) -> base::Duration { return 30s; }},
      {"User-agent: *\nRequest-rate: 2/1s\nCrawl-delay: 1.5\n",
       [](base::WallTime) -> base::Duration { return 1500ms; }},
      {"", [](base::WallTime) -> base::Duration { return 2s; }},  // slow server
      {"User-agent: *\nRequest-rate: 1/1s\n",
       [](base::WallTime) -> base::Duration { return 1s; }},  // 503 now and then
      {"404", [](base::WallTime) -> base::Duration { return 2s; }},
      {"User-agent: *\nRequest-rate: 1/10s 0300-0400\n",  // robots.txt down for two hours
       [](base::WallTime t) -> base::Duration {
         return minute_of(t) >= 180 && minute_of(t) < 240 ? base::Duration(10s) : base::Duration(2s);
       }},
  };
  return all;
}

Reply serve(int i, const std::string& target, base::Now now, std::map<std::string, int>& tries) {
  const int kind = i % kKinds;
  Reply reply;
  if (target == "/robots.txt") {
    reply.body = kinds()[static_cast<std::size_t>(kind)].robots;
    if (reply.body == "404") reply.status = 404;
    if (kind == 9 && now.steady < support::Crawl::midnight().steady + 2h) reply.status = 503;
    return reply;
  }
  if (target == "/private/x") return reply;
  const int page = std::stoi(target.substr(3));  // "/p/17"
  if (kind == 6) reply.latency = 3s;
  if (kind == 7 && page % 40 == 3 && ++tries[target] == 1) {
    reply.status = 503;
    reply.headers.push_back({"Retry-After", "120"});
    return reply;
  }
  std::vector<std::string> links{"/private/x"};
  for (const int next : {2 * page + 1, 2 * page + 2}) {
    if (next < kPages) links.push_back("/p/" + std::to_string(next));
  }
  reply.body = support::page_with_links(links);
  return reply;
}

/// Watches every request go out.
class Observer {
 public:
  explicit Observer(support::Crawl& crawl) : crawl_(crawl) {
    crawl.web.watch = [this](const support::Seen& seen) { see(seen); };
  }

  void see(const support::Seen& seen) {
    const int i = std::stoi(seen.origin.substr(8));  // "http://s17.…"
    const int kind = i % kKinds;
    Last& last = origins_[seen.origin];
    if (last.start) {
      const base::Duration gap = seen.start.steady - last.start->steady;
      // Until robots.txt has been read there is only the default, which the kinds that may go faster replace.
      const base::Duration interval = kinds()[static_cast<std::size_t>(kind)].interval(seen.start.wall);
      EXPECT_GE(gap, std::min<base::Duration>(interval, seen.target == "/robots.txt" ? 2s : interval))
          << seen.origin << seen.target << " at " << seen.start.wall.time_since_epoch().count();
      EXPECT_GE(seen.start.steady, last.not_before) << seen.origin << seen.target;
    }
    if (seen.target == "/robots.txt") {
      robots_requests_[seen.origin].push_back(crawl_.web.log.size());
    } else {
      EXPECT_TRUE(robots_answered(seen.origin)) << seen.origin << seen.target << " before a verdict";
    }
    if (auto& at = addresses_[seen.address]; at) {
      EXPECT_GE(seen.start.steady - *at, crawl_.addresses->interval(seen.address)) << seen.address.text();
      *at = seen.start.steady;
    } else {
      at = seen.start.steady;
    }
    last.start = seen.start;
    last.not_before = {};
    if (kind == 6 && seen.target.starts_with("/p/")) last.not_before = seen.start.steady + 3s + 6s;
    ++requests;
  }

  std::size_t requests = 0;

 private:
  struct Last {
    std::optional<base::Now> start;
    base::TimePoint not_before{};
  };
  bool robots_answered(const std::string& origin) const {
    const auto asked = robots_requests_.find(origin);
    if (asked == robots_requests_.end()) return false;
    return std::ranges::any_of(asked->second, [this](std::size_t place) {
      return crawl_.web.log[place].status == 200 || crawl_.web.log[place].status == 404;
    });
  }

  support::Crawl& crawl_;
  std::map<std::string, Last> origins_;
  std::map<std::string, std::vector<std::size_t>> robots_requests_;  ///< places in the web's log
  std::map<base::IpAddress, std::optional<base::TimePoint>> addresses_;
};

class Day : public testing::TestWithParam<std::size_t> {};

TEST_P(Day, TwoHundredHostsAreTreatedAsTheyAskedAndEveryPageIsFetchedOnce) {
  support::Crawl crawl;
  std::vector<std::map<std::string, int>> tries(kHosts);
  std::vector<std::string> seeds;
  for (int i = 0; i < kHosts; ++i) {
    crawl.web.add(host_of(i), address_of(i),
                  [i, &tries](const std::string& target, base::Now now, const fetch::Request&) {
                    return serve(i, target, now, tries[static_cast<std::size_t>(i)]);
                  });
    seeds.push_back(host_of(i) + "/p/0");
  }
  Observer observer(crawl);
  crawl.start(seeds, GetParam());
  crawl.run(24h);

  EXPECT_EQ(crawl.web.overlaps, 0U);
  EXPECT_EQ(crawl.bugs(), 0U);
  constexpr std::uint64_t kForbidding = kHosts / kKinds;  // only the first kind forbids /private
  EXPECT_EQ(crawl.fate(crawler::Fate::fetched), std::uint64_t{kHosts} * (kPages + 1) - kForbidding);
  EXPECT_EQ(crawl.fate(crawler::Fate::disallowed), kForbidding);
  std::map<std::string, int> fetched;
  for (const support::Seen& seen : crawl.web.log) {
    EXPECT_FALSE(seen.target == "/private/x" && seen.origin.ends_with("0.test")) << seen.origin;
    if (seen.status == 200) ++fetched[seen.origin + seen.target];
  }
  for (const auto& [url, times] : fetched) EXPECT_EQ(times, 1) << url;
  EXPECT_GE(observer.requests, std::size_t{kHosts} * (kPages + 2) - kForbidding);
  EXPECT_EQ(crawl.mail.owed(), 0);
  crawl.finish();
}

INSTANTIATE_TEST_SUITE_P(Shards, Day, testing::Values(std::size_t{1}, std::size_t{4}));

}  // namespace
