#pragma once
// How long things took, counted by size: what Prometheus calls a histogram.
#include "base/time.h"

#include <array>
#include <cstdint>

namespace crawler {

/// A plain value; one thread. Every duration of crawld is counted in the same steps, from a millisecond to an
/// hour, so that one picture compares them.
struct Histogram {
  /// Upper bounds in seconds; one more count is for what is longer.
  static constexpr std::array<double, 15> kBounds{0.001, 0.005, 0.01, 0.025, 0.1, 0.25, 0.5, 1,
                                                  2.5,   5,     10,   30,    60,  300,  3600};

  std::array<std::uint64_t, kBounds.size() + 1> counts{};  ///< each in its own step, not added up
  double sum = 0;                                          ///< seconds

  void add(base::Duration taken) {
    const double seconds = std::chrono::duration<double>(taken).count();
    std::size_t step = 0;
    while (step < kBounds.size() && seconds > kBounds[step]) ++step;
    ++counts[step];
    sum += seconds;
  }
  Histogram& operator+=(const Histogram& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    sum += other.sum;
    return *this;
  }
};

}  // namespace crawler
