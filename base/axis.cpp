#include "base/axis.h"

#include <algorithm>
#include <chrono>

namespace base {

Duration resumed_offset(const AxisMark& last, const Machine& now) {
  // A lone wall clock that is off by years must not carry the axis out of its range.
  constexpr Duration kAwayMax = std::chrono::hours(24) * 3650;
  const bool same_boot = !now.boot_id.empty() && now.boot_id == last.boot_id && now.boot >= last.boot;
  const Duration by_wall = now.wall_known
                               ? std::clamp<Duration>(now.wall - last.wall, Duration::zero(), kAwayMax)
                               : Duration::zero();
  const Duration away = same_boot ? now.boot - last.boot : by_wall;
  return last.steady.time_since_epoch() + away - now.boot;
}

}  // namespace base
