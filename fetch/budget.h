#pragma once
// How many connections may be open at once, over all threads.
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace fetch {

/// Thread-safe. A place is taken before a socket is opened and given back after it was closed.
class ConnectionBudget {
 public:
  explicit ConnectionBudget(std::uint32_t max) : max_(max) {}

  bool try_take();
  void give();
  /// More than half of the places are taken.
  bool crowded() const { return taken() > max_ / 2; }
  std::uint32_t taken() const { return taken_.load(std::memory_order_relaxed); }

  /// `ask` is called from any thread when a place is wanted: it should make its thread close an idle
  /// connection soon. Calls end before remove() returns.
  std::uint64_t add_holder(std::function<void()> ask);
  void remove_holder(std::uint64_t id);
  /// Asks every holder but `self`.
  void ask_others(std::uint64_t self);

 private:
  const std::uint32_t max_;
  std::atomic<std::uint32_t> taken_{0};
  std::mutex mutex_;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, std::function<void()>> holders_;
};

/// One place of a budget; given back at the end of its life.
class Ticket {
 public:
  Ticket() = default;
  explicit Ticket(std::shared_ptr<ConnectionBudget> taken_from) : budget_(std::move(taken_from)) {}
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&& other) noexcept {
    std::swap(budget_, other.budget_);
    return *this;
  }
  ~Ticket() {
    if (budget_) budget_->give();
  }
  explicit operator bool() const { return budget_ != nullptr; }

 private:
  std::shared_ptr<ConnectionBudget> budget_;
};

}  // namespace fetch
