#include "fetch/demoted.h"

namespace fetch {

void Demoted::add(const base::IpAddress& address, base::TimePoint now) {
  if (until_.size() >= kDemotedMax) until_.clear();
  until_[address] = now + kDemotedFor;
}

const base::IpAddress* Demoted::choose(const std::vector<base::IpAddress>& addresses,
                                       base::TimePoint now) const {
  const base::IpAddress* best = nullptr;
  base::TimePoint best_until = base::TimePoint::max();
  for (const base::IpAddress& address : addresses) {
    const auto found = until_.find(address);
    if (found == until_.end() || found->second <= now) return &address;
    if (best == nullptr || found->second < best_until) {
      best = &address;
      best_until = found->second;
    }
  }
  return best;
}

}  // namespace fetch
