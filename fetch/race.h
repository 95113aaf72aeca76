#pragma once
// Happy eyeballs (RFC 8305): the first of several addresses that answers.
#include "base/async.h"
#include "fetch/connection.h"
#include "fetch/step.h"
#include "fetch/timer.h"

#include <functional>
#include <memory>
#include <vector>

namespace fetch {

/// How long an attempt is alone before the next one begins beside it (RFC 8305 §5).
inline constexpr base::Duration kAttemptDelay = std::chrono::milliseconds(250);
/// Addresses of one host that are tried for one request.
inline constexpr std::size_t kAttemptsMax = 4;

/// `addresses` in the order in which they are tried: the families take turns, beginning with that of the
/// first (RFC 8305 §4). At most kAttemptsMax.
std::vector<base::IpAddress> in_turns(const std::vector<base::IpAddress>& addresses);

/// One race. Bound to one thread. Attempts under way hold it alive, so it is shared, and Parts must own what
/// they use.
class Race : public std::enable_shared_from_this<Race> {
 public:
  struct Parts {
    /// May this address be tried now? When not, it is left out, and run() may fail with Error::not_now.
    std::function<bool(const base::IpAddress&)> may_try;
    /// A connection to be opened to this address, with its place in the budget; null when there is none.
    std::function<std::unique_ptr<Connection>(const base::IpAddress&)> make;
    /// Begins to connect it, as start_connect() does.
    std::function<Step(Connection&, const base::IpAddress&, std::function<void(Step)>)> start;
    /// This address failed, or was outrun by one that began later.
    std::function<void(const base::IpAddress&, Error)> lost;
  };
  Race(base::Executor executor, Parts parts) : parts_(std::move(parts)), wake_(executor), delay_(executor) {}

  /// The connection to the first of `addresses` that answered. Null when none did, with the last failure.
  /// `addresses` must not be empty. Called once.
  base::Async<std::unique_ptr<Connection>> run(std::vector<base::IpAddress> addresses, Step& failure);
  /// Ends all attempts, which are lost: run() returns null, and no failure.
  void close();

 private:
  struct Attempt {
    base::IpAddress address;
    std::unique_ptr<Connection> connection;  // null: lost
  };
  void begin_next();
  void go_on();
  bool begin(const base::IpAddress& address);
  void ended(std::size_t number, Step step);
  void note(const base::IpAddress& address, Step step);
  void finish();
  bool all_tried() const { return attempts_.size() == addresses_.size(); }

  Parts parts_;
  Timer wake_;
  Timer delay_;
  std::vector<base::IpAddress> addresses_;
  std::vector<Attempt> attempts_;
  std::size_t running_ = 0;
  std::unique_ptr<Connection> winner_;
  Step failure_;
  bool left_out_ = false;  ///< an address could not be tried now
  bool over_ = false;
};

}  // namespace fetch
