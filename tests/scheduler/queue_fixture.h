#pragma once
// A host queue in virtual time, and small words to tell its stories with.
#include "gtest/gtest.h"
#include "scheduler/host_queue.h"

#include <optional>
#include <string>
#include <utility>

namespace scheduler {

using namespace std::chrono_literals;
using base::Duration;
using base::IpAddress;
using base::Now;
using base::Origin;
using base::TimePoint;
using base::WallTime;

inline constexpr Duration kTick{1};

inline Origin origin(const std::string& text) {
  return base::Url::parse(text).value().origin();
}
inline IpAddress address(const std::string& text) {
  return IpAddress::parse(text).value();
}

inline base::DailyWindow hours(int from, int to) {
  return {static_cast<std::uint16_t>(from * 60), static_cast<std::uint16_t>(to * 60), 0, 0};
}

/// A queue with every clock off but the default interval of 2 s; each test turns on what it looks at.
class HostQueueTest : public testing::Test {
 protected:
  HostQueueTest() {
    politeness_.default_interval = 2s;
    politeness_.hard_minimum = 0s;
    politeness_.latency_factor = 0;
    politeness_.per_address_interval = 0s;
  }

  HostQueue& queue() {
    if (!queue_) {
      addresses_.emplace(politeness_);
      queue_.emplace(politeness_, *addresses_, random_);
    }
    return *queue_;
  }

  void pass(Duration d) {
    now_.steady += d;
    now_.wall += d;
  }
  void set_wall(WallTime wall) { now_.wall = wall; }

  /// A lease now, and not a tick earlier.
  Lease expect_lease_after(Duration wait) {
    if (wait > Duration::zero()) {
      EXPECT_EQ(queue().next_due(now_), now_.steady + wait);
      pass(wait - kTick);
      EXPECT_FALSE(queue().next(now_)) << "too early";
      pass(kTick);
    }
    std::optional<Lease> lease = queue().next(now_);
    EXPECT_TRUE(lease) << "not yet";
    return std::move(lease).value();
  }

  void finish(Lease lease, Health health = Health::ok, std::optional<Duration> retry_after = {},
              bool more = true) {
    queue().finish(std::move(lease), Feedback{health, retry_after, now_.steady}, more, now_);
  }

  /// Sends at once and is answered at once.
  void visit(Lease lease, Health health = Health::ok, std::optional<Duration> retry_after = {}) {
    queue().sent(lease, now_.steady);
    finish(std::move(lease), health, retry_after);
  }

  Waiting waiting(const Origin& o) { return queue().status(o, now_).waiting; }
  Duration until_due(const Origin& o) { return queue().status(o, now_).due - now_.steady; }

  /// 2026-11-21T00:00Z at 1000 s of the steady clock.
  Now now_{TimePoint(1000s), WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21))};
  config::Politeness politeness_;
  base::Random random_{7};
  std::optional<AddressClocks> addresses_;
  std::optional<HostQueue> queue_;
  const Origin a_ = origin("http://a.example.com");
  const Origin b_ = origin("http://b.example.com");
  const Origin c_ = origin("http://c.example.net");
};

}  // namespace scheduler
