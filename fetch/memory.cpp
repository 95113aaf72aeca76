#include "fetch/memory.h"

#include <algorithm>

namespace fetch {

BodyBudget::BodyBudget(std::uint64_t max, std::uint64_t body_max)
    : max_(std::max(max, kBodyFactor * body_max + kDecoderOctets)),
      site_max_(std::max(max_ / kSitePart, kBodyFactor * body_max + kDecoderOctets)) {}

bool BodyBudget::try_take(std::uint64_t octets) {
  std::uint64_t now = taken_.load(std::memory_order_relaxed);
  while (octets <= max_ - now) {
    if (taken_.compare_exchange_weak(now, now + octets, std::memory_order_relaxed)) return true;
  }
  return false;
}

BodyAccount::BodyAccount(std::shared_ptr<BodyBudget> budget, std::shared_ptr<SiteOctets> sites,
                         std::string site)
    : budget_(std::move(budget)), sites_(std::move(sites)), site_(std::move(site)) {}

BodyAccount::~BodyAccount() {
  if (taken_ == 0) return;
  budget_->give(taken_);
  const auto found = sites_->find(site_);
  found->second -= taken_;
  if (found->second == 0) sites_->erase(found);
}

bool BodyAccount::grow_to(std::uint64_t octets) {
  if (octets <= kBodyFree + taken_) return true;
  const std::uint64_t more = (octets - kBodyFree - taken_ + kBodyStep - 1) / kBodyStep * kBodyStep;
  std::uint64_t& of_site = (*sites_)[site_];
  const bool room = more <= budget_->site_max() - of_site && budget_->try_take(more);
  if (room) {
    taken_ += more;
    of_site += more;
  } else if (of_site == 0) {
    sites_->erase(site_);
  }
  return room;
}

}  // namespace fetch
