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

TEST(Fate, FailuresAreTriedAgainUntilTheLimit) {
  for (const Error error : {Error::dns_failure, Error::refused, Error::tls_certificate, Error::timeout,
                            Error::reset, Error::truncated}) {
    EXPECT_EQ(crawler::judge(failed(error), 0).fate, Fate::retry);
    EXPECT_EQ(crawler::judge(failed(error), 0).health, Health::failing);
    EXPECT_EQ(crawler::judge(failed(error), crawler::kAttemptsMax - 2).fate, Fate::retry);
    EXPECT_EQ(crawler::judge(failed(error), crawler::kAttemptsMax - 1).fate, Fate::given_up);
  }
  EXPECT_EQ(crawler::judge(failed(Error::decode), 0).health, Health::ok);
}

TEST(Fate, OurOwnTroublesAreNobodysFault) {
  for (const Error error : {Error::resources, Error::cancelled}) {
    const auto found = crawler::judge(failed(error), crawler::kAttemptsMax);
    EXPECT_EQ(found.fate, Fate::retry);
    EXPECT_FALSE(found.attempt);
    EXPECT_EQ(found.health, Health::ok);
  }
  EXPECT_EQ(crawler::judge(failed(Error::blocked_address), 0).fate, Fate::blocked);
}

}  // namespace
