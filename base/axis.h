#pragma once
// How the steady axis goes on in the next run, so that an instant that was written down means the same then.
#include "base/time.h"

#include <string>
#include <string_view>

namespace base {

/// One instant on all clocks, as it is written down: at the start, each minute and at the end of a run.
struct AxisMark {
  TimePoint steady{};   ///< on the axis
  Duration boot{};      ///< CLOCK_BOOTTIME
  WallTime wall{};      ///< CLOCK_REALTIME
  std::string boot_id;  ///< of the kernel that counted `boot`
};

/// The present on the clocks of this machine, before there is an axis.
struct Machine {
  Duration boot{};
  WallTime wall{};
  std::string boot_id;
  bool wall_known = false;  ///< the kernel holds the wall clock to be right (adjtimex(2))
};

/// By how much the axis of this run is ahead of the boot clock, so that it goes on after `last` and a wait
/// that was written down never gets shorter. The same boot: exactly the time that the boot clock says,
/// suspends included and whatever happened to the wall clock. Another boot: the time that the wall clock
/// says, if it is known to be right. When it is not, or went back, nothing has passed for sure, and what had
/// to be waited for is waited for in full.
Duration resumed_offset(const AxisMark& last, const Machine& now);

}  // namespace base
