#include "tests/scheduler/exercise.h"

#include "gtest/gtest.h"

namespace scheduler {
namespace {

using namespace std::chrono_literals;

struct Clocks {
  const char* name;
  base::Duration address;
  base::Duration site;
};

class AnySequence : public testing::TestWithParam<Clocks> {};

TEST_P(AnySequence, KeepsEveryPromiseAndGetsTheWorkDone) {
  config::Politeness politeness;
  politeness.per_address_interval = GetParam().address;
  politeness.per_site_interval = GetParam().site;
  int starts = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    base::Random random(seed);
    Exercise exercise([&random](std::uint64_t n) { return random.below(n); }, politeness);
    int step = 0;
    try {
      for (; step < 2000; ++step) exercise.step();
      exercise.drain(3);
    } catch (const std::exception& e) {
      FAIL() << e.what() << ", seed " << seed << ", step " << step;
    }
    starts += exercise.starts();
  }
  EXPECT_GT(starts, 15 * 150);
}

INSTANTIATE_TEST_SUITE_P(HostQueue, AnySequence,
                         testing::Values(Clocks{"OriginClocks", 0s, 0s}, Clocks{"AddressClocks", 250ms, 0s},
                                         Clocks{"SiteClocks", 0s, 700ms}, Clocks{"AllClocks", 250ms, 700ms},
                                         Clocks{"SlowSharedClocks", 20s, 30s}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace scheduler
