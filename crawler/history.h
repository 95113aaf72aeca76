#pragma once
// What happened in each ten seconds of the last hour.
#include "base/time.h"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace crawler {

struct Sample {
  base::WallTime at{};  ///< its end
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t octets = 0;
  std::uint64_t in_flight = 0;  ///< at its end, as the next
  std::uint64_t owed = 0;
};

/// One thread.
class History {
 public:
  static constexpr base::Duration kStep = std::chrono::seconds(10);
  static constexpr std::size_t kSamples = 360;

  void add(const Sample& sample) {
    if (samples_.size() >= kSamples) samples_.pop_front();
    samples_.push_back(sample);
  }
  const std::deque<Sample>& samples() const { return samples_; }
  /// Requests a second over the last `steps` samples; `what`: another member.
  double rate(std::size_t steps, std::uint64_t Sample::*what = &Sample::requests) const {
    std::uint64_t sum = 0;
    std::size_t counted = 0;
    auto sample = samples_.rbegin();
    for (; sample != samples_.rend() && counted < steps; ++sample, ++counted) sum += (*sample).*what;
    if (counted == 0) return 0;
    // A sample that a busy thread has cost makes the next one longer.
    base::Duration span = kStep * counted;
    if (sample != samples_.rend()) span = std::max(span, samples_.back().at - sample->at);
    return static_cast<double>(sum) / std::chrono::duration<double>(span).count();
  }

 private:
  std::deque<Sample> samples_;
};

}  // namespace crawler
