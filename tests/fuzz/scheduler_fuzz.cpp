// Octets are decisions of a naughty caller and a hostile web; the picture beside the queue says what must
// hold.
#include "tests/scheduler/exercise.h"

#include <cstddef>
#include <cstdint>

namespace {

using namespace std::chrono_literals;

/// Draws from the octets; zeros when they are used up.
class Octets {
 public:
  Octets(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }

  std::uint64_t below(std::uint64_t n) {
    std::uint64_t drawn = 0;
    std::uint64_t range = 1;
    while (range < n && size_ > 0) {
      drawn = drawn << 8U | *data_;
      range <<= 8U;
      ++data_;
      --size_;
    }
    return n == 0 ? 0 : drawn % n;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kStepsMax = 4000;
  Octets octets(data, size);
  config::Politeness politeness;
  const std::uint64_t clocks = octets.below(16);
  politeness.per_address_interval = (clocks & 1U) != 0 ? base::Duration(250ms) : base::Duration(0);
  politeness.per_site_interval = (clocks & 2U) != 0 ? base::Duration(700ms) : base::Duration(0);
  if ((clocks & 4U) != 0) politeness.hard_minimum = politeness.default_interval = base::Duration(0);
  if ((clocks & 8U) != 0) politeness.rate_floor.reset();
  scheduler::Exercise exercise([&octets](std::uint64_t n) { return octets.below(n); }, politeness);
  for (int step = 0; step < kStepsMax && !octets.empty(); ++step) exercise.step();
  exercise.drain(1);
  return 0;
}
