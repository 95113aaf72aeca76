#include "crawler/service.h"

#include "base/clock.h"
#include "crawler/summary.h"

namespace crawler {

Service::Service(const ServiceEnvironment& environment, base::Log& log)
    : log_(log), notify_(environment.socket), timeout_(environment.watchdog) {
  notify_.status("opening the frontier");
}

Service::~Service() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Service::begin(std::size_t shards) {
  shards_ = shards;
  watchdog_.emplace(shards + 1, timeout_);
  if (notify_.on()) next_ = base::TimePoint::min();
}

std::vector<std::size_t> Service::look(base::Now now) {
  next_ = now.steady + watchdog_->period(kEvery);
  if (!ending_.empty()) extend();
  const Watchdog::Turn turn = watchdog_->look(now.steady);
  if (turn.feed) notify_.watchdog();
  for (const std::size_t part : turn.silent) {
    base::Line line(base::Level::warning, "watchdog");
    if (part < shards_) {
      line.word("silent", "shard").number("shard", static_cast<std::int64_t>(part));
    } else {
      line.word("silent", "store");
    }
    log_.write(line, now.wall);
  }
  if (!turn.ask.empty()) {
    answers_ = 0;
    total_ = {};
  }
  return turn.ask;
}

void Service::answered(std::size_t shard, Report report, base::Now now) {
  watchdog_->answered(shard);
  if (!ready_) ready_ = notify_.ready();
  add_report(total_, std::move(report));
  if (++answers_ < shards_) return;
  std::string sentence = status_sentence(total_, now);
  if (!held_.empty()) sentence = "paused, " + held_ + ": " + sentence;
  if (!ending_.empty()) sentence = "ending, " + ending_ + ": " + sentence;
  notify_.status(sentence);
}

void Service::store_answered() {
  watchdog_->answered(shards_);
}

void Service::reloading() {
  if (ready_) notify_.reloading(base::monotonic_now());
}

void Service::reloaded() {
  if (ready_) notify_.ready();
}

void Service::stopping(std::string_view why) {
  ending_ = why;
  notify_.stopping();
  notify_.status("ending: " + ending_);
  extend();
}

void Service::extend() {
  if (extended_ >= kEndMax) return;
  extended_ += kEvery;
  notify_.extend_timeout(kExtension);
}

void Service::closing() {
  if (!notify_.on()) return;
  notify_.status("ending: writing what is left to the disk");
  thread_ = std::thread([this] { keep_extending(); });
}

void Service::keep_extending() {
  std::unique_lock lock(mutex_);
  while (!over_ && extended_ < kEndMax) {
    extend();
    if (timeout_) notify_.watchdog();
    changed_.wait_for(lock, watchdog_->period(kEvery), [this] { return over_; });
  }
}

}  // namespace crawler
