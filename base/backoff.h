#pragma once
// A ladder of waits: first, doubled at each failure, up to last, each stretched by jitter.
#include "base/random.h"

#include <algorithm>

namespace base {

struct Backoff {
  Duration first{};
  Duration last{};

  static constexpr double kJitter = 0.1;

  /// The wait after `failures` failures in a row (>= 1), with up to 10 % of jitter on top, never above
  /// `last`.
  Duration after(unsigned failures, Random& random) const {
    Duration wait = first;
    for (unsigned i = 1; i < failures && wait < last; ++i) wait *= 2;
    return std::min(random.stretched(std::min(wait, last), kJitter), last);
  }
};

}  // namespace base
