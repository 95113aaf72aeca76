#include "crawler/orders.h"

#include "crawler/histogram.h"
#include "crawler/history.h"
#include "crawler/host_view.h"
#include "crawler/recent.h"

#include <gtest/gtest.h>

namespace {

using namespace crawler;
using namespace std::chrono_literals;

TEST(Orders, AreWrittenDownAndReadBack) {
  Orders orders;
  orders.crawl = {.paused = true, .until = base::WallTime(5s)};
  ASSERT_TRUE(orders.set("a.test", {.paused = true, .since = base::WallTime(1s)}));
  ASSERT_TRUE(orders.set("[::1]", {.delay = 1500ms, .since = base::WallTime(2s)}));
  const auto read = Orders::parse(orders.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->crawl, orders.crawl);
  EXPECT_EQ(read->size(), 2U);
  EXPECT_EQ(*read->find("a.test"), *orders.find("a.test"));
  EXPECT_EQ(*read->find("[::1]"), *orders.find("[::1]"));
  EXPECT_EQ(read->find("b.test"), nullptr);
  for (const char* const wrong : {"", "{", "[]", "{}", R"({"crawl":{"paused":1,"since":0},"hosts":{}})"}) {
    EXPECT_FALSE(Orders::parse(wrong)) << wrong;
  }
}

TEST(Orders, AnEmptyOneIsNone) {
  Orders orders;
  orders.set("a.test", {.delay = 1s});
  orders.set("a.test", {});
  orders.set("b.test", {});
  EXPECT_EQ(orders.size(), 0U);
}

TEST(Orders, ThereIsAMost) {
  Orders orders;
  for (std::size_t i = 0; i < Orders::kHostsMax; ++i)
    ASSERT_TRUE(orders.set("h" + std::to_string(i), {.paused = true}));
  EXPECT_FALSE(orders.set("one-more", {.paused = true}));
  EXPECT_TRUE(orders.set("h0", {.delay = 1s}));
  EXPECT_TRUE(orders.set("h1", {}));
  EXPECT_TRUE(orders.set("one-more", {.paused = true}));
}

TEST(Orders, APauseEndsAtItsInstant) {
  const Order order{.paused = true, .until = base::WallTime(10s)};
  EXPECT_TRUE(order.holds(base::WallTime(10s) - 1ns));
  EXPECT_FALSE(order.holds(base::WallTime(10s)));
  EXPECT_TRUE((Order{.paused = true}).holds(base::WallTime::max()));
  EXPECT_FALSE((Order{.delay = 1s}).holds(base::WallTime(0s)));
}

TEST(Orders, WhatIsOverIsDropped) {
  Orders orders;
  orders.crawl = {.paused = true, .until = base::WallTime(10s)};
  orders.set("a.test", {.paused = true, .until = base::WallTime(10s)});
  orders.set("b.test", {.paused = true, .until = base::WallTime(10s), .delay = 1s});
  orders.set("c.test", {.paused = true});
  EXPECT_FALSE(orders.expired(base::WallTime(9s)));
  orders.drop_expired(base::WallTime(9s));
  EXPECT_EQ(orders.size(), 3U);
  EXPECT_TRUE(orders.expired(base::WallTime(10s)));
  orders.drop_expired(base::WallTime(10s));
  EXPECT_FALSE(orders.crawl.paused);
  EXPECT_EQ(orders.find("a.test"), nullptr);
  EXPECT_EQ(*orders.find("b.test"), (Order{.delay = 1s}));
  EXPECT_TRUE(orders.find("c.test")->paused);
  EXPECT_FALSE(orders.expired(base::WallTime(11s)));
}

TEST(Orders, HostsAreNamedAsUrlsNameThem) {
  EXPECT_EQ(host_name("WWW.Example.ORG"), "www.example.org");
  EXPECT_EQ(host_name("b\u00fccher.test"), "xn--bcher-kva.test");
  EXPECT_EQ(host_name("[::1]"), "[::1]");
  EXPECT_EQ(host_name("2001:db8::1"), "[2001:db8::1]");
  EXPECT_EQ(host_name("127.1"), "127.0.0.1");
  for (const char* const wrong :
       {"", "a/b", "a?b", "a#b", "a@b", "a:81", "a b", "http://a", "\\a", "a:80", "[::1]:80", "*", "*.a"}) {
    EXPECT_FALSE(host_name(wrong)) << wrong;
  }
}

TEST(Recent, KeepsTheLastAndKnowsThemByOrigin) {
  Recent recent;
  for (std::size_t i = 0; i < Recent::kKept + 5; ++i) {
    PastVisit visit;
    visit.origin = i % 2 == 0 ? "http://a.test" : "http://b.test";
    visit.url = std::to_string(i);
    visit.fate = i % 2 == 0 ? Fate::fetched : Fate::gone;
    recent.add(visit);
  }
  EXPECT_EQ(recent.last(2)[0].url, "1004");
  EXPECT_EQ(recent.last(Recent::kKept + 100).size(), Recent::kKept);
  EXPECT_EQ(recent.last(2 * Recent::kKept).back().url, "5");
  EXPECT_EQ(recent.last(2, "http://b.test")[1].url, "1001");
  const auto fates = recent.fates(3);
  EXPECT_EQ(fates.at("http://b.test"), (std::vector<Fate>{Fate::gone, Fate::gone, Fate::gone}));
}

TEST(History, RatesAreOfTheLastSamples) {
  History history;
  EXPECT_EQ(history.rate(1), 0);
  for (std::uint64_t i = 0; i < History::kSamples + 10; ++i) history.add({.requests = i, .octets = 1000});
  EXPECT_EQ(history.samples().size(), History::kSamples);
  EXPECT_DOUBLE_EQ(history.rate(1), 36.9);
  EXPECT_DOUBLE_EQ(history.rate(2), 36.85);
  EXPECT_DOUBLE_EQ(history.rate(6, &Sample::octets), 100);
}

TEST(HostView, TheDayIsInStretches) {
  scheduler::Wishes wishes;
  wishes.rates.push_back({1, 4, base::DailyWindow{360, 720, 600, 1159}});
  const scheduler::Pace pace(wishes, config::Politeness{}, "a.test", false);
  const auto day = day_of(pace, base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1)) + 5h);
  ASSERT_EQ(day.size(), 3U);
  EXPECT_EQ(day[0].from, 0);
  EXPECT_EQ(day[0].to, 360);
  EXPECT_EQ(day[1].interval.length, 4s);
  EXPECT_EQ(day[1].to, 720);
  EXPECT_EQ(day[2].to, 1440);
}

TEST(Histogram, CountsByUpperBound) {
  Histogram histogram;
  histogram.add(1ms);
  histogram.add(1ms + 1ns);
  histogram.add(2h);
  EXPECT_EQ(histogram.counts[0], 1U);
  EXPECT_EQ(histogram.counts[1], 1U);
  EXPECT_EQ(histogram.counts.back(), 1U);
  EXPECT_NEAR(histogram.sum, 7200.002, 1e-6);
}

}  // namespace
