#include "crawler/commits.h"

#include <boost/asio/post.hpp>

namespace crawler {

Commits::Commits(Store& store, base::Clock& clock, Mode mode) : store_(store), clock_(clock) {
  if (mode == Mode::grouped) thread_ = std::thread([this] { run(); });
}

Commits::~Commits() {
  stop();
}

void Commits::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

base::Async<bool> Commits::durable(base::Executor executor) {
  if (!thread_.joinable()) co_return store_.sync();
  const std::shared_ptr<base::Alarm> alarm = clock_.alarm(executor);
  {
    const std::lock_guard lock(mutex_);
    waiters_.push_back({executor, alarm});
  }
  changed_.notify_one();
  co_await alarm->wait();
  co_return !store_.failed();
}

std::uint64_t Commits::syncs() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

Commits::Past Commits::past() const {
  const std::lock_guard lock(mutex_);
  return past_;
}

void Commits::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || !waiters_.empty(); });
    if (stopped_) return;
    changed_.wait_for(lock, kWindow, [this] { return stopped_; });
    std::vector<Waiter> served = std::exchange(waiters_, {});
    ++syncs_;
    lock.unlock();
    const base::TimePoint begun = clock_.now().steady;
    const bool good = store_.sync();
    const base::Now ended = clock_.now();
    for (Waiter& waiter : served) {  // the alarm dies where it is used, not here
      boost::asio::post(waiter.executor, [alarm = std::move(waiter.alarm)] { alarm->ring(); });
    }
    lock.lock();
    past_.times.add(ended.steady - begun);
    if (good) past_.last = ended.wall;
  }
}

}  // namespace crawler
