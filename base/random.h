#pragma once
// Chance, seeded. One engine a shard; the seed is logged, so a run can be told again.
#include "base/time.h"

#include <cstdint>
#include <random>

namespace base {

/// Not thread-safe: each shard owns one. One draw per statement, so that compilers agree on the order.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t next() { return engine_(); }
  /// Uniform in [0, n); 0 when n is 0.
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : engine_() % n; }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }
  /// `d` lengthened by up to `share` of itself; never shortened, because waits are promises.
  Duration stretched(Duration d, double share) {
    const double extra = static_cast<double>(d.count()) * share * unit();
    return d + Duration(static_cast<Duration::rep>(extra));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace base
