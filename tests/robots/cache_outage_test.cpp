// ROBOTS.md §8: servers that fail, for how long, and how they are found out.
#include "tests/robots/cache_fixture.h"

namespace robots {
namespace {

TEST_F(CacheTest, RetriesClimbFromAMinuteToSixHoursWithJitterAndStartAnewAfterAnAnswer) {
  options.probe_5xx_after.reset();
  base::Duration step = 1min;
  for (int i = 0; i < 12; ++i) {
    fetch(503);
    EXPECT_GE(wait(), step) << i;
    EXPECT_LE(wait(), std::min<base::Duration>(step + step / 10, 6h)) << i;
    EXPECT_EQ(ask(), "") << "not before";
    sleep();
    step = std::min<base::Duration>(2 * step, 6h);
  }
  EXPECT_EQ(step, 6h);
  fetch(200, kBody);
  sleep();
  fetch(503);
  EXPECT_LE(wait(), 66s);
}

/// 503 with Retry-After, asked for as soon as it is due.
class RetryAfterTest : public CacheTest {
 protected:
  base::Duration fail(base::Duration retry_after) {
    sleep();
    EXPECT_NE(ask(), "");
    Answer answer;
    answer.status = 503;
    answer.retry_after = retry_after;
    tell(answer);
    return wait();
  }
};

TEST_F(RetryAfterTest, IsObeyedUpToADay) {
  EXPECT_EQ(fail(1h), 1h);
  EXPECT_EQ(fail(24h * 30), 24h);
  EXPECT_EQ(fail(24h + 1s), 24h);
}

TEST_F(RetryAfterTest, IsBelievedThreeTimesWhenItIsShortAndThenTheLadderRules) {
  EXPECT_EQ(fail(30s), 30s);
  EXPECT_EQ(fail(0s), 5s) << "but never at once";
  EXPECT_EQ(fail(1s), 5s);
  EXPECT_GE(fail(1s), 8min);
  EXPECT_GE(fail(1s), 16min);
  EXPECT_EQ(fail(5h), 5h) << "a longer one is always obeyed";
}

/// 5xx, retried as often as due, until `end`.
class OutageTest : public CacheTest {
 protected:
  void fail_until(base::TimePoint end, int status = 503) {
    while (access() != Access::allow_all) {
      if (cache().due(origin, now) > end) break;
      sleep();
      fetch(status);
    }
  }
};

TEST_F(OutageTest, Rfc9309_2_3_1_4_ServerErrorsForThirtyDaysMeanMissing) {
  options.probe_5xx_after.reset();
  fail_until(kStart + 24h * 30 - 1ns);
  EXPECT_EQ(access(), Access::defer);
  EXPECT_TRUE(told().starts_with("503 since 29d")) << told();
  sleep();
  ASSERT_GE(now, kStart + 24h * 30);
  fetch(500);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_TRUE(allowed("/x"));
  EXPECT_EQ(wait(), 24h);
  EXPECT_TRUE(told().starts_with("500 since 30d")) << told();
  EXPECT_TRUE(told().ends_with(": taken as missing, fresh for 1d")) << told();
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::allow_all) << "still";
  EXPECT_EQ(wait(), 24h);
  sleep();
  fetch(200, kBody);
  EXPECT_EQ(access(), Access::rules);
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::stale_rules) << "a new outage counts from its own beginning";
}

TEST_F(OutageTest, OtherFailuresForThirtyDaysDoNot) {
  fail_until(kStart + 24h * 60, 0);
  EXPECT_EQ(access(), Access::defer);
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::defer) << "the first 5xx";
  EXPECT_TRUE(told().starts_with("503 since 60d")) << told();
}

TEST_F(OutageTest, FailuresInBetweenDoNotStartTheThirtyDaysAnew) {
  options.probe_5xx_after.reset();
  fetch(503);
  sleep();
  fail_until(kStart + 24h * 30, 0);
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::allow_all);
}

TEST_F(OutageTest, AnOldCopyGoesWithTheThirtyDays) {
  options.probe_5xx_after.reset();
  fetch(200, kBody);
  sleep();
  const base::TimePoint outage = now;
  fail_until(outage + 24h * 30 - 1ns);
  EXPECT_EQ(access(), Access::stale_rules);
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::allow_all);
  sleep();
  fetch(0);
  EXPECT_EQ(access(), Access::defer);
}

class ProbeTest : public OutageTest {
 protected:
  /// Brings the cache to the first probe; it has asked for `/`.
  void reach_probe(int status = 503) {
    while (true) {
      sleep();
      const auto want = cache().want(origin, now, random);
      ASSERT_TRUE(want);
      if (want->purpose == Purpose::probe_root) {
        EXPECT_EQ(want->url.text(), "http://a.test/");
        EXPECT_GE(now, kStart + 24h);
        return;
      }
      ASSERT_EQ(want->url.text(), "http://a.test/robots.txt");
      ASSERT_LT(now, kStart + 24h + 7h);
      tell(status);
    }
  }
  Want ask_random() {
    auto want = cache().want(origin, now, random);
    EXPECT_TRUE(want);
    EXPECT_EQ(want->purpose, Purpose::probe_random);
    EXPECT_GT(want->url.path().size(), 20U);
    return *want;
  }
};

TEST_F(ProbeTest, AServerThatAnswers5xxWhereItMeans404IsFoundOutAfterADay) {
  reach_probe();
  EXPECT_EQ(access(), Access::defer);
  tell(200, "<html>");
  ask_random();
  tell(503);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(wait(), 24h);
  EXPECT_EQ(told(), "503 where 404 is meant, as a probe showed: taken as missing, fresh for 1d");
  sleep();
  fetch(503);
  EXPECT_EQ(cache().want(origin, now, random)->purpose, Purpose::probe_root) << "looked at again each day";
  tell(200);
  ask_random();
  tell(404);
  EXPECT_EQ(access(), Access::defer) << "it knows 404 now";
  EXPECT_GT(wait(), 1min);
}

TEST_F(ProbeTest, ARootThatDoesNotWorkProvesNothing) {
  for (const int status : {503, 500, 404, 301, 429, 304}) {
    made.reset();
    now = kStart;
    reach_probe();
    tell(status);
    EXPECT_EQ(access(), Access::defer) << status;
    EXPECT_GT(wait(), 0s);
    const base::TimePoint probed = now;
    sleep();
    while (now < probed + 23h) {
      EXPECT_EQ(ask(), "http://a.test/robots.txt") << "no second probe within a day";
      tell(503);
      sleep();
    }
  }
}

TEST_F(ProbeTest, ARandomPathThatAnswersOtherwiseProvesNothing) {
  for (const int status : {404, 200, 500, 0}) {
    made.reset();
    now = kStart;
    reach_probe();
    tell(200);
    ask_random();
    tell(status);
    EXPECT_EQ(access(), Access::defer) << status;
  }
}

TEST_F(ProbeTest, AnyOtherFailureInBetweenMeansNotOnly5xx) {
  for (const int other : {0, 429, 600}) {
    made.reset();
    now = kStart;
    fail_until(kStart + 20h);
    sleep();
    fetch(other);
    const base::TimePoint anew = now;
    while (now < anew + 24h) {
      sleep();
      const auto want = cache().want(origin, now, random);
      ASSERT_TRUE(want);
      ASSERT_EQ(want->purpose, Purpose::robots_txt);
      tell(503);
    }
  }
}

TEST_F(ProbeTest, AProbeThatBreaksMeansNotOnly5xx) {
  reach_probe();
  tell(0);
  const base::TimePoint broken = now;
  while (now < broken + 24h) {
    sleep();
    EXPECT_EQ(ask(), "http://a.test/robots.txt");
    tell(503);
  }
}

TEST_F(ProbeTest, CanBeSwitchedOff) {
  options.probe_5xx_after.reset();
  int asked = 0;
  while (now < kStart + 24h * 10) {
    sleep();
    ASSERT_EQ(ask(), "http://a.test/robots.txt");
    tell(503);
    ++asked;
  }
  EXPECT_GT(asked, 40);
}

TEST_F(ProbeTest, WaitsForRetryAfter) {
  fetch(503);
  now = kStart + 25h;
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 503;
  answer.retry_after = 3h;
  tell(answer);
  EXPECT_EQ(wait(), 3h);
  EXPECT_EQ(ask(), "");
  sleep();
  EXPECT_EQ(ask(), "http://a.test/");
}

TEST_F(ProbeTest, KeepsTheOldCopyUntilItIsProven) {
  fetch(200, kBody);
  now = kStart + 24h;
  fetch(503);
  now += 24h;
  fetch(503);
  EXPECT_EQ(ask(), "http://a.test/");
  EXPECT_EQ(access(), Access::stale_rules);
  tell(200);
  ask_random();
  EXPECT_EQ(access(), Access::stale_rules);
  tell(503);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_TRUE(allowed("/x"));
}

TEST_F(ProbeTest, RandomPathsDiffer) {
  reach_probe();
  tell(200);
  const std::string first(ask_random().url.text());
  cache().forget_flight(origin);
  EXPECT_NE(ask_random().url.text(), first);
}

}  // namespace
}  // namespace robots
