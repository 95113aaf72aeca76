#pragma once
// Which origin may be asked when. Holds origins, never URLs; does no I/O and knows no clock. O(log n) a
// decision. One thread, but for the shared AddressClocks.
//
// Invariants, at every instant: at most one lease per origin; two requests to an origin start at least the
// interval in force apart; no lease while the origin is paused; two requests to one address, and to one
// site, start at least their intervals apart. due = max(origin clock, address clock, site clock, pause).
#include "base/address.h"
#include "base/backoff.h"
#include "base/random.h"
#include "base/time.h"
#include "base/url.h"
#include "scheduler/address_clocks.h"
#include "scheduler/pace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace scheduler {

class HostQueue;

/// The right to send ONE request to ONE origin. Move-only. Ends by HostQueue::finish() or give_back(); dying
/// otherwise counts as a failure without an answer, so that a bug slows the crawl down instead of speeding it
/// up. Must not outlive its HostQueue.
class Lease {
 public:
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) noexcept;
  ~Lease();
  const base::Origin& origin() const;
  std::uint32_t id() const { return id_; }

 private:
  friend class HostQueue;
  Lease(HostQueue* queue, std::uint32_t id) : queue_(queue), id_(id) {}
  HostQueue* queue_ = nullptr;
  std::uint32_t id_ = 0;
};

/// What the exchange under a lease tells the scheduler.
struct Feedback {
  Health health = Health::ok;
  std::optional<base::Duration> retry_after;  ///< of a 429 or 503; capped at 24 h
  base::TimePoint ended{};                    ///< when the exchange was over
};

/// What outlives a run: the clocks of an origin, its rungs on the ladders, and how fast it answers. Instants
/// are of the steady axis; TimePoint::min() is never.
struct HostState {
  base::TimePoint started = base::TimePoint::min();       ///< when the last request went out
  base::TimePoint ready_from = base::TimePoint::min();    ///< end of the wait for the last answer's latency
  base::TimePoint paused_until = base::TimePoint::min();  ///< 429, 503, no answer, or pause()
  std::uint8_t overloads = 0;                             ///< rung of kOverloaded
  std::uint8_t failures = 0;                              ///< rung of kFailing
  /// Of exchanges that brought an answer, each new one with a weight of 1/8 (exact to 1 us, up to about 71
  /// min). 0: there was none.
  base::Duration latency{};
  friend bool operator==(const HostState&, const HostState&) = default;
};

/// Why an origin is not due, for logs and status.
enum class Waiting { nothing, in_flight, interval, latency, pause, address, site, visit_time, idle };
std::string_view to_string(Waiting);

struct Status {
  base::TimePoint due{};  ///< TimePoint::max(): when something else has happened, such as finish() or wake()
  Waiting waiting = Waiting::nothing;
};

struct Census {  ///< origins by state
  std::size_t ready = 0, waiting = 0, paused = 0, in_flight = 0, idle = 0;
};

class HostQueue {
 public:
  /// Ladder of pauses after 429 and 503 without Retry-After (ROBOTS.md §9) and after no answer at all.
  static constexpr base::Backoff kOverloaded{std::chrono::minutes(5), std::chrono::hours(24)};
  static constexpr base::Backoff kFailing{std::chrono::seconds(30), std::chrono::hours(1)};
  static constexpr base::Duration kRetryAfterMax = std::chrono::hours(24);

  /// References must outlive the queue. `random` is the shard's.
  HostQueue(const config::Politeness& politeness, AddressClocks& addresses, base::Random& random);
  ~HostQueue();

  /// Idle origins remembered. Beyond that those that are idle longest are forgotten with their clocks and
  /// pace, but none whose site's clock still runs: the owner has kept state() and brings it back.
  static constexpr std::size_t kIdleMax = 16'384;

  /// `origin` has work from now on (idempotent). True: the origin is new here, or has been forgotten, and
  /// starts with the default pace; the caller brings what it knows of it by restore(), set_pace() and
  /// pause().
  bool wake(const base::Origin& origin, base::Now now);
  /// `origin` has no work; it keeps its clocks and is due never.
  void idle(const base::Origin& origin);

  /// What to keep of `origin`; the defaults when it is unknown.
  HostState state(const base::Origin& origin) const;
  /// Brings back what state() gave, in this run or an earlier one; for an origin that is new here, before
  /// the next call of next(). Clocks and rungs are only ever lengthened, and a waiting origin is re-timed at
  /// once. What cannot be true is cut: a start later than `now`, a wait beyond politeness.latency_cap, a
  /// pause beyond kIntervalMax.
  void restore(const base::Origin& origin, const HostState& state, base::Now now);
  /// Takes out an origin that has no lease, with work or without; nothing when it is unknown. While its
  /// site's clock still runs it only goes idle, because the clock would be lost with it; then wake() finds it
  /// as it was.
  void forget(const base::Origin& origin);

  /// A lease on the origin that has been due the longest; nothing when none is due.
  std::optional<Lease> next(base::Now now);
  /// When next() should be asked again; nothing when no origin has work that could become due by itself.
  std::optional<base::TimePoint> next_due(base::Now now);

  /// Before a request is sent: the origin's name leads to `address`. True: go. False: the address is not free
  /// yet, or a pause, a new pace or a window has come since next(); give the lease back, the origin will be
  /// due again in time. Once admitted on an address, later leases are granted only together with it.
  /// Again for another address before anything is sent: that one counts from then on, and when it is refused,
  /// none does.
  bool admit(Lease& lease, const base::IpAddress& address, base::Now now);

  /// The request's last octet went out at `at`: all clocks of the lease start here. Called again when the
  /// same request had to be written once more (a kept connection was dead): the clocks move on.
  void sent(const Lease& lease, base::TimePoint at);

  /// The exchange is over. `more`: the origin still has work. Without sent() before (no address, refused) the
  /// end counts as the start, so that attempts are spaced like requests.
  void finish(Lease lease, const Feedback& feedback, bool more, base::Now now);
  /// Nothing was sent: clocks are as before.
  void give_back(Lease lease, bool more, base::Now now);

  /// New wishes of the site; a waiting origin is re-timed at once.
  void set_pace(const base::Origin& origin, Pace pace, base::Now now);
  /// Not before `until` (robots.txt unreachable, operator). A pause is only ever lengthened.
  void pause(const base::Origin& origin, base::TimePoint until, base::Now now);

  Interval interval(const base::Origin& origin, base::WallTime at) const;  ///< in force for `origin`
  Status status(const base::Origin& origin, base::Now now) const;
  Census census(base::Now now) const;
  /// Calls `visitor` for each origin that is in memory, in no order, until it returns false.
  void each(const std::function<bool(const base::Origin&)>& visitor) const;
  /// Of the origins with work and without a lease the one that is due first, for the summary line; nothing
  /// when there is none, and when nobody knows when that is: each waits for a clock that a lease holds.
  std::optional<std::pair<base::Origin, Status>> longest_first(base::Now now) const;

 private:
  friend class Lease;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scheduler
