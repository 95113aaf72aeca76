#include "fetch/budget.h"

namespace fetch {

bool ConnectionBudget::try_take() {
  std::uint32_t now = taken_.load(std::memory_order_relaxed);
  while (now < max_) {
    if (taken_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

void ConnectionBudget::give() {
  taken_.fetch_sub(1, std::memory_order_relaxed);
}

std::uint64_t ConnectionBudget::add_holder(std::function<void()> ask) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t id = next_id_++;
  holders_.emplace(id, std::move(ask));
  return id;
}

void ConnectionBudget::remove_holder(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  holders_.erase(id);
}

void ConnectionBudget::ask_others(std::uint64_t self) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, ask] : holders_) {
    if (id != self) ask();
  }
}

}  // namespace fetch
