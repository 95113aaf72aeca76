#pragma once
// When what was written is durable: one sync for all who wait at the same time.
#include "base/async.h"
#include "base/clock.h"
#include "crawler/histogram.h"
#include "crawler/store.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace crawler {

/// A request may only be sent after its origin's next allowed instant is durable. Syncing for each would be
/// some hundred a second; so a thread of its own gathers for kWindow and syncs once. Thread-safe.
class Commits {
 public:
  /// Longest wait for others; what a sync takes comes on top.
  static constexpr base::Duration kWindow = std::chrono::milliseconds(5);

  enum class Mode {
    grouped,    ///< by the thread
    immediate,  ///< on the caller's thread: virtual time knows no other
  };

  /// `store` and `clock` must outlive it.
  Commits(Store& store, base::Clock& clock, Mode mode);
  ~Commits();
  Commits(const Commits&) = delete;
  Commits& operator=(const Commits&) = delete;

  /// Returns when all that was written before the call is durable: true. False: the store has failed.
  base::Async<bool> durable(base::Executor executor);
  /// No executor is posted to from now on: their loops may go. Who waits is not woken any more.
  void stop();
  std::uint64_t syncs() const;
  struct Past {
    base::WallTime last{};  ///< when the last good sync ended
    Histogram times;        ///< how long all of them took
  };
  Past past() const;

 private:
  struct Waiter {
    base::Executor executor;
    std::shared_ptr<base::Alarm> alarm;
  };
  void run();

  Store& store_;
  base::Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiter> waiters_;
  bool stopped_ = false;
  std::uint64_t syncs_ = 0;
  Past past_;
  std::thread thread_;
};

}  // namespace crawler
