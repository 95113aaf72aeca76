// The brake on sites that a test makes up as it goes: what it costs until a trap is noticed, and that nothing
// else is. Figures of each site are printed.
#include "crawler/yield.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <set>

namespace {

using crawler::Yield;

constexpr std::uint32_t kBrakeAfter = 200;

std::string text(const char* head, std::uint64_t number, const std::string& tail = "") {
  return head + std::to_string(number) + tail;
}

/// Visits targets as the frontier would: what is braked now and then. Content is known by its number.
class Crawl {
 public:
  /// Whether it was visited.
  bool offer(const std::string& target, std::uint64_t content) {
    if (const auto brake = yield.brake_of(target, kBrakeAfter)) {
      if (braked.insert(brake->what).second) {
        std::printf("  %s braked after %zu pages, %zu of them repeated: %llu of %llu\n", brake->what.c_str(),
                    pages, wasted, static_cast<unsigned long long>(brake->repeated),
                    static_cast<unsigned long long>(brake->pages));
        wasted_before = wasted;
      }
      if (!Yield::lets_through(random)) {
        ++skipped;
        return false;
      }
    }
    const bool repeated = !contents_.insert(content).second;
    ++pages;
    wasted += repeated ? 1U : 0U;
    yield.note(target, repeated, kBrakeAfter);
    return true;
  }
  std::uint64_t fresh() { return ++fresh_; }

  Yield yield;
  base::Random random{7};
  std::set<std::string> braked;
  std::size_t pages = 0;
  std::size_t wasted = 0;
  std::size_t wasted_before = 0;  ///< the last new brake
  std::size_t skipped = 0;

 private:
  std::set<std::uint64_t> contents_;
  std::uint64_t fresh_ = 1000;
};

using Brakes = std::set<std::string>;

TEST(Yield, BrakesATrapAlone) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 10; ++i) crawl.offer(text("/page", i), crawl.fresh());
  for (std::uint64_t i = 0; i < 20'000; ++i) crawl.offer(text("/cal/", i), 1);
  EXPECT_EQ(crawl.braked, Brakes{"/cal/"});
  EXPECT_EQ(crawl.wasted_before, kBrakeAfter);
  EXPECT_LT(crawl.wasted, 200 + 1.3 * 20'000 / Yield::kProbeEvery);
  EXPECT_FALSE(crawl.yield.brake_of("/page1", kBrakeAfter));
  EXPECT_FALSE(crawl.yield.brake_of("/calendar/", kBrakeAfter));
}

TEST(Yield, BrakesACalendarBelowASiteThatGoesOn) {
  Crawl crawl;
  std::uint64_t day = 0;
  std::size_t days_visited = 0;
  const auto calendar = [&] {
    ++day;
    const std::string year = text("/cal/", day / 360, "/");
    if (!crawl.offer(year + text("", day / 30 % 12, "/") + text("", day % 30), 1)) return;
    if (!crawl.braked.contains("/cal/")) ++days_visited;
  };
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    const std::string target = text("/topic", i % 40, "/") + std::to_string(i);
    ASSERT_TRUE(crawl.offer(target, crawl.random.below(10) < 3 ? 2 : crawl.fresh())) << target;
    if (i >= 200) calendar();
  }
  std::printf("  %zu days were visited before\n", days_visited);
  EXPECT_TRUE(crawl.braked.contains("/cal/"));
  for (const std::string& what : crawl.braked) EXPECT_TRUE(what.starts_with("/cal/")) << what;
  EXPECT_LT(days_visited, 6 * kBrakeAfter);
  EXPECT_GT(crawl.skipped, 25'000U);
}

TEST(Yield, NeverBrakesASiteOfWhichAThirdIsRepeated) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const std::string target = text("/a", i % 7, "/") + text("b", i % 90, "/") + text("c?id=", i);
    ASSERT_TRUE(crawl.offer(target, crawl.random.below(10) < 3 ? crawl.random.below(50) : crawl.fresh()));
  }
  EXPECT_GT(crawl.wasted, 14'000U);
}

TEST(Yield, NeverBrakesASiteOfWhichEverythingStandsThereTwice) {
  Crawl crawl;  // each thousand new pages are followed by as many print versions
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const bool print = i / 1000 % 2 == 1;
    const std::string target = text("/a", i % 60, "/") + text("p", i % 1000, print ? "?print=1" : "");
    ASSERT_TRUE(crawl.offer(target, print ? i - 1000 : i)) << target;
  }
  EXPECT_EQ(crawl.wasted, 25'000U);
}

TEST(Yield, BrakesAMirrorOfASiteAsAWhole) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 20'000; ++i) crawl.offer(text("/f", i % 50, "/") + text("p", i), 1 + i % 7);
  EXPECT_TRUE(crawl.braked.contains("/"));
  EXPECT_LT(crawl.wasted_before, 1.2 * kBrakeAfter);
  EXPECT_TRUE(crawl.yield.brake_of("/other/x", kBrakeAfter));
}

TEST(Yield, BrakesWhereEveryUnknownUrlAnswersTheSamePage) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 300; ++i) crawl.offer(text("/f", i % 10, "/") + text("p", i), crawl.fresh());
  for (std::uint64_t i = 0; i < 20'000; ++i) {  // a broken relative link in each page
    crawl.offer(text("/f", i % 10, "/") + text("x", i, "/y/"), 1);
  }
  EXPECT_TRUE(crawl.braked.contains("/"));
  EXPECT_LT(crawl.wasted_before, 7 * kBrakeAfter);
}

TEST(Yield, BrakesSessionIds) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 20'000; ++i) crawl.offer(text("/page", i % 50, text("?sid=", i)), i % 50);
  EXPECT_TRUE(crawl.braked.contains("/"));
  EXPECT_LT(crawl.wasted_before, 600U);
  Crawl one;
  for (std::uint64_t i = 0; i < 20'000; ++i) one.offer(text("/index.php?sid=", i), 1);
  EXPECT_EQ(one.braked, Brakes{"/index.php?"});
  EXPECT_EQ(one.wasted_before, kBrakeAfter);
}

TEST(Yield, BrakesTheOriginWhenItHasATrapInEachOfManyFolders) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 20'000; ++i) crawl.offer(text("/f", i / 1000, "/") + text("", i), 1);
  EXPECT_TRUE(crawl.braked.contains("/"));
  EXPECT_LT(crawl.wasted, 2500U);
}

TEST(Yield, LetsGoOfWhatBringsNewContentAgain) {
  Crawl crawl;
  for (std::uint64_t i = 0; i < 20'000; ++i) crawl.offer(text("/cal/", i), 1);
  ASSERT_TRUE(crawl.yield.brake_of("/cal/x", kBrakeAfter));
  std::size_t offered = 0;
  std::size_t visited = 0;
  while (crawl.yield.brake_of("/cal/x", kBrakeAfter) && offered < 10'000) {
    visited += crawl.offer(text("/cal/new", ++offered), crawl.fresh()) ? 1U : 0U;
  }
  std::printf("  let go after %zu new URLs and %zu probes\n", offered, visited);
  EXPECT_LE(visited, 20U);
  EXPECT_LE(offered, 600U);
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(crawl.offer(text("/cal/newer", i), crawl.fresh()));
}

TEST(Yield, BrakesAtItsEdgeAndNamesTheNearest) {
  const std::string page = "/a/b/c.php?x=1";
  const auto after = [&](int fresh, int repeated) {
    Yield yield;
    yield.note(page, true, kBrakeAfter);  // the first repeated page begins the count
    for (int i = 0; i < fresh; ++i) yield.note(page, false, kBrakeAfter);
    for (int i = 1; i < repeated; ++i) yield.note(page, true, kBrakeAfter);
    return yield;
  };
  EXPECT_FALSE(after(0, 199).brake_of(page, kBrakeAfter));
  EXPECT_TRUE(after(0, 200).brake_of(page, kBrakeAfter));
  EXPECT_FALSE(after(21, 188).brake_of(page, kBrakeAfter));
  EXPECT_FALSE(after(20, 179).brake_of(page, kBrakeAfter));
  const Yield yield = after(20, 180);
  const auto brake = yield.brake_of("/a/b/c.php?y", kBrakeAfter);
  ASSERT_TRUE(brake);
  EXPECT_EQ(brake->what, "/a/b/c.php?");
  EXPECT_EQ(brake->pages, 200U);
  EXPECT_EQ(brake->repeated, 180U);
  for (const char* other : {"/a/b/c.php", "/a/b/d?y", "/a/b/", "/a/", "/"}) {
    EXPECT_FALSE(yield.brake_of(other, kBrakeAfter)) << other;
  }
  EXPECT_FALSE(yield.brake_of(page, 0));
}

TEST(Yield, ZeroNotesNothing) {
  Yield yield;
  for (int i = 0; i < 1000; ++i) yield.note("/a/b", true, 0);
  EXPECT_EQ(yield.encode(), Yield().encode());
  EXPECT_FALSE(yield.brake_of("/a/b", 0));
  for (int i = 0; i < 3; ++i) yield.note("/a/b", true, 1);
  EXPECT_TRUE(yield.brake_of("/a/b", 1));
}

TEST(Yield, OneInTwentyGoesThrough) {
  base::Random random(3);
  int through = 0;
  for (int i = 0; i < 20'000; ++i) through += Yield::lets_through(random) ? 1 : 0;
  EXPECT_NEAR(through, 1000, 150);
}

TEST(Yield, CapsTheQueriesOfAPath) {
  Yield yield;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(yield.admit_query("/search", 100)) << i;
  EXPECT_FALSE(yield.admit_query("/search", 100));
  EXPECT_TRUE(yield.admit_query("/search/", 100));
  EXPECT_TRUE(yield.admit_query("/search", 101));
}

TEST(Yield, CapsTheQueriesOfAPathAmongManyOthers) {
  Yield yield;
  std::size_t all = 0;
  std::size_t of_one = 0;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    ASSERT_TRUE(yield.admit_query(text("/item", i % 5000), 1000));  // eight of each
    ++all;
    if (yield.admit_query("/search", 1000)) ++of_one;
  }
  EXPECT_GE(of_one, 1000U);
  EXPECT_LE(of_one, 1000 + (all + of_one) / 17);
}

TEST(Yield, IsSmallAndReadsWhatItWrote) {
  EXPECT_EQ(Yield().encode().size(), 4U);
  Crawl crawl;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    crawl.offer(text("/f", i % 15, "/") + text("", i), i % 3);
    crawl.yield.admit_query(text("/p", i % 16), 10'000);
  }
  const std::string octets = crawl.yield.encode();
  std::printf("  %zu octets when it is full\n", octets.size());
  EXPECT_LE(octets.size(), 250U);
  const auto again = Yield::decode(octets);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->encode(), octets);
  EXPECT_EQ(again->brake_of("/f1/x", kBrakeAfter)->what, crawl.yield.brake_of("/f1/x", kBrakeAfter)->what);
  for (std::size_t size = 0; size < octets.size(); ++size) {
    EXPECT_FALSE(Yield::decode(octets.substr(0, size))) << size;
  }
  EXPECT_FALSE(Yield::decode(octets + "x"));
}

TEST(Yield, AtItsLargestItKeepsToItsLimit) {
  Yield yield;
  const auto many = [](std::uint64_t octets) { return std::string(octets, '\xff') + '\x01'; };
  std::string octets = many(3) + many(3) + char(Yield::kPrefixesMax) + char(Yield::kPathsMax);
  for (std::size_t i = 0; i < Yield::kPrefixesMax; ++i)
    octets += "abc" + std::string(1, char(i)) + many(3) + many(3);
  for (std::size_t i = 0; i < Yield::kPathsMax; ++i) octets += "abc" + std::string(1, char(i)) + many(9);
  const auto largest = Yield::decode(octets);
  ASSERT_TRUE(largest);
  EXPECT_LE(largest->encode().size(), Yield::kOctetsMax);
  octets[8] = char(Yield::kPrefixesMax + 1);
  EXPECT_FALSE(Yield::decode(octets));
}

}  // namespace
