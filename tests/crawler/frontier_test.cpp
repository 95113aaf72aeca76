#include "crawler/frontier.h"

#include "tests/support/frontier_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using crawler::Offered;
using support::at;
using support::offer;
using support::origin_of;

class Frontier : public support::FrontierFixture {};

const base::Origin kA = origin_of("http://a.test/");

TEST_F(Frontier, TakesEachUrlOnceLeastDepthFirstThenFirstCome) {
  EXPECT_EQ(give("http://a.test/deep", 2), Offered::queued);
  EXPECT_EQ(give("http://a.test/1", 1), Offered::queued);
  EXPECT_EQ(give("http://a.test/2", 1), Offered::queued);
  EXPECT_EQ(give("http://a.test/1", 0), Offered::seen);
  EXPECT_EQ(give("http://b.test/1", 0), Offered::queued);
  EXPECT_EQ(frontier().tally().owed(), 4U);
  EXPECT_EQ(visits(kA, at(0s)), "/1 /2 /deep");
  EXPECT_EQ(frontier().tally().owed(), 1U);
  EXPECT_EQ(frontier().tally().seen, 4U);
  EXPECT_EQ(give("http://a.test/1", 0), Offered::seen);
}

TEST_F(Frontier, AHeavySeedsLinksCountAsLessDeep) {
  give("http://a.test/light", 3);
  crawler::Offer heavy = offer("http://a.test/heavy", 8);
  heavy.discovery.weight = 4;
  frontier().offer(std::move(heavy), at(0s));
  frontier().commit();
  EXPECT_EQ(visits(kA, at(0s)), "/heavy /light");
}

TEST_F(Frontier, PutBackIsFirstAgain) {
  give("http://a.test/1");
  give("http://a.test/2");
  frontier().hold(kA);
  frontier().put_back(*frontier().take(kA, at(0s)));
  EXPECT_EQ(frontier().take(kA, at(0s))->url.target(), "/1");
}

TEST_F(Frontier, ARetryWaitsForItsTimeAndOthersGoFirst) {
  give("http://a.test/1");
  give("http://a.test/2");
  frontier().hold(kA);
  crawler::Item item = *frontier().take(kA, at(0s));
  item.attempts = 3;
  EXPECT_FALSE(frontier().retry(std::move(item), at(10s)));  // it was owed before
  frontier().commit();
  EXPECT_EQ(frontier().next_due(kA), at(10s));
  EXPECT_EQ(frontier().tally().later, 1U);
  reopen();
  EXPECT_EQ(visits(kA, at(9s)), "/2");
  frontier().hold(kA);
  EXPECT_FALSE(frontier().ready(kA, at(9s)));
  EXPECT_FALSE(frontier().take(kA, at(9s)));
  EXPECT_TRUE(frontier().ready(kA, at(10s)));
  auto again = frontier().take(kA, at(10s));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->attempts, 3U);
  EXPECT_EQ(frontier().tally().owed(), 1U);
  EXPECT_TRUE(frontier().settle(std::move(*again), ended(Fate::given_up), at(10s)));
  EXPECT_EQ(frontier().tally().owed(), 0U);
}

TEST_F(Frontier, BudgetsOfAnOriginAndOfADomain) {
  parts_.scope.max_urls_per_origin = 2;
  parts_.scope.max_urls_per_domain = 3;
  reopen();
  EXPECT_EQ(give("http://a.test/1"), Offered::queued);
  EXPECT_EQ(give("http://a.test/2"), Offered::queued);
  EXPECT_EQ(give("http://a.test/3"), Offered::over_origin_budget);
  EXPECT_EQ(give("http://a.test/1"), Offered::seen);
  reopen();
  EXPECT_EQ(give("http://a.test/3"), Offered::over_origin_budget);
  EXPECT_EQ(give("https://a.test/1"), Offered::queued);  // another origin
  EXPECT_EQ(give("http://www.a.test/1"), Offered::over_domain_budget);
  EXPECT_EQ(give("http://b.test/1"), Offered::queued);
  EXPECT_EQ(visits(kA, at(0s)), "/1 /2");
}

TEST_F(Frontier, WhatIsOwedAndSeenOutlivesTheRun) {
  for (int i = 0; i < 500; ++i) give("http://a.test/" + std::to_string(i), 1);
  frontier().hold(kA);
  for (int i = 0; i < 100; ++i) {
    frontier().settle(*frontier().take(kA, at(1s)), ended(Fate::fetched), at(1s));
    frontier().commit();
  }
  crawler::Item in_flight = *frontier().take(kA, at(1s));  // dies with the process
  reopen();
  EXPECT_EQ(frontier().tally().owed(), 400U);
  EXPECT_EQ(give("http://a.test/5"), Offered::seen);
  EXPECT_EQ(give("http://a.test/450"), Offered::seen);
  frontier().hold(kA);
  for (int i = 100; i < 500; ++i) {
    auto item = frontier().take(kA, at(1s));
    ASSERT_TRUE(item) << i;
    EXPECT_EQ(item->url.target(), "/" + std::to_string(i));
    frontier().settle(std::move(*item), ended(Fate::fetched), at(1s));
    frontier().commit();
  }
  EXPECT_FALSE(frontier().take(kA, at(1s)));
}

TEST_F(Frontier, WhatWasNotCommittedIsNotThere) {
  give("http://a.test/1");
  frontier().offer(offer("http://a.test/2"), at(0s));
  reopen();
  EXPECT_EQ(give("http://a.test/2"), Offered::queued);
  EXPECT_EQ(visits(kA, at(0s)), "/1 /2");
}

TEST_F(Frontier, ARequestInFlightAtACrashCountsAsSentWhenTheStoreWasOpened) {
  give("http://a.test/1");
  frontier().hold(kA);
  scheduler::HostState clocks;
  clocks.started = at(5s);
  clocks.overloads = 3;
  frontier().begin_request(kA);
  frontier().end_request(kA, clocks);
  frontier().commit();
  reopen(at(60s));
  frontier().hold(kA);
  EXPECT_EQ(frontier().clocks(kA).started, at(5s));  // it had ended
  EXPECT_EQ(frontier().clocks(kA).overloads, 3);
  frontier().begin_request(kA);
  frontier().commit();
  reopen(at(100s));
  frontier().hold(kA);
  EXPECT_EQ(frontier().clocks(kA).started, at(100s));
  reopen(at(200s));  // and again: nothing has been written since
  frontier().hold(kA);
  EXPECT_EQ(frontier().clocks(kA).started, at(200s));
  EXPECT_EQ(frontier().clocks(kA).overloads, 3);
}

TEST_F(Frontier, APageComesAgainWithItsValidators) {
  parts_.recrawl = {true, 7 * 24h, 24h, 90 * 24h};
  reopen();
  give("http://a.test/1");
  frontier().hold(kA);
  crawler::Ending ending = ended(Fate::fetched);
  ending.digest = {1, 2};
  ending.etag = "\"x\"";
  EXPECT_TRUE(frontier().settle(*frontier().take(kA, at(0s)), ending, at(0s)));
  frontier().commit();
  EXPECT_EQ(frontier().tally().again, 1U);
  EXPECT_EQ(frontier().tally().owed(), 0U);
  EXPECT_EQ(frontier().next_due(kA), at(7 * 24h));
  EXPECT_FALSE(frontier().take(kA, at(7 * 24h - 1s)));
  reopen();
  frontier().hold(kA);
  auto again = frontier().take(kA, at(7 * 24h));
  ASSERT_TRUE(again && again->known);
  EXPECT_EQ(again->known->etag, "\"x\"");
  ending = ended(Fate::unchanged);
  EXPECT_FALSE(frontier().settle(std::move(*again), ending, at(7 * 24h)));  // it was not owed
  frontier().commit();
  EXPECT_EQ(frontier().next_due(kA), at(7 * 24h + 14 * 24h));
  again = frontier().take(kA, at(21 * 24h));
  ASSERT_TRUE(again && again->known);
  EXPECT_EQ(again->known->etag, "\"x\"");  // kept: no body came
  ending = ended(Fate::fetched);
  ending.digest = {3, 4};
  frontier().settle(std::move(*again), ending, at(21 * 24h));
  frontier().commit();
  EXPECT_EQ(frontier().next_due(kA), at(28 * 24h));
}

TEST_F(Frontier, AFailedRecrawlIsOwedUntilItSettles) {
  parts_.recrawl = {true, 7 * 24h, 24h, 90 * 24h};
  reopen();
  give("http://a.test/1");
  frontier().hold(kA);
  frontier().settle(*frontier().take(kA, at(0s)), ended(Fate::fetched), at(0s));
  frontier().commit();
  crawler::Item item = *frontier().take(kA, at(8 * 24h));
  item.attempts = 1;
  EXPECT_TRUE(frontier().retry(std::move(item), at(8 * 24h + 60s)));
  frontier().commit();
  EXPECT_EQ(frontier().tally().again, 0U);
  EXPECT_EQ(frontier().tally().later, 1U);
  reopen();
  frontier().hold(kA);
  auto again = frontier().take(kA, at(9 * 24h));
  ASSERT_TRUE(again && again->known);
  EXPECT_EQ(again->attempts, 1U);
  EXPECT_TRUE(frontier().settle(std::move(*again), ended(Fate::fetched), at(9 * 24h)));
  EXPECT_EQ(frontier().tally().owed(), 0U);
  EXPECT_EQ(frontier().tally().again, 1U);
}

TEST_F(Frontier, NewAndOldPagesTakeTurns) {
  parts_.recrawl = {true, 24h, 24h, 24h};
  reopen();
  for (int i = 0; i < 3; ++i) give("http://a.test/old" + std::to_string(i));
  EXPECT_EQ(visits(kA, at(0s)), "/old0 /old1 /old2");
  for (int i = 0; i < 3; ++i) give("http://a.test/new" + std::to_string(i), 1);
  std::string order;
  frontier().hold(kA);
  for (int i = 0; i < 6; ++i) {
    auto item = frontier().take(kA, at(24h));
    ASSERT_TRUE(item);
    order += item->url.target().substr(1, 1);
    frontier().settle(std::move(*item), ended(Fate::fetched), at(24h));
    frontier().commit();
  }
  EXPECT_TRUE(order == "nonono" || order == "ononon") << order;
}

TEST_F(Frontier, ManyPagesThatComeAgainAtOnceAllComeAgainOnceMore) {
  parts_.recrawl = {true, 24h, 1h, 90 * 24h};
  reopen();
  for (int i = 0; i < 200; ++i) give("http://a.test/" + std::to_string(i));
  visits(kA, at(0s));
  ASSERT_EQ(frontier().tally().again, 200U);
  // All in one turn, without a commit of the caller, and most of them with a shorter interval than the last.
  frontier().hold(kA);
  for (int i = 0; i < 200; ++i) {
    auto item = frontier().take(kA, at(48h));
    ASSERT_TRUE(item) << i;
    crawler::Ending ending = ended(i < 190 ? Fate::disallowed : Fate::unchanged);
    frontier().settle(std::move(*item), ending, at(48h));
  }
  frontier().commit();
  frontier().release(kA);
  frontier().commit();
  const std::string again = visits(kA, at(200 * 24h));
  EXPECT_EQ(std::ranges::count(again, '/'), 200);
  EXPECT_EQ(frontier().tally().again, 200U);
}

TEST_F(Frontier, WhatIsOverTheBudgetLeavesNoTrace) {
  parts_.scope.max_urls_per_domain = 10;
  reopen();
  for (int i = 0; i < 500; ++i) give("http://h" + std::to_string(i) + ".a.test/");
  EXPECT_EQ(frontier().tally().origins, 10U);
  std::size_t rows = 0;
  store_.scan(crawler::Table::hosts, {}, {},
              [&rows](std::string_view, std::string_view) { return ++rows > 0; });
  EXPECT_EQ(rows, 10U);
}

TEST_F(Frontier, AnItemThatABugHasLostIsReadAgain) {
  give("http://a.test/1");
  give("http://a.test/2");
  frontier().hold(kA);
  { const auto lost = frontier().take(kA, at(0s)); }
  frontier().abandon(kA);
  frontier().release(kA);
  frontier().commit();
  EXPECT_EQ(visits(kA, at(0s)), "/1 /2");
}

TEST_F(Frontier, AForgottenUrlCanBeFoundAgain) {
  give("http://a.test/1");
  frontier().hold(kA);
  EXPECT_TRUE(frontier().forget(*frontier().take(kA, at(0s))));
  frontier().commit();
  EXPECT_EQ(frontier().tally().seen, 0U);
  EXPECT_EQ(frontier().tally().owed(), 0U);
  EXPECT_EQ(give("http://a.test/1"), Offered::queued);
  EXPECT_EQ(visits(kA, at(0s)), "/1");
}

TEST_F(Frontier, OriginsAreListedWhenTheyShouldBeLookedAt) {
  give("http://a.test/1", 0, at(10s));
  give("http://b.test/1", 0, at(5s));
  EXPECT_EQ(listed(at(4s)), "");
  EXPECT_EQ(listed(at(100s)), "http://b.test@5 http://a.test@10");
  frontier().hold(kA);
  frontier().list(kA, at(3600s));
  frontier().release(kA);
  frontier().commit();
  EXPECT_EQ(listed(at(100s)), "http://b.test@5");
  reopen();
  EXPECT_EQ(listed(at(4000s)), "http://b.test@5 http://a.test@3600");
  give("http://a.test/2", 0, at(20s));  // sooner than it was to be looked at
  EXPECT_EQ(listed(at(4000s)), "http://b.test@5 http://a.test@20");
  frontier().hold(kA);
  frontier().list(kA, std::nullopt);
  frontier().commit();
  EXPECT_EQ(listed(at(4000s)), "http://b.test@5");
}

TEST_F(Frontier, RowsOfOtherPartitionsAreLeftAlone) {
  give("http://a.test/1");
  give("http://b.test/1");
  const auto partition = frontier().row_of(kA, at(0s)).partition;
  parts_.partitions = {partition, std::uint32_t{partition} + 1};
  reopen();
  EXPECT_EQ(listed(at(100s)), "http://a.test@0");
  EXPECT_EQ(frontier().tally().owed(), 1U);
}

TEST_F(Frontier, AHeldOriginTakesBoundedMemoryWhateverIsQueued) {
  for (int i = 0; i < 5000; ++i) give("http://a.test/" + std::to_string(i));
  reopen();
  const std::size_t before = frontier().octets();
  frontier().hold(kA);
  EXPECT_TRUE(frontier().take(kA, at(0s)));
  const std::size_t with_batch = frontier().octets() - before;
  EXPECT_GT(with_batch, crawler::Frontier::kBatch / 2 * 100) << "it counts what there is";
  EXPECT_LT(with_batch, 2 * crawler::Frontier::kBatch * 1024 + crawler::Seen::kOctetsMin);
}

TEST_F(Frontier, WhatRobotsTxtSaidOutlivesTheRun) {
  frontier().hold(kA);
  EXPECT_FALSE(frontier().robots(kA));
  robots::Saved saved;
  saved.access = robots::Access::rules;
  saved.has_copy = true;
  saved.due = at(3600s);
  saved.first_5xx = at(7s);
  const std::string body = "User-agent: *\nDisallow: /x\n";
  frontier().keep_robots(kA, saved, &body);
  frontier().commit();
  saved.access = robots::Access::stale_rules;
  frontier().keep_robots(kA, saved, nullptr);  // the body has not changed
  frontier().begin_request(kA);                // so that there is a record of the host
  frontier().commit();
  reopen();
  frontier().hold(kA);
  const auto found = frontier().robots(kA);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, saved);
  EXPECT_EQ(found->second, body);
}

TEST_F(Frontier, HostsThatSeedsLedToOutliveTheRun) {
  frontier().keep_followed("www.a.test");
  frontier().commit();
  reopen();
  EXPECT_EQ(frontier().followed(), std::vector<std::string>{"www.a.test"});
}

TEST_F(Frontier, APathHasSoManyQueriesAndNoMore) {
  parts_.traps.max_queries_per_path = 3;
  reopen();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(give("http://a.test/cal?day=" + std::to_string(i)), Offered::queued);
  EXPECT_EQ(give("http://a.test/cal?day=3"), Offered::over_query_budget);
  EXPECT_EQ(give("http://a.test/cal?day=1"), Offered::seen);
  EXPECT_EQ(give("http://a.test/cal"), Offered::queued);
  EXPECT_EQ(give("http://a.test/other?day=3"), Offered::queued);
  reopen();
  EXPECT_EQ(give("http://a.test/cal?day=4"), Offered::over_query_budget);  // also after a restart
}

TEST_F(Frontier, ASitemapsDateBringsAKnownPageBackSooner) {
  parts_.recrawl = {true, 1000s, 500s, 9000s};
  reopen();
  give("http://a.test/1");
  give("http://a.test/2");
  const std::string both = visits(kA, at(10s));
  EXPECT_EQ(both, "/1 /2");
  frontier().hold(kA);
  frontier().list(kA, frontier().next_due(kA));
  frontier().release(kA);
  frontier().commit();
  EXPECT_EQ(listed(at(9000s)), "http://a.test@1010");
  const auto say = [this](const char* url, std::int64_t modified, base::TimePoint now) {
    crawler::Offer found = offer(url);
    found.modified = modified;
    const Offered result = frontier().offer(std::move(found), now);
    frontier().commit();
    return result;
  };
  EXPECT_EQ(say("http://a.test/1", -1, at(20s)), Offered::seen);  // visited since
  EXPECT_EQ(say("http://a.test/1", 100, at(20s)), Offered::hastened);
  EXPECT_EQ(say("http://a.test/1", 100, at(20s)), Offered::seen);  // it is due already
  EXPECT_EQ(listed(at(9000s)), "http://a.test@20");
  EXPECT_EQ(frontier().tally().again, 2U);
  reopen();
  EXPECT_EQ(visits(kA, at(30s)), "/1");
  EXPECT_EQ(visits(kA, at(1010s)), "/2");
  EXPECT_EQ(frontier().tally().again, 2U);
}

TEST_F(Frontier, WhatASiteHasShownIsKnownOnAllItsHostsAndNowhereElse) {
  const base::Origin www = origin_of("http://www.a.test/");
  const base::Origin other = origin_of("http://b.test/");
  for (const base::Origin& origin : {kA, www, other}) frontier().hold(origin);
  frontier().keep_content(kA, {1, 2}, {"http://a.test/x", 7, "sha1:Y"});
  frontier().commit();
  ASSERT_TRUE(frontier().content(www, {1, 2}));
  EXPECT_EQ(frontier().content(www, {1, 2})->target, "http://a.test/x");
  EXPECT_FALSE(frontier().content(www, {1, 3}));
  EXPECT_FALSE(frontier().content(other, {1, 2}));
}

TEST_F(Frontier, TheBrakeOutlivesARestart) {
  parts_.traps.brake_after = 20;
  reopen();
  frontier().hold(kA);
  const auto url = *base::Url::parse("http://a.test/cal/1");
  for (int i = 0; i < 19; ++i) frontier().note_yield(url, true);
  EXPECT_FALSE(frontier().brake_of(url));
  frontier().note_yield(url, true);
  frontier().commit();
  reopen();
  frontier().hold(kA);
  ASSERT_TRUE(frontier().brake_of(url));
  EXPECT_EQ(frontier().brake_of(url)->what, "/cal/");
  EXPECT_FALSE(frontier().brake_of(*base::Url::parse("http://a.test/news/1")));
}

}  // namespace
