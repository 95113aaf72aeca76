#pragma once
// Addresses where connecting failed a short while ago. Pure.
#include "base/address.h"
#include "base/time.h"

#include <unordered_map>
#include <vector>

namespace fetch {

inline constexpr base::Duration kDemotedFor = std::chrono::minutes(5);
/// Addresses remembered; when there are more, all are forgotten: the list is only advice.
inline constexpr std::size_t kDemotedMax = 10'000;

class Demoted {
 public:
  void add(const base::IpAddress& address, base::TimePoint now);
  void forget(const base::IpAddress& address) { until_.erase(address); }
  /// `addresses` as they are, but those that are demoted at the end, the one whose time ends first before the
  /// others.
  std::vector<base::IpAddress> sorted(std::vector<base::IpAddress> addresses, base::TimePoint now) const;
  std::size_t size() const { return until_.size(); }

 private:
  std::unordered_map<base::IpAddress, base::TimePoint> until_;
};

}  // namespace fetch
