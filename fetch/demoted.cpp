#include "fetch/demoted.h"

#include <algorithm>

namespace fetch {

void Demoted::add(const base::IpAddress& address, base::TimePoint now) {
  if (until_.size() >= kDemotedMax) until_.clear();
  until_[address] = now + kDemotedFor;
}

std::vector<base::IpAddress> Demoted::sorted(std::vector<base::IpAddress> addresses,
                                             base::TimePoint now) const {
  const auto until = [&](const base::IpAddress& address) {
    const auto found = until_.find(address);
    return found == until_.end() || found->second <= now ? base::TimePoint::min() : found->second;
  };
  std::stable_sort(addresses.begin(), addresses.end(),
                   [&](const auto& a, const auto& b) { return until(a) < until(b); });
  return addresses;
}

}  // namespace fetch
