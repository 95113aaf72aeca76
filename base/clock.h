#pragma once
// The only source of time. SystemClock in life; support/manual_clock.h in tests, where a day takes a second.
#include "base/async.h"
#include "base/axis.h"
#include "base/time.h"

#include <memory>

namespace base {

/// A wait that can be cut short. One waiter at a time; bound to the thread of its executor.
class Alarm {
 public:
  virtual ~Alarm() = default;
  /// Returns at `t`, at ring(), or at once when ring() came since the last wait.
  virtual Async<> wait_until(TimePoint t) = 0;
  /// Returns at ring() only.
  virtual Async<> wait() = 0;
  /// Ends the wait under way, or the next one.
  virtual void ring() = 0;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Now now() const = 0;  ///< thread-safe
  virtual std::unique_ptr<Alarm> alarm(Executor executor) = 0;
};

/// CLOCK_BOOTTIME and CLOCK_REALTIME. The steady axis is the boot clock plus an offset, by which it goes on
/// where an earlier run left it.
class SystemClock final : public Clock {
 public:
  explicit SystemClock(Duration offset = {}) : offset_(offset) {}
  Now now() const override;
  std::unique_ptr<Alarm> alarm(Executor executor) override;
  /// The present, to be written down for the next run.
  AxisMark mark() const;

 private:
  Duration offset_;
};

/// The clocks of this machine at this moment, and the id of its boot (empty where /proc does not tell).
Machine machine_now();

/// CLOCK_MONOTONIC, on which the service manager compares instants (sd_notify(3)).
Duration monotonic_now();

}  // namespace base
