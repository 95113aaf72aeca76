#pragma once
// The deadlines of one exchange, and the only way to cut it short.
#include "base/clock.h"
#include "fetch/step.h"
#include "fetch/timer.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace fetch {

/// Absolute deadlines on one timer: the phase under way, the least throughput, and the whole exchange. When
/// one passes, what is watched is closed, so that whatever waits on it returns; the coroutine then asks
/// stopped(). The timer is not touched for each operation: it fires at the nearest deadline that it knew, and
/// looks again.
class Deadline : public std::enable_shared_from_this<Deadline> {
 public:
  Deadline(base::Executor executor, const base::Clock& clock, base::Duration total);

  base::TimePoint begun() const { return begun_; }

  /// What ends the waits under way: called once, when the exchange is cut short. Must be taken back, by an
  /// empty one, before what it closes dies.
  void watch(std::function<void()> close) { close_ = std::move(close); }

  /// A phase begins. When it takes longer than `limit`, the exchange ends with `error` and `text`.
  /// `text` must be a literal. A least throughput does not outlive its phase.
  void enter(base::Duration limit, Error error, std::string_view text);
  /// From now on until the phase ends, fewer than `octets` within any span of `over` that begins where the
  /// last one ended is Error::slow. 0: any.
  void expect(std::uint64_t octets, base::Duration over);
  /// So many octets came: the limit of the phase starts anew, the span of expect() does not.
  void progress(std::uint64_t octets);
  /// The exchange is over; no timer is left.
  void end();
  /// Ends the exchange now.
  void stop(Error error, std::string_view text);

  /// Not none once a deadline has passed or stop() was called. Ask after every wait, before using its result.
  const Step& stopped() const { return stopped_; }
  explicit operator bool() const { return stopped_.error == Error::none; }

 private:
  base::TimePoint nearest() const { return std::min({phase_end_, span_end_, total_end_}); }
  void arm();
  void fired();

  const base::Clock& clock_;
  const base::TimePoint begun_;
  Timer timer_;
  std::function<void()> close_;
  base::TimePoint total_end_;
  base::TimePoint phase_end_;
  base::TimePoint span_end_ = base::TimePoint::max();
  base::TimePoint armed_for_ = base::TimePoint::max();
  base::Duration limit_{};
  base::Duration span_{};
  std::uint64_t expected_ = 0;  // in each span
  std::uint64_t came_ = 0;      // in this one
  Error error_ = Error::timeout;
  std::string_view text_;
  bool over_ = false;
  Step stopped_;
};

}  // namespace fetch
