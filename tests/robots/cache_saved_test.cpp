// What a restart must not forget.
#include "tests/robots/cache_fixture.h"

namespace robots {
namespace {

class SavedTest : public CacheTest {
 protected:
  /// A new process that was given what the old one wrote down.
  void restart(std::string_view body = "") {
    const std::optional<Saved> saved = cache().saved(origin);
    ASSERT_TRUE(saved);
    made.reset();
    cache().restore(origin, *saved, body);
    EXPECT_EQ(cache().saved(origin), saved);
  }
};

TEST_F(SavedTest, NothingBeforeTheFirstFetchIsOver) {
  EXPECT_FALSE(cache().saved(origin));
  redirect(301, "/moved");
  EXPECT_FALSE(cache().saved(origin));
  ASSERT_NE(ask(), "");
  EXPECT_FALSE(cache().saved(origin));
  tell(200, kBody);
  ASSERT_TRUE(cache().saved(origin));
  EXPECT_TRUE(cache().saved(origin)->has_copy);
  EXPECT_EQ(cache().saved(origin)->access, Access::rules);
  EXPECT_FALSE(cache().saved(base::Url::parse("http://b.test/")->origin()));
}

TEST_F(SavedTest, AFileComesBackWithItsRulesItsExpiryAndItsValidators) {
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 200;
  answer.body = kBody;
  answer.etag = "\"1\"";
  answer.last_modified = "Sat, 21 Nov 2026 00:00:00 GMT";
  answer.max_age = 2h;
  tell(answer);
  now += 30min;
  restart(kBody);
  EXPECT_EQ(access(), Access::rules);
  EXPECT_FALSE(allowed("/x"));
  EXPECT_TRUE(allowed("/y"));
  EXPECT_EQ(wait(), 90min);
  EXPECT_EQ(told(), "200, 1 rule, fresh for 1h30m");
  EXPECT_EQ(ask(), "") << "not before";
  sleep();
  const auto want = cache().want(origin, now, random);
  ASSERT_TRUE(want);
  EXPECT_EQ(want->etag, "\"1\"");
  EXPECT_EQ(want->last_modified, "Sat, 21 Nov 2026 00:00:00 GMT");
  tell(304);
  EXPECT_EQ(wait(), 2h) << "as long as the last time";
  EXPECT_FALSE(allowed("/x"));
}

TEST_F(SavedTest, WhatIsMissingStaysMissingUntilItsExpiry) {
  fetch(404);
  restart();
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_FALSE(cache().saved(origin)->has_copy);
  EXPECT_EQ(wait(), 24h);
  EXPECT_EQ(told(), "404, no robots.txt, fresh for 1d");
}

TEST_F(SavedTest, AnEmptyFileIsStillOneAndMayBeRenewed) {
  fetch(200);
  restart();
  EXPECT_EQ(told(), "200, empty, fresh for 1d");
  sleep();
  fetch(304);
  EXPECT_EQ(access(), Access::allow_all);
  sleep();
  fetch(0);
  EXPECT_EQ(access(), Access::stale_rules);
  restart();
  EXPECT_TRUE(allowed("/x"));
}

TEST_F(SavedTest, TheStepsOfAFetchUnderWayAreNot) {
  fetch(200, kBody);
  sleep();
  redirect(301, "/moved");
  restart(kBody);
  EXPECT_FALSE(allowed("/x"));
  EXPECT_EQ(ask(), "http://a.test/robots.txt") << "from the start";
}

TEST_F(SavedTest, RetriesGoOnWhereTheyWere) {
  options.probe_5xx_after.reset();
  for (int i = 0; i < 5; ++i) {
    sleep();
    fetch(503);
  }
  restart();
  EXPECT_EQ(access(), Access::defer);
  EXPECT_GE(wait(), 16min);
  sleep();
  fetch(503);
  EXPECT_GE(wait(), 32min);
}

TEST_F(SavedTest, AnOldCopyHoldsWhileItsOriginIsDown) {
  fetch(200, kBody);
  sleep();
  fetch(503);
  restart(kBody);
  EXPECT_EQ(access(), Access::stale_rules);
  EXPECT_FALSE(allowed("/x"));
  sleep();
  fetch(200, "User-agent: *\nDisallow: /y\n");
  EXPECT_TRUE(allowed("/x"));
  EXPECT_FALSE(allowed("/y"));
}

TEST_F(SavedTest, AnOutageOfThirtyDaysMayHaveARestartEachDay) {
  options.probe_5xx_after.reset();
  fetch(503);
  const base::TimePoint first = now;
  while (now - first < 24h * 30) {
    EXPECT_EQ(access(), Access::defer);
    restart();
    now = std::max(now + 24h, now + wait());
    fetch(503);
  }
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(now - first, 24h * 30);
  restart();
  EXPECT_EQ(told(), "503 since 30d: taken as missing, fresh for 1d");
}

TEST_F(SavedTest, AProbeIsDueAfterADayOf5xxAndNotTwiceADay) {
  fetch(503);
  restart();
  now += 24h;
  fetch(503);
  EXPECT_EQ(ask(), "http://a.test/") << "the probe";
  tell(503);
  restart();
  sleep();
  fetch(503);
  EXPECT_EQ(ask(), "") << "no second probe";
  now += 24h;
  fetch(503);
  EXPECT_EQ(ask(), "http://a.test/");
}

TEST_F(SavedTest, AnOriginThatIsKnownIsLeftAsItIs) {
  fetch(404);
  const Saved missing = *cache().saved(origin);
  made.reset();
  ASSERT_NE(ask(), "");
  cache().restore(origin, missing, "");
  EXPECT_EQ(access(), Access::unknown) << "the request in flight goes on";
  tell(200, kBody);
  cache().restore(origin, missing, "");
  EXPECT_FALSE(allowed("/x"));
}

TEST_F(SavedTest, WhatDoesNotFitIsAskedAgainAndAllowsNothing) {
  fetch(200, kBody);
  const Saved good = *cache().saved(origin);
  const auto restored = [&](const Saved& saved, std::string_view body) {
    made.reset();
    cache().restore(origin, saved, body);
    return cache().size();
  };
  EXPECT_EQ(restored(good, kBody), 1U);
  EXPECT_EQ(restored(good, ""), 0U) << "the body is lost";
  EXPECT_FALSE(allowed("/x"));
  EXPECT_EQ(ask(), "http://a.test/robots.txt");
  Saved bad = good;
  bad.has_copy = false;
  EXPECT_EQ(restored(bad, kBody), 0U);
  bad.access = Access::stale_rules;
  EXPECT_EQ(restored(bad, kBody), 0U);
  EXPECT_EQ(restored({}, kBody), 0U);
  bad.access = Access::defer;
  bad.etag = "\"1\"";
  EXPECT_EQ(restored(bad, ""), 1U);
  sleep();
  EXPECT_EQ(cache().want(origin, now, random)->etag, "") << "validators of a copy that is not there";
}

TEST_F(SavedTest, RestoredOnesCountForTheLimits) {
  options.cache_entries = 2;
  fetch(200, kBody);
  const Saved saved = *cache().saved(origin);
  const auto one = [](int i) {
    return base::Url::parse("http://h" + std::to_string(i) + ".test/")->origin();
  };
  for (int i = 0; i < 5; ++i) {
    cache().restore(one(i), saved, kBody);
    EXPECT_EQ(cache().size(), 2U);
  }
  EXPECT_EQ(cache().access(one(4)), Access::rules);
  EXPECT_EQ(cache().access(one(2)), Access::unknown);
  const std::size_t each = cache().rules(one(4))->octets();
  options.cache_entries = 100;
  made.emplace(std::vector<std::string>{"crawld"}, options, 3 * each);
  for (int i = 0; i < 5; ++i) cache().restore(one(i), saved, kBody);
  EXPECT_EQ(cache().size(), 3U);
}

}  // namespace
}  // namespace robots
