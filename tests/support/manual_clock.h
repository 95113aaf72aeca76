#pragma once
// Time that moves when the test says so: a day takes as long as its events.
#include "base/clock.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>

#include <map>
#include <optional>

namespace support {

class ManualClock final : public base::Clock {
 public:
  explicit ManualClock(base::Now start) : now_(start) {}

  base::Now now() const override { return now_; }
  std::unique_ptr<base::Alarm> alarm(base::Executor executor) override {
    return std::make_unique<ManualAlarm>(*this, executor);
  }

  /// Time passes while nobody waits for it.
  void step(base::Duration by) { move_to(now_.steady + by); }

  /// Somebody sets the wall clock; the steady axis does not notice.
  void step_wall(base::Duration by) { now_.wall += by; }

  /// Runs `loop` until it has nothing left to do, or until `end`: when all is quiet, time jumps to the next
  /// alarm.
  void run(boost::asio::io_context& loop, base::TimePoint end) {
    for (;;) {
      loop.restart();
      while (loop.poll() > 0) {
      }
      if (waiting_.empty() || waiting_.begin()->first > end) break;
      ManualAlarm* const first = waiting_.begin()->second;
      move_to(waiting_.begin()->first);
      first->ring();
    }
    if (!waiting_.empty()) move_to(end);
  }

 private:
  class ManualAlarm;
  using Waiting = std::multimap<base::TimePoint, ManualAlarm*>;

  class ManualAlarm final : public base::Alarm {
   public:
    ManualAlarm(ManualClock& clock, base::Executor executor) : clock_(clock), timer_(executor) {}
    ~ManualAlarm() override { leave(); }

    base::Async<> wait_until(base::TimePoint t) override {
      if (t > clock_.now_.steady && !rung_) {
        place_ = clock_.waiting_.emplace(t, this);
        co_await sleep();
        leave();
      }
      rung_ = false;
    }
    base::Async<> wait() override {
      if (!rung_) co_await sleep();
      rung_ = false;
    }
    void ring() override {
      rung_ = true;
      leave();
      timer_.cancel();
    }

   private:
    base::Async<> sleep() {
      while (!rung_) {
        timer_.expires_at(std::chrono::steady_clock::time_point::max());
        boost::system::error_code ignored;
        co_await timer_.async_wait(boost::asio::redirect_error(base::use_async, ignored));
      }
    }
    void leave() {
      if (place_) clock_.waiting_.erase(*place_);
      place_.reset();
    }

    ManualClock& clock_;
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, base::Executor>
        timer_;
    std::optional<Waiting::iterator> place_;
    bool rung_ = false;
  };

  void move_to(base::TimePoint t) {
    if (t <= now_.steady) return;
    now_.wall += t - now_.steady;
    now_.steady = t;
  }

  base::Now now_;
  Waiting waiting_;
};

}  // namespace support
