#pragma once
// What DNS said about names, and until when. Pure.
#include "base/address.h"
#include "base/hash.h"
#include "base/time.h"
#include "fetch/step.h"

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fetch {

inline constexpr base::Duration kTtlMin = std::chrono::seconds(30);
inline constexpr base::Duration kTtlMax = std::chrono::hours(1);
/// How long `no such name` and `no address` are believed.
inline constexpr base::Duration kNegativeTtl = std::chrono::seconds(60);
/// Names remembered by one thread; the one used longest ago goes first.
inline constexpr std::size_t kNamesMax = 20'000;
/// Addresses kept of one name.
inline constexpr std::size_t kAddressesMax = 32;

/// The addresses of a name in order of preference, or why there are none.
struct Addresses {
  Step failure;
  std::vector<base::IpAddress> list;
};

class Names {
 public:
  explicit Names(std::size_t max = kNamesMax) : max_(max) {}

  /// Null when nothing is known at `now`. Valid until the next call.
  const Addresses* find(std::string_view name, base::TimePoint now);
  /// Addresses are kept for `ttl` within its bounds, failures for kNegativeTtl.
  void store(std::string_view name, Addresses addresses, base::Duration ttl, base::TimePoint now);
  std::size_t size() const { return by_name_.size(); }

 private:
  struct Entry {
    std::string name;
    Addresses addresses;
    base::TimePoint until{};
  };
  void forget(std::list<Entry>::iterator entry);

  std::size_t max_;
  std::list<Entry> entries_;  // the most recently used in front
  base::StringMap<std::list<Entry>::iterator> by_name_;
};

}  // namespace fetch
