#pragma once
// The deadlines of one exchange, and the only way to cut it short.
#include "base/clock.h"
#include "fetch/connection.h"
#include "fetch/pool.h"

#include <memory>
#include <string>
#include <string_view>

namespace fetch {

/// Absolute deadlines on one timer: the phase under way, and the whole exchange. When one passes, the
/// connection is closed, so that whatever waits on it returns; the coroutine then asks stopped(). The timer
/// is not touched for each operation: it fires at the nearest deadline that it knew, and looks again.
class Deadline : public std::enable_shared_from_this<Deadline> {
 public:
  Deadline(base::Executor executor, const base::Clock& clock, base::Duration total);

  /// The connection to close; null for none. Must be taken back before the connection dies.
  void watch(Connection* connection) { connection_ = connection; }

  /// A phase begins. When it takes longer than `limit`, the exchange ends with `error` and `text`.
  /// `text` must be a literal.
  void enter(base::Duration limit, Error error, std::string_view text);
  /// Progress: the limit of the phase starts anew.
  void progress();
  /// The exchange is over; no timer is left.
  void end();
  /// Ends the exchange now.
  void stop(Error error, std::string_view text);

  /// Not none once a deadline has passed or stop() was called. Ask after every wait, before using its result.
  const Step& stopped() const { return stopped_; }

 private:
  base::TimePoint nearest() const { return std::min(phase_end_, total_end_); }
  void arm();
  void fired();

  const base::Clock& clock_;
  Timer timer_;
  Connection* connection_ = nullptr;
  base::TimePoint total_end_;
  base::TimePoint phase_end_;
  base::TimePoint armed_for_ = base::TimePoint::max();
  base::Duration limit_{};
  Error error_ = Error::timeout;
  std::string_view text_;
  bool over_ = false;
  Step stopped_;
};

}  // namespace fetch
