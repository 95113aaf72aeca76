#include "scheduler/address_clocks.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace scheduler {
namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::IpAddress;
using base::TimePoint;

IpAddress address(int i) {
  IpAddress result;
  result.octets = {192, 0, static_cast<std::uint8_t>(i / 256), static_cast<std::uint8_t>(i % 256)};
  return result;
}

config::Politeness every(Duration interval) {
  config::Politeness politeness;
  politeness.per_address_interval = interval;
  return politeness;
}

std::string site(int i) {
  return "site" + std::to_string(i) + ".example";
}

const TimePoint kStart{1000s};
const IpAddress kA = address(1);
const IpAddress kB = address(2);

TEST(AddressClocks, TheNextRequestStartsAnIntervalAfterTheLast) {
  AddressClocks clocks(every(250ms));
  ASSERT_FALSE(clocks.reserve(kA, kStart));
  EXPECT_EQ(clocks.sent(kA, kStart + 1s), kStart + 1250ms);
  EXPECT_EQ(clocks.reserve(kA, kStart + 1250ms - 1ns), kStart + 1250ms);
  EXPECT_FALSE(clocks.reserve(kB, kStart + 1s)) << "another address has its own clock";
  EXPECT_FALSE(clocks.reserve(kA, kStart + 1250ms));
}

TEST(AddressClocks, AReservationKeepsOthersOffUntilItIsSentOrReleased) {
  AddressClocks clocks(every(250ms));
  ASSERT_FALSE(clocks.reserve(kA, kStart));
  EXPECT_EQ(clocks.reserve(kA, kStart + 1min), kStart + 1min + AddressClocks::kAskAgain);
  clocks.release(kA);
  EXPECT_FALSE(clocks.reserve(kA, kStart + 1min)) << "nothing was sent: no wait";
}

TEST(AddressClocks, AnIntervalOfZeroSwitchesItOff) {
  AddressClocks clocks(every(0s));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(clocks.reserve(kA, kStart));
  EXPECT_EQ(clocks.sent(kA, kStart), kStart);
  clocks.release(kA);
  clocks.report(kA, site(1), Health::overloaded, 1s, kStart);
  EXPECT_EQ(clocks.interval(kA), 0s);
  EXPECT_EQ(clocks.size(), 0U);
}

/// Easing, with the address known.
class Easing : public testing::Test {
 protected:
  Easing() {
    clocks_.reserve(kA, kStart);
    clocks_.sent(kA, kStart);
  }
  void fast(int i, TimePoint at = kStart) { clocks_.report(kA, site(i), Health::ok, 50ms, at); }
  AddressClocks clocks_{every(1s)};
};

TEST_F(Easing, OneSiteAloneNeverEases) {
  for (int i = 0; i < 100; ++i) fast(1);
  EXPECT_EQ(clocks_.interval(kA), 1s);
}

TEST_F(Easing, GrowsWithTheNumberOfFastSitesUpToTheLimit) {
  for (int i = 1; i <= 60; ++i) {
    fast(i);
    const int divisor = std::clamp(i / 4, 1, 10);
    EXPECT_EQ(clocks_.interval(kA), Duration((1'000'000'000 + divisor - 1) / divisor)) << i;
  }
  EXPECT_EQ(clocks_.reserve(kA, kStart), kStart + 100ms) << "the clock that runs is eased too";
}

TEST_F(Easing, IsOverAtTheFirst429Or503OfAnySite) {
  for (int i = 1; i <= 16; ++i) fast(i);
  EXPECT_EQ(clocks_.interval(kA), 250ms);
  clocks_.report(kA, site(99), Health::overloaded, 10ms, kStart);
  EXPECT_EQ(clocks_.interval(kA), 1s);
  for (int i = 1; i <= 7; ++i) fast(i);
  EXPECT_EQ(clocks_.interval(kA), 1s);
  fast(8);
  EXPECT_EQ(clocks_.interval(kA), 500ms) << "the evidence starts anew";
}

TEST_F(Easing, ASlowOrSilentSiteIsNoEvidenceAndStopsBeingOne) {
  for (int i = 1; i <= 40; ++i) {
    clocks_.report(kA, site(i), Health::ok, AddressClocks::kFast + 1ns, kStart);
    clocks_.report(kA, site(i), Health::failing, 10ms, kStart);
  }
  EXPECT_EQ(clocks_.interval(kA), 1s);
  for (int i = 1; i <= 13; ++i) clocks_.report(kA, site(i), Health::ok, AddressClocks::kFast, kStart);
  EXPECT_EQ(clocks_.interval(kA), Duration(333'333'334));
  clocks_.report(kA, site(1), Health::ok, 3s, kStart);
  EXPECT_EQ(clocks_.interval(kA), Duration(333'333'334));
  clocks_.report(kA, site(2), Health::failing, 10ms, kStart);
  EXPECT_EQ(clocks_.interval(kA), 500ms);
}

TEST_F(Easing, EvidenceGetsOld) {
  for (int i = 1; i <= 4; ++i) fast(i);
  for (int i = 5; i <= 8; ++i) fast(i, kStart + AddressClocks::kHorizon);
  EXPECT_EQ(clocks_.interval(kA), 500ms);
  fast(5, kStart + AddressClocks::kHorizon + 1ns);
  EXPECT_EQ(clocks_.interval(kA), 1s);
}

TEST_F(Easing, IsEachAddressesOwn) {
  for (int i = 1; i <= 40; ++i) fast(i);
  EXPECT_EQ(clocks_.interval(kB), 1s);
  clocks_.report(kB, site(1), Health::ok, 1ms, kStart);
  EXPECT_EQ(clocks_.size(), 1U) << "a report does not make an address known";
}

TEST(AddressClocks, AnAddressUnusedForLongIsForgotten) {
  AddressClocks clocks(every(250ms));
  for (int i = 0; i < 100; ++i) {
    clocks.reserve(address(i), kStart);
    clocks.sent(address(i), kStart);
  }
  const TimePoint later = kStart + AddressClocks::kHorizon + 1ns;
  for (int i = 100; i < 150; ++i) clocks.reserve(address(i), later);
  EXPECT_EQ(clocks.size(), 50U);
}

TEST(AddressClocks, AtItsLimitItForgetsOnlyClocksThatHaveRunOut) {
  AddressClocks clocks(every(1s), 3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(clocks.reserve(address(i), kStart));
    if (i > 0) clocks.sent(address(i), kStart);
  }
  const auto refused = clocks.reserve(address(3), kStart);
  ASSERT_TRUE(refused);
  EXPECT_GT(*refused, kStart);
  EXPECT_FALSE(clocks.reserve(address(3), kStart + 1s));
  EXPECT_EQ(clocks.size(), 3U);
  EXPECT_TRUE(clocks.reserve(address(0), kStart + 1s)) << "taken, so still known";
}

// Two threads on a few addresses; time is a counter that both push on. Nobody may hold an address twice, and
// starts are an interval apart.
TEST(AddressClocks, TwoThreadsNeverShareAnAddress) {
  constexpr int kAddresses = 4;
  constexpr int kStartsEach = 2000;
  AddressClocks clocks(every(1ms));
  std::atomic<std::int64_t> time{1'000'000'000};
  std::array<std::atomic<int>, kAddresses> holders{};
  std::array<std::int64_t, kAddresses> last{};  // written by the holder only: TSan would see a second one
  std::atomic<int> wrong{0};
  std::atomic<int> starts{0};
  const auto work = [&](int seed) {
    for (int done = 0, i = seed; done < kStartsEach; ++i) {
      const int which = i % kAddresses;
      const TimePoint now{Duration(time.fetch_add(10'000))};
      if (clocks.reserve(address(which), now)) continue;
      const auto slot = static_cast<std::size_t>(which);
      if (holders[slot].fetch_add(1) != 0) ++wrong;
      const std::int64_t at = time.load();
      if (last[slot] != 0 && at - last[slot] < 1'000'000 / static_cast<int>(AddressClocks::kEasingMax))
        ++wrong;
      const bool send = i % 7 != 0;
      if (send) last[slot] = at;
      holders[slot].fetch_sub(1);
      if (send) {
        clocks.sent(address(which), TimePoint{Duration(at)});
        ++starts;
        ++done;
      } else {
        clocks.release(address(which));
      }
      clocks.report(address(which), site(i % 50), i % 131 == 0 ? Health::overloaded : Health::ok, 1ms, now);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(starts, 2 * kStartsEach);
}

}  // namespace
}  // namespace scheduler
