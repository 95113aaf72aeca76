#include "base/clock.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <sys/timex.h>
#include <time.h>

#include <chrono>
#include <fstream>
#include <string>

namespace base {
namespace {

Duration read(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

/// Asio's timers run on CLOCK_MONOTONIC, which stands still in a suspend: an alarm may then ring late, never
/// early.
using Timer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

class SystemAlarm final : public Alarm {
 public:
  SystemAlarm(Executor executor, Duration offset) : timer_(executor), offset_(offset) {}

  Async<> wait_until(TimePoint t) override {
    // At most an hour at a time: after a suspend the rest is measured anew, and the sum cannot overflow.
    while (!rung_) {
      const Duration left = t.time_since_epoch() - offset_ - read(CLOCK_BOOTTIME);
      if (left <= Duration::zero()) break;
      timer_.expires_after(std::min<Duration>(left, std::chrono::hours(1)));
      boost::system::error_code ignored;
      co_await timer_.async_wait(boost::asio::redirect_error(use_async, ignored));
      if (ignored) break;
    }
    rung_ = false;
  }

  Async<> wait() override {
    while (!rung_) {
      timer_.expires_at(std::chrono::steady_clock::time_point::max());
      boost::system::error_code ignored;
      co_await timer_.async_wait(boost::asio::redirect_error(use_async, ignored));
      if (ignored) break;
    }
    rung_ = false;
  }

  void ring() override {
    rung_ = true;
    timer_.cancel();
  }

 private:
  Timer timer_;
  Duration offset_;
  bool rung_ = false;
};

}  // namespace

Now SystemClock::now() const {
  return {TimePoint(read(CLOCK_BOOTTIME) + offset_), WallTime(read(CLOCK_REALTIME))};
}

std::unique_ptr<Alarm> SystemClock::alarm(Executor executor) {
  return std::make_unique<SystemAlarm>(executor, offset_);
}

AxisMark SystemClock::mark() const {
  const Machine machine = machine_now();
  return {TimePoint(machine.boot + offset_), machine.boot, machine.wall, machine.boot_id};
}

Machine machine_now() {
  Machine machine{read(CLOCK_BOOTTIME), WallTime(read(CLOCK_REALTIME)), {}, false};
  timex ask{};
  const int state = adjtimex(&ask);
  machine.wall_known = state >= 0 && state != TIME_ERROR;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> machine.boot_id;
  return machine;
}

Duration monotonic_now() {
  return read(CLOCK_MONOTONIC);
}

}  // namespace base
