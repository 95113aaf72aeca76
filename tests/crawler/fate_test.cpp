#include "crawler/fate.h"

#include <gtest/gtest.h>

namespace {

using crawler::Fate;
using fetch::Error;
using scheduler::Health;

fetch::Outcome answered(int status) {
  fetch::Outcome outcome;
  outcome.status = status;
  return outcome;
}

fetch::Outcome failed(Error error) {
  fetch::Outcome outcome;
  outcome.error = error;
  return outcome;
}

TEST(Fate, APageThatNeverComesWholeIsAtLastTakenAsFarAsItComes) {
  fetch::Outcome outcome;
  outcome.error = Error::truncated;
  outcome.status = 200;
  outcome.body = "some";
  EXPECT_EQ(crawler::judge(outcome, 2).fate, Fate::retry);
  EXPECT_EQ(crawler::judge(outcome, 3).fate, Fate::fetched);
  outcome.body.clear();
  EXPECT_EQ(crawler::judge(outcome, 3).fate, Fate::given_up) << "nothing came";
  outcome.body = "some";
  outcome.status = 500;
  EXPECT_EQ(crawler::judge(outcome, 3).fate, Fate::given_up) << "not the page";
}

TEST(Fate, AWantOfOursIsNoAttempt) {
  for (const Error error : {Error::resources, Error::proxy, Error::stale, Error::cancelled}) {
    fetch::Outcome outcome;
    outcome.error = error;
    const crawler::Judgement judgement = crawler::judge(outcome, 100);
    EXPECT_EQ(judgement.fate, Fate::retry);
    EXPECT_FALSE(judgement.attempt);
    EXPECT_EQ(judgement.health, scheduler::Health::ok);
  }
}

TEST(Fate, OfEveryKindOfStatus) {
  const struct {
    int status;
    Fate fate;
    Health health;
    bool attempt;
  } rows[] = {
      {200, Fate::fetched, Health::ok, false},       {206, Fate::fetched, Health::ok, false},
      {304, Fate::unchanged, Health::ok, false},     {301, Fate::refused, Health::ok, false},  // no Location
      {404, Fate::gone, Health::ok, false},          {410, Fate::gone, Health::ok, false},
      {400, Fate::refused, Health::ok, false},       {401, Fate::refused, Health::ok, false},
      {403, Fate::refused, Health::ok, false},       {451, Fate::refused, Health::ok, false},
      {408, Fate::retry, Health::ok, true},          {425, Fate::retry, Health::ok, true},
      {429, Fate::retry, Health::overloaded, false}, {503, Fate::retry, Health::overloaded, false},
      {500, Fate::retry, Health::ok, true},          {502, Fate::retry, Health::ok, true},
      {999, Fate::retry, Health::ok, true},
  };
  for (const auto& row : rows) {
    const auto found = crawler::judge(answered(row.status), 0);
    EXPECT_EQ(found.fate, row.fate) << row.status;
    EXPECT_EQ(found.health, row.health) << row.status;
    EXPECT_EQ(found.attempt, row.attempt) << row.status;
  }
}

TEST(Fate, ARedirectNeedsALocation) {
  fetch::Outcome outcome = answered(302);
  outcome.headers.add("location", "/x");
  EXPECT_EQ(crawler::judge(outcome, 0).fate, Fate::redirected);
}

TEST(Fate, EachKindOfFailureIsTriedAsOftenAsItIsWorth) {
  using namespace std::chrono_literals;
  const struct {
    fetch::Outcome outcome;
    unsigned attempts;
    base::Duration first;
    Health health;
  } rows[] = {
      {failed(Error::dns_failure), 6, 10min, Health::failing},
      {failed(Error::refused), 6, 10min, Health::failing},
      {failed(Error::tls_certificate), 6, 10min, Health::failing},
      {failed(Error::timeout), 4, 1min, Health::failing},
      {failed(Error::reset), 4, 1min, Health::failing},
      {failed(Error::truncated), 4, 1min, Health::failing},
      {failed(Error::decode), 2, 1h, Health::ok},
      {failed(Error::protocol), 2, 1h, Health::ok},
      {failed(Error::head_limit), 2, 1h, Health::ok},
      {answered(500), 4, 1min, Health::ok},
      {answered(408), 4, 1min, Health::ok},
  };
  for (const auto& row : rows) {
    const std::string word = crawler::failure_word(row.outcome);
    EXPECT_EQ(crawler::judge(row.outcome, 0).fate, Fate::retry) << word;
    EXPECT_EQ(crawler::judge(row.outcome, 0).health, row.health) << word;
    EXPECT_TRUE(crawler::judge(row.outcome, 0).attempt) << word;
    EXPECT_EQ(crawler::judge(row.outcome, row.attempts - 2).fate, Fate::retry) << word;
    EXPECT_EQ(crawler::judge(row.outcome, row.attempts - 1).fate, Fate::given_up) << word;
    EXPECT_EQ(crawler::ladder_of(row.outcome).wait.first, row.first) << word;
  }
}

TEST(Fate, TheReasonIsAWordThatStaysTheSame) {
  EXPECT_EQ(crawler::failure_word(failed(Error::dns_failure)), "dns_failure");
  EXPECT_EQ(crawler::failure_word(answered(502)), "status_502");
}

TEST(Fate, OurOwnTroublesAreNobodysFault) {
  for (const Error error : {Error::resources, Error::cancelled}) {
    const auto found = crawler::judge(failed(error), 100);
    EXPECT_EQ(found.fate, Fate::retry);
    EXPECT_FALSE(found.attempt);
    EXPECT_EQ(found.health, Health::ok);
  }
  EXPECT_EQ(crawler::judge(failed(Error::blocked_address), 0).fate, Fate::blocked);
}

}  // namespace
