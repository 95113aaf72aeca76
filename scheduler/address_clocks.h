#pragma once
// The clocks of IP addresses, shared by all shards because unrelated sites may share an address. The only
// object of the scheduler that several threads use; a reservation is a short critical section.
#include "base/address.h"
#include "base/time.h"
#include "config/config.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scheduler {

/// How an exchange went, as far as manners are concerned.
enum class Health {
  ok,          ///< the server answered, and not with 429 or 503
  overloaded,  ///< 429 or 503
  failing,     ///< no answer: DNS, connect, TLS, timeout, reset
};

/// Interval of an address = per_address_interval, divided by the number of registrable domains that answered
/// fast on it lately (as behind a CDN), whole again at the first 429 or 503 (ROBOTS.md §9). One site alone
/// never eases it, and a site that turns slow or silent is evidence no longer. An interval of 0 switches it
/// all off. Thread-safe.
class AddressClocks {
 public:
  static constexpr std::size_t kSitesPerStep = 4;
  /// The interval is never divided by more than this.
  static constexpr std::size_t kEasingMax = 10;
  /// Sites remembered as evidence on one address.
  static constexpr std::size_t kEvidenceMax = kSitesPerStep * kEasingMax;
  /// An answer that took no longer is fast.
  static constexpr base::Duration kFast = std::chrono::milliseconds(500);
  /// Evidence older than this counts no more, and an address unused for so long is forgotten.
  static constexpr base::Duration kHorizon = std::chrono::minutes(10);
  /// When to ask again for an address that somebody else has taken and not used yet.
  static constexpr base::Duration kAskAgain = std::chrono::milliseconds(25);
  /// Addresses remembered, unless the constructor says otherwise. When all of them have to wait, new ones are
  /// refused until one is free: an address with a wait is never forgotten.
  static constexpr std::size_t kAddressesMax = 262'144;

  /// Copies what it needs of `politeness`. `addresses_max` is at least 1.
  explicit AddressClocks(const config::Politeness& politeness, std::size_t addresses_max = kAddressesMax);

  /// Takes the address for one request to be sent from `now` on: nothing when taken, else the instant (later
  /// than `now`) from which asking again makes sense. Between reserve() and sent() or release() nobody else
  /// gets it.
  std::optional<base::TimePoint> reserve(const base::IpAddress& address, base::TimePoint now);
  /// The request went out at `at`: the next may start one interval later, which is the result.
  base::TimePoint sent(const base::IpAddress& address, base::TimePoint at);
  /// The same request had to be written once more, at `at`: the clock moves on. It need not be taken.
  base::TimePoint sent_again(const base::IpAddress& address, base::TimePoint at);
  /// The request never went out.
  void release(const base::IpAddress& address);
  /// Evidence for easing: `site` answered on `address` after `took`.
  void report(const base::IpAddress& address, std::string_view site, Health health, base::Duration took,
              base::TimePoint now);
  /// The interval in force now, that is at the latest instant that any call has named.
  base::Duration interval(const base::IpAddress& address) const;
  std::size_t size() const;

 private:
  /// `site` answered fast at `at`.
  struct Evidence {
    std::uint64_t site = 0;
    base::TimePoint at{};
  };
  struct Entry {
    base::IpAddress address;
    base::TimePoint last_used{};
    base::TimePoint started = base::TimePoint::min();  // of the latest request
    bool taken = false;
    std::vector<Evidence> evidence;  // the newest last
  };
  using Entries = std::list<Entry>;

  base::Duration interval_of(const Entry& entry) const;
  base::TimePoint next_of(const Entry& entry) const;
  void touch(Entries::iterator entry, base::TimePoint now);
  bool make_room(base::TimePoint now);
  static void forget_evidence(Entry& entry, std::uint64_t site);

  const base::Duration interval_;
  const std::size_t addresses_max_;
  mutable std::mutex mutex_;
  Entries entries_;  // the longest unused first
  std::unordered_map<base::IpAddress, Entries::iterator> by_address_;
  base::TimePoint latest_ = base::TimePoint::min();
};

}  // namespace scheduler
