#include "crawler/seen.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

namespace {

using crawler::Seen;

base::Hash128 fingerprint(std::uint64_t n) {
  return base::keyed_hash(std::to_string(n), 7);
}

TEST(Seen, KnowsEverythingAsLongAsThereIsRoom) {
  Seen seen(std::uint64_t{64} * 1024 * 1024, true);
  std::size_t asked = 0;
  for (std::uint64_t n = 0; n < 300'000; ++n) {
    const Seen::Answer answer = seen.contains(fingerprint(n));
    ASSERT_NE(answer, Seen::Answer::yes) << n;
    if (answer == Seen::Answer::ask_store) ++asked;
    seen.insert(fingerprint(n));
  }
  EXPECT_LT(asked, 300'000U / 20);  // a bucket overflows now and then
  std::size_t known = 0;
  for (std::uint64_t n = 0; n < 300'000; ++n) {
    const Seen::Answer answer = seen.contains(fingerprint(n));
    ASSERT_NE(answer, Seen::Answer::no) << n;  // that would visit it twice
    if (answer == Seen::Answer::yes) ++known;
  }
  EXPECT_GT(known, 300'000U * 19 / 20);
  EXPECT_EQ(known, seen.held());
}

TEST(Seen, StaysWithinItsMemoryAndForgetsInsteadOfLying) {
  constexpr std::size_t kMax = std::size_t{1024} * 1024;
  Seen seen(kMax, true);
  for (std::uint64_t n = 0; n < 500'000; ++n) {
    if (seen.contains(fingerprint(n)) != Seen::Answer::yes) seen.insert(fingerprint(n));
    ASSERT_LE(seen.octets(), kMax + kMax / 16);
  }
  std::size_t known = 0;
  for (std::uint64_t n = 0; n < 500'000; ++n) {
    const Seen::Answer answer = seen.contains(fingerprint(n));
    ASSERT_NE(answer, Seen::Answer::no) << n;
    if (answer == Seen::Answer::yes) ++known;
  }
  EXPECT_GT(known, kMax / 8 / 2);
  EXPECT_EQ(seen.contains(fingerprint(499'999)), Seen::Answer::yes);  // the newest stays
}

TEST(Seen, AnIncompleteSetNeverSaysNo) {
  Seen seen(Seen::kOctetsMin, false);
  EXPECT_EQ(seen.contains(fingerprint(1)), Seen::Answer::ask_store);
  seen.insert(fingerprint(1));
  EXPECT_EQ(seen.contains(fingerprint(1)), Seen::Answer::yes);
}

TEST(Seen, WhatIsErasedWasNeverSeen) {
  Seen seen(Seen::kOctetsMin, true);
  for (std::uint64_t n = 0; n < 100; ++n) seen.insert(fingerprint(n));
  seen.erase(fingerprint(50));
  seen.erase(fingerprint(50));
  EXPECT_EQ(seen.contains(fingerprint(50)), Seen::Answer::no);
  EXPECT_EQ(seen.contains(fingerprint(51)), Seen::Answer::yes);
  EXPECT_EQ(seen.held(), 99U);
}

TEST(Seen, WhatWasErasedLeavesRoom) {
  Seen seen(Seen::kOctetsMin, true);
  for (std::uint64_t n = 0; n < 1'000'000; ++n) {
    seen.insert(fingerprint(n));
    if (n >= 500) seen.erase(fingerprint(n - 500));
  }
  EXPECT_EQ(seen.held(), 500U);
  for (std::uint64_t n = 0; n < 1'000'000; ++n) {
    ASSERT_EQ(seen.contains(fingerprint(n)), n < 999'500 ? Seen::Answer::no : Seen::Answer::yes) << n;
  }
}

TEST(Seen, TellsApartWhatDiffersInAnyOfTheBitsThatCount) {
  Seen seen(Seen::kOctetsMin, true);
  const base::Hash128 one{0x0123'4567'89ab'cdefULL, 0xfedc'ba98'7654'3210ULL};
  seen.insert(one);
  ASSERT_EQ(seen.contains(one), Seen::Answer::yes);
  for (unsigned bit = 57; bit < 64; ++bit) {
    EXPECT_NE(seen.contains({one.high ^ (std::uint64_t{1} << bit), one.low}), Seen::Answer::yes) << bit;
  }
  for (unsigned bit = 0; bit < 48; ++bit) {
    EXPECT_NE(seen.contains({one.high, one.low ^ (std::uint64_t{1} << bit)}), Seen::Answer::yes) << bit;
  }
}

TEST(Seen, ANewOneIsTakenForAnotherLessThanOnceInAMillionTimes) {
  Seen seen(std::uint64_t{1024} * 1024, true);
  for (std::uint64_t n = 0; n < 150'000; ++n) seen.insert(fingerprint(n));
  for (std::uint64_t n = 150'000; n < 1'150'000; ++n)
    ASSERT_NE(seen.contains(fingerprint(n)), Seen::Answer::yes);
}

}  // namespace
