#pragma once
// Kept connections that wait for the next request to the same origin at the same address.
#include "base/clock.h"
#include "base/hash.h"
#include "fetch/connection.h"
#include "fetch/timer.h"

#include <list>
#include <memory>
#include <unordered_map>

namespace fetch {

/// How long a connection is kept without use; most servers close earlier. Longer than usual polite waits.
inline constexpr base::Duration kIdleMax = std::chrono::seconds(75);
/// Idle connections kept for one origin at one address; one lease at a time needs one.
inline constexpr std::size_t kIdlePerOriginMax = 2;

/// Bound to one thread. Pending waits hold it alive, so it is shared.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  Pool(base::Executor executor, const base::Clock& clock, base::Duration idle_max = kIdleMax);

  /// The connection to `origin` at `address` that was put back last, or null.
  std::unique_ptr<Connection> take(std::string_view origin, const base::IpAddress& address);
  /// Keeps `connection` until somebody takes it, its server closes it or says anything, or it gets too old.
  void put(std::unique_ptr<Connection> connection);
  /// Closes the one that has waited longest; false when there is none.
  bool close_oldest();
  /// Closes all and keeps none from now on, so that no timer or wait is left.
  void close();
  std::size_t size() const { return idle_.size(); }

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    std::string key;
    base::TimePoint since;
    std::uint64_t id = 0;
  };
  using Place = std::list<Idle>::iterator;

  void watch(const Idle& idle);
  void arm();
  void expire();
  std::unique_ptr<Connection> remove(Place place);

  const base::Clock& clock_;
  const base::Duration idle_max_;
  Timer timer_;
  bool armed_ = false;
  bool closed_ = false;
  std::uint64_t next_id_ = 1;
  std::list<Idle> idle_;  // in order of `since`, the oldest in front
  std::unordered_map<std::uint64_t, Place> by_id_;
  base::StringMap<std::vector<Place>> by_key_;  // the last one was put back last
};

}  // namespace fetch
