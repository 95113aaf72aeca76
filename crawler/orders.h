#pragma once
// What the operator has said of hosts while the crawl runs: pauses and delays. They only make it slower.
#include "base/time.h"
#include "base/url.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Of one host name, for its origins of every scheme and port.
struct Order {
  bool paused = false;
  std::optional<base::WallTime> until{};  ///< end of the pause; none: until it is taken back
  base::Duration delay{};                 ///< no two requests closer than this; 0: nothing was said
  base::WallTime since{};                 ///< when the order was given last

  /// No request at `now`.
  bool holds(base::WallTime now) const { return paused && (!until || now < *until); }
  bool empty() const { return !paused && delay == base::Duration::zero(); }
  friend bool operator==(const Order&, const Order&) = default;
};

/// All that is in force. A value; each thread has its own copy.
class Orders {
 public:
  /// Hosts with an order. One more is refused.
  static constexpr std::size_t kHostsMax = 10'000;
  static constexpr base::Duration kDelayMax = std::chrono::hours(24);

  Order crawl;  ///< of all hosts; its delay is not used

  /// Null when nothing was said of `host`.
  const Order* find(std::string_view host) const;
  /// False: there are too many.
  bool set(std::string_view host, const Order& order);
  std::size_t size() const { return hosts_.size(); }
  /// A pause has come to its instant.
  bool expired(base::WallTime now) const;
  void drop_expired(base::WallTime now);

  /// As one row of the store. Reading gives nothing when `text` was not written by text().
  std::string text() const;
  static std::optional<Orders> parse(std::string_view text);

 private:
  std::map<std::string, Order, std::less<>> hosts_;
};

/// `text` as Orders knows hosts: lower case, an A-label or an address with its brackets; nothing when it is
/// no host name.
std::optional<std::string> host_name(std::string_view text);

}  // namespace crawler
