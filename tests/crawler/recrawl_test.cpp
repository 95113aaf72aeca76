#include "crawler/recrawl.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using crawler::next_interval;

const config::Recrawl kPlan{true, 8h, 2h, 32h};

crawler::UrlRecord after(base::Duration interval, std::uint32_t gone = 0) {
  crawler::UrlRecord record;
  record.interval = interval;
  record.gone = gone;
  return record;
}

TEST(Recrawl, HalvesWhenThePageChangedAndDoublesWhenNot) {
  const crawler::UrlRecord before = after(8h);
  EXPECT_EQ(next_interval(kPlan, nullptr, {Fate::fetched, false}), 8h);
  EXPECT_EQ(next_interval(kPlan, &before, {Fate::fetched, true}), 4h);
  EXPECT_EQ(next_interval(kPlan, &before, {Fate::unchanged, false}), 16h);
  EXPECT_EQ(next_interval(kPlan, &before, {Fate::redirected, false}), 16h);
}

TEST(Recrawl, StaysWithinItsBounds) {
  const crawler::UrlRecord least = after(2h);
  const crawler::UrlRecord most = after(32h);
  const crawler::UrlRecord beyond = after(base::Duration::max());
  EXPECT_EQ(next_interval(kPlan, &least, {Fate::fetched, true}), 2h);
  EXPECT_EQ(next_interval(kPlan, &most, {Fate::unchanged, false}), 32h);
  EXPECT_EQ(next_interval(kPlan, &beyond, {Fate::unchanged, false}),
            32h);  // the operator has changed the bounds
}

TEST(Recrawl, GivesUpWhatIsGoneThreeTimesInARow) {
  const crawler::UrlRecord once = after(8h, 1);
  const crawler::UrlRecord twice = after(8h, 2);
  EXPECT_TRUE(next_interval(kPlan, nullptr, {Fate::gone, false}));
  EXPECT_TRUE(next_interval(kPlan, &once, {Fate::gone, false}));
  EXPECT_FALSE(next_interval(kPlan, &twice, {Fate::gone, false}));
  EXPECT_TRUE(next_interval(kPlan, &twice, {Fate::fetched, true}));
}

TEST(Recrawl, OnePassWhenItIsOff) {
  config::Recrawl off = kPlan;
  off.enabled = false;
  EXPECT_FALSE(next_interval(off, nullptr, {Fate::fetched, false}));
}

}  // namespace
