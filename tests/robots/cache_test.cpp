// ROBOTS.md §8, row by row, in virtual time.
#include "tests/robots/cache_fixture.h"

namespace robots {
namespace {

TEST_F(CacheTest, NothingIsKnownAtFirstAndNothingIsAllowed) {
  EXPECT_EQ(access(), Access::unknown);
  EXPECT_FALSE(allowed("/"));
  EXPECT_LE(*cache().due(origin, now), now);
  EXPECT_EQ(cache().rules(origin), nullptr);
  EXPECT_EQ(told(), "not asked yet");
  EXPECT_EQ(cache().size(), 0U) << "asking about an origin does not make it known";
}

TEST_F(CacheTest, OneRequestAtATime) {
  EXPECT_EQ(ask(), "http://a.test/robots.txt");
  EXPECT_EQ(ask(), "");
  EXPECT_EQ(cache().due(origin, now), std::nullopt);
  EXPECT_FALSE(allowed("/"));
  tell(200, kBody);
  EXPECT_EQ(ask(), "") << "fresh";
  EXPECT_TRUE(cache().due(origin, now));
}

TEST_F(CacheTest, AFlightThatCouldNotBeMadeIsAskedForAgain) {
  ASSERT_NE(ask(), "");
  cache().forget_flight(origin);
  EXPECT_EQ(access(), Access::unknown);
  EXPECT_EQ(ask(), "http://a.test/robots.txt");
  tell(301, "");
  EXPECT_EQ(access(), Access::allow_all);
}

TEST_F(CacheTest, AnAnswerThatNobodyAskedForIsNotLearnt) {
  tell(404);
  EXPECT_EQ(access(), Access::unknown);
  fetch(200, kBody);
  tell(404);
  EXPECT_EQ(access(), Access::rules);
}

TEST_F(CacheTest, AnySuccessIsRead) {
  for (const int status : {200, 201, 203, 206, 299}) {
    made.reset();
    fetch(status, kBody);
    EXPECT_EQ(access(), Access::rules) << status;
    EXPECT_FALSE(allowed("/x"));
    EXPECT_TRUE(allowed("/y"));
    ASSERT_NE(cache().rules(origin), nullptr);
    EXPECT_EQ(cache().rules(origin)->rule_count(), 1U);
  }
}

TEST_F(CacheTest, AnEmptySuccessIsNoRules) {
  for (const int status : {200, 204}) {
    made.reset();
    fetch(status);
    EXPECT_EQ(access(), Access::allow_all) << status;
    EXPECT_TRUE(allowed("/x"));
    EXPECT_EQ(cache().rules(origin), nullptr);
    EXPECT_EQ(wait(), 24h);
  }
}

TEST_F(CacheTest, ABodyCutAtTheLimitIsUsed) {
  fetch(200, kBody + std::string(kFileOctetsMax, '#'));
  EXPECT_EQ(access(), Access::rules);
  EXPECT_FALSE(allowed("/x"));
}

TEST_F(CacheTest, AnyClientErrorMeansNoRobotsTxtAndItsBodyIsNotRead) {
  for (const int status : {400, 401, 403, 404, 410, 418, 451, 499}) {
    made.reset();
    fetch(status, "User-agent: *\nDisallow: /\n");
    EXPECT_EQ(access(), Access::allow_all) << status;
    EXPECT_TRUE(allowed("/"));
    EXPECT_EQ(wait(), 24h) << "cached like a success";
  }
}

TEST_F(CacheTest, Rfc9309_2_4_FreshnessIsMaxAgeBetweenFiveMinutesAndADay) {
  const std::vector<std::pair<std::optional<base::Duration>, base::Duration>> cases = {
      {std::nullopt, 24h}, {0s, 5min},      {299s, 5min},    {300s, 5min}, {301s, 301s}, {6h, 6h},
      {24h, 24h},          {24h + 1s, 24h}, {24h * 365, 24h}};
  for (const int status : {200, 404}) {
    for (const auto& [max_age, lifetime] : cases) {
      made.reset();
      ASSERT_NE(ask(), "");
      Answer answer;
      answer.status = status;
      answer.body = kBody;
      answer.max_age = max_age;
      tell(answer);
      EXPECT_EQ(wait(), lifetime);
    }
  }
}

TEST_F(CacheTest, PastItsLifetimeACopyAnswersUntilItIsKnownToBeBad) {
  fetch(200, kBody);
  now += 24h - 1ns;
  EXPECT_EQ(ask(), "");
  now += 1ns;
  EXPECT_LE(*cache().due(origin, now), now);
  EXPECT_EQ(access(), Access::rules);
  EXPECT_FALSE(allowed("/x"));
  ASSERT_NE(ask(), "");
  EXPECT_EQ(access(), Access::rules) << "in flight";
  tell(503);
  EXPECT_EQ(access(), Access::stale_rules);
  EXPECT_FALSE(allowed("/x"));
  EXPECT_TRUE(allowed("/y"));
  EXPECT_NE(cache().rules(origin), nullptr);
}

TEST_F(CacheTest, ACopyIsRevalidatedWithItsValidatorsAndRenewedBy304) {
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 200;
  answer.body = kBody;
  answer.etag = "\"1\"";
  answer.last_modified = "Sat, 21 Nov 2026 01:36:56 GMT";
  answer.max_age = 1h;
  tell(answer);
  now += 1h;
  auto want = cache().want(origin, now, random);
  ASSERT_TRUE(want);
  EXPECT_EQ(want->etag, "\"1\"");
  EXPECT_EQ(want->last_modified, "Sat, 21 Nov 2026 01:36:56 GMT");
  tell(304);
  EXPECT_EQ(access(), Access::rules);
  EXPECT_FALSE(allowed("/x"));
  EXPECT_EQ(wait(), 1h) << "a 304 without Cache-Control keeps the lifetime";
  now += 1h;
  ASSERT_NE(ask(), "");
  Answer renewed;
  renewed.status = 304;
  renewed.etag = "\"2\"";
  renewed.max_age = 2h;
  tell(renewed);
  EXPECT_EQ(wait(), 2h);
  now += 2h;
  EXPECT_EQ(cache().want(origin, now, random)->etag, "\"2\"");
}

TEST_F(CacheTest, A304AlsoRenewsAnEmptyFile) {
  fetch(200);
  sleep();
  fetch(304);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(wait(), 24h);
}

TEST_F(CacheTest, A304WithoutACopyIsAFailure) {
  fetch(304);
  EXPECT_EQ(access(), Access::defer);
  EXPECT_LE(wait(), 66s);
  sleep();
  EXPECT_EQ(cache().want(origin, now, random)->etag, "");
  tell(200, kBody);
  EXPECT_EQ(access(), Access::rules);
}

TEST_F(CacheTest, ANotFoundDropsTheOldCopy) {
  fetch(200, kBody);
  sleep();
  fetch(404);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_TRUE(allowed("/x"));
  sleep();
  fetch(503);
  EXPECT_EQ(access(), Access::defer) << "there is no copy any more";
  EXPECT_FALSE(allowed("/y"));
}

TEST_F(CacheTest, Rfc9309_2_3_1_4_WhateverIsNoUsableAnswerIsTemporary) {
  for (const int status : {0, 100, 101, 199, 500, 502, 503, 504, 599, 600, 999, -1}) {
    made.reset();
    fetch(status, "User-agent: *\nAllow: /\n");
    EXPECT_EQ(access(), Access::defer) << status;
    EXPECT_FALSE(allowed("/"));
    EXPECT_GE(wait(), 1min);
    EXPECT_LE(wait(), 66s);
    sleep();
    fetch(200, kBody);
    EXPECT_TRUE(allowed("/"));
  }
}

TEST_F(CacheTest, TooManyRequestsIsLikeUnavailableUnlessConfigured) {
  fetch(429);
  EXPECT_EQ(access(), Access::defer);
  made.reset();
  options.status_429 = config::Status429::allow;
  fetch(429);
  EXPECT_EQ(access(), Access::allow_all);
}

TEST_F(CacheTest, Rfc9309_2_3_1_2_RedirectsAreFollowedAcrossHosts) {
  for (const int status : {301, 302, 303, 307, 308}) {
    made.reset();
    redirect(status, "https://b.test/moved");
    EXPECT_EQ(access(), Access::unknown) << "not over";
    EXPECT_LE(*cache().due(origin, now), now);
    EXPECT_EQ(ask(), "https://b.test/moved") << status;
    tell(200, kBody);
    EXPECT_EQ(access(), Access::rules);
    EXPECT_FALSE(allowed("/x")) << "the end result counts for the first key";
    EXPECT_EQ(cache().access(base::Url::parse("https://b.test/")->origin()), Access::unknown);
  }
}

TEST_F(CacheTest, ALocationIsRelativeToTheUrlThatRedirects) {
  redirect(301, "/deep/er/");
  redirect(302, "r.txt?x#fragment");
  EXPECT_EQ(ask(), "http://a.test/deep/er/r.txt?x");
  tell(404);
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(wait(), 24h);
}

TEST_F(CacheTest, FiveHopsAreFollowedAndNotSix) {
  for (int i = 1; i <= 5; ++i) redirect(301, "/r" + std::to_string(i));
  EXPECT_EQ(ask(), "http://a.test/r5");
  tell(200, kBody);
  EXPECT_EQ(access(), Access::rules);
  made.reset();
  for (int i = 1; i <= 6; ++i) redirect(301, "/r" + std::to_string(i));
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(ask(), "");
  EXPECT_EQ(told(), "301, redirects lead nowhere: taken as missing, fresh for 1d");
}

TEST_F(CacheTest, TheNumberOfHopsIsConfigurable) {
  options.max_redirects = 0;
  redirect(301, "/r");
  EXPECT_EQ(access(), Access::allow_all);
  EXPECT_EQ(ask(), "");
}

TEST_F(CacheTest, RedirectsThatCannotBeFollowedMeanMissing) {
  for (const char* location : {"", "/robots.txt", "ftp://a.test/robots.txt", "javascript:x", "http://",
                               "http://a.test:99999/", "//", "#x"}) {
    made.reset();
    redirect(301, location);
    EXPECT_EQ(access(), Access::allow_all) << location;
    EXPECT_EQ(wait(), 24h);
  }
  for (const int status : {300, 305, 306, 310}) {
    made.reset();
    redirect(status, "/elsewhere");
    EXPECT_EQ(access(), Access::allow_all) << status;
  }
}

TEST_F(CacheTest, ALoopOfSeveralIsSeen) {
  redirect(301, "https://b.test/1");
  redirect(301, "https://b.test/2");
  redirect(301, "https://b.test/1");
  EXPECT_EQ(access(), Access::allow_all);
}

TEST_F(CacheTest, AHopThatFailsIsATemporaryFailureAndTheNextTryStartsAtTheBeginning) {
  redirect(301, "https://b.test/1");
  fetch(0);
  EXPECT_EQ(access(), Access::defer);
  sleep();
  EXPECT_EQ(ask(), "http://a.test/robots.txt");
}

TEST_F(CacheTest, TheTrailSurvivesAForgottenFlight) {
  redirect(301, "https://b.test/1");
  ASSERT_EQ(ask(), "https://b.test/1");
  cache().forget_flight(origin);
  EXPECT_EQ(ask(), "https://b.test/1");
  tell(200, kBody);
  EXPECT_EQ(access(), Access::rules);
}

TEST_F(CacheTest, ValidatorsOfARedirectTargetAreNotSentToRobotsTxt) {
  redirect(301, "/moved");
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 200;
  answer.body = kBody;
  answer.etag = "\"1\"";
  tell(answer);
  sleep();
  EXPECT_EQ(cache().want(origin, now, random)->etag, "");
}

TEST_F(CacheTest, HopsCarryNoValidators) {
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 200;
  answer.body = kBody;
  answer.etag = "\"1\"";
  tell(answer);
  sleep();
  redirect(301, "/moved");
  EXPECT_EQ(cache().want(origin, now, random)->etag, "");
  tell(304);
  EXPECT_EQ(access(), Access::stale_rules) << "a 304 for a hop renews nothing";
}

TEST_F(CacheTest, RulesBelongToOneSchemeHostAndPort) {
  fetch(200, kBody);
  for (const char* url : {"https://a.test/x", "http://a.test:8080/x", "http://www.a.test/x"}) {
    EXPECT_EQ(cache().check(*base::Url::parse(url), now).access, Access::unknown) << url;
  }
  EXPECT_EQ(cache().check(*base::Url::parse("http://A.test:80/x"), now).access, Access::rules);
}

TEST_F(CacheTest, LearningSaysWhatTheAnswerCameTo) {
  const auto learn = [this](int status, std::string body = "", std::string location = "") {
    EXPECT_TRUE(cache().want(origin, now, random)) << status;
    Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    answer.location = std::move(location);
    return cache().learn(origin, std::move(answer), now, random);
  };
  EXPECT_EQ(cache().learn(origin, {200, kBody, {}, {}, {}, {}, {}}, now, random), Learned::settled);
  EXPECT_EQ(access(), Access::unknown) << "nobody had asked";
  EXPECT_EQ(learn(301, "", "/moved"), Learned::goes_on);
  EXPECT_EQ(learn(200, kBody), Learned::read);
  sleep();
  EXPECT_EQ(learn(304), Learned::settled);
  sleep();
  EXPECT_EQ(learn(200), Learned::read) << "an empty file is one";
  sleep();
  EXPECT_EQ(learn(404), Learned::settled);
  sleep();
  EXPECT_EQ(learn(302, "", ""), Learned::settled) << "leads nowhere";
  sleep();
  EXPECT_EQ(learn(300), Learned::settled);
  sleep();
  EXPECT_EQ(learn(0), Learned::settled);
  sleep();
  EXPECT_EQ(learn(503), Learned::settled);
  now += 24h;
  EXPECT_EQ(learn(503), Learned::goes_on) << "a probe";
  EXPECT_EQ(learn(200), Learned::goes_on) << "the second one";
  EXPECT_EQ(learn(503), Learned::settled);
  EXPECT_EQ(access(), Access::allow_all);
}

TEST_F(CacheTest, AProbeThatHasToWaitDoesNotGoOnAtOnce) {
  fetch(503);
  now += 24h;
  ASSERT_NE(ask(), "");
  Answer answer;
  answer.status = 503;
  answer.retry_after = 1h;
  EXPECT_EQ(cache().learn(origin, std::move(answer), now, random), Learned::settled);
  EXPECT_EQ(wait(), 1h);
  sleep();
  EXPECT_EQ(cache().want(origin, now, random)->purpose, Purpose::probe_root);
}

TEST_F(CacheTest, ExplainsItself) {
  fetch(200, kBody);
  now += 1min;
  EXPECT_EQ(told(), "200, 1 rule, fresh for 23h59m");
  now += 24h;
  EXPECT_EQ(told(), "200, 1 rule, expired 1m ago");
  ASSERT_NE(ask(), "");
  EXPECT_EQ(told(), "200, 1 rule, expired 1m ago, being asked");
  tell(503);
  now += 30s;
  EXPECT_TRUE(told().starts_with("503 since 30s, old copy of 1 rule, retry in 3")) << told();
  made.reset();
  fetch(404);
  EXPECT_EQ(told(), "404, no robots.txt, fresh for 1d");
  made.reset();
  fetch(0);
  EXPECT_TRUE(told().starts_with("no answer since 0s, retry in 1m")) << told();
  made.reset();
  fetch(204);
  EXPECT_EQ(told(), "204, empty, fresh for 1d");
}

}  // namespace
}  // namespace robots
