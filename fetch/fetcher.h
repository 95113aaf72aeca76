#pragma once
// One HTTP exchange, seen from outside. A Fetcher never retries, never follows a redirect, never logs, and
// decides nothing about manners: whoever calls it holds a lease.
#include "base/address.h"
#include "base/async.h"
#include "base/time.h"
#include "base/url.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fetch {

/// Why there is no usable answer. The words are stable: logs, counters and tests use them.
enum class Error {
  none,
  dns_failure,  ///< no such name, no address, SERVFAIL
  dns_timeout,
  blocked_address,  ///< the address guard refused
  blocked_port,     ///< a port that no web server uses on purpose
  refused,
  unreachable,  ///< no route, network down
  connect_timeout,
  tls_certificate,  ///< expired, wrong host, untrusted
  tls,              ///< any other failure of TLS
  timeout,          ///< no head in time, idle or total deadline
  reset,            ///< the connection broke
  protocol,         ///< not HTTP that we read
  head_limit,       ///< response head over network.max_head_size
  truncated,        ///< the body ended before its framing said so
  decode,           ///< unknown coding, corrupt data, or a bomb
  resources,        ///< no descriptor, no memory, or no connection free
  cancelled,        ///< we are stopping
};
std::string_view to_string(Error);

struct Header {
  std::string name;
  std::string value;
};

/// In order of arrival, duplicates kept; names compare without case.
class Headers {
 public:
  void add(std::string name, std::string value) { all_.push_back({std::move(name), std::move(value)}); }
  /// The first value of `name`; empty when absent.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  /// All values of `name`, as one list value (RFC 9110 §5.3) or with another separator.
  std::string joined(std::string_view name, std::string_view separator = ", ") const;
  const std::vector<Header>& all() const { return all_; }

 private:
  std::vector<Header> all_;
};

struct Request {
  base::Url url;
  base::IpAddress address;   ///< from resolve(); the only address that will be connected to
  std::size_t body_max = 0;  ///< decoded octets to keep; what comes after is not read (Outcome::cut)
  std::string if_none_match;
  std::string if_modified_since;
  /// Called right after the request's last octet was written; a second time when a kept connection turned out
  /// to be dead and the request was sent again. The later call is the one that counts. Must not throw.
  std::function<void()> on_sent;
};

/// What the wire did. Failure is an answer, not an exception.
struct Outcome {
  Error error = Error::none;
  std::string detail;  ///< for people: `certificate has expired`; may hold remote text, escape it
  int status = 0;      ///< 0 when no head came
  Headers headers;
  std::string body;     ///< decoded; empty when error is set
  bool cut = false;     ///< the body went on beyond body_max
  bool reused = false;  ///< on a kept connection
  std::uint64_t wire_octets = 0;
  base::IpAddress peer;
};

struct Resolved {
  Error error = Error::none;  ///< none, dns_*, blocked_address, blocked_port, cancelled
  std::string detail;
  base::IpAddress address;  ///< passed the guard
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The address that the next request to `origin` would go to. Cached by TTL; an address where connecting
  /// failed is not given again while there are others.
  virtual base::Async<Resolved> resolve(base::Origin origin) = 0;
  /// One exchange. Takes no longer than network.timeouts.total plus a second.
  virtual base::Async<Outcome> fetch(Request request) = 0;
  /// Ends all exchanges under way, and every one that is begun from now on, with Error::cancelled.
  virtual void cancel() = 0;
};

}  // namespace fetch
