#pragma once
// One HTTP exchange, seen from outside. A Fetcher never retries, never follows a redirect, never logs, and
// decides nothing about manners: whoever calls it holds a lease.
#include "base/address.h"
#include "base/async.h"
#include "base/time.h"
#include "base/url.h"

#include <functional>
#include <memory>
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
  slow,             ///< the body came slower than network.min_rate
  reset,            ///< the connection broke
  stale,            ///< a kept connection broke before an answer began: its server had given it up
  protocol,         ///< not HTTP that we read
  head_limit,       ///< response head over network.max_head_size
  truncated,        ///< the body ended before its framing said so
  decode,           ///< unknown coding or corrupt data
  bomb,             ///< coded data that unfolds too far
  proxy,            ///< network.proxy did not do what it is for
  resources,        ///< no descriptor, no memory, or no connection free
  not_now,          ///< Request::may_use refused; nothing was sent
  cancelled,        ///< we are stopping
};
inline constexpr std::size_t kErrors = static_cast<std::size_t>(Error::cancelled) + 1;
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
  base::IpAddress address;  ///< from resolve()
  /// Also from resolve(): tried when `address` does not answer at once. No others are connected to.
  std::vector<base::IpAddress> others;
  std::size_t body_max = 0;  ///< decoded octets to keep; what comes after is not read (Outcome::cut)
  std::string if_none_match;
  std::string if_modified_since;
  bool keep_wire = false;  ///< Outcome::wire is wanted
  /// Called once, right after the request's last octet was written. Must not throw.
  std::function<void()> on_sent;
  /// Before one of `others` is connected to, and before the request goes to another address than the one that
  /// it said yes to last (`address`, at first): may it go there now? No takes back the last yes. When nothing
  /// is left to try but what it refused, nothing is sent and the outcome is Error::not_now. Empty: it may.
  std::function<bool(const base::IpAddress&)> may_use;
};

/// An exchange as it went over the wire, for an archive.
struct Wire {
  std::string request;  ///< its octets; what was for a proxy alone is left out
  std::string head;     ///< of the final response, as received, with its blank line
  /// The body without its transfer coding, when it has a content coding; else Outcome::body is all of it.
  std::string coded;
  bool has_coding = false;
  bool chunked = false;  ///< the transfer coding that has been taken off
};

/// How long the parts of an exchange took; zero where there was none, as on a kept connection.
struct Timing {
  base::Duration connect{};      ///< TCP, and a proxy's tunnel
  base::Duration tls{};          ///< the handshake
  base::Duration first_octet{};  ///< from the request's last octet to the answer's first
  base::Duration body{};         ///< from there to its end
};

/// What the wire did. Failure is an answer, not an exception.
struct Outcome {
  Error error = Error::none;
  std::string detail;  ///< for people: `certificate has expired`; may hold remote text, escape it
  int status = 0;      ///< 0 when no head came
  Headers headers;
  std::string body;     ///< decoded; with an error only what came before `truncated`
  bool cut = false;     ///< the body went on beyond body_max
  bool reused = false;  ///< on a kept connection
  std::uint64_t wire_octets = 0;
  base::IpAddress peer;
  Timing timing{};
  Wire wire;                           ///< with Request::keep_wire, when `status` is not 0
  std::string certificate;             ///< what is wrong with it, of a host in network.unverified_hosts
  std::shared_ptr<const void> memory;  ///< gives back what the body takes of network.max_body_memory
};

struct Resolved {
  Error error =
      Error::none;  ///< none, dns_*, blocked_*, unreachable (no usable IP version), resources, cancelled
  std::string detail;
  base::IpAddress address;              ///< passed the guard
  std::vector<base::IpAddress> others;  ///< the same; for Request::others
};

/// How long an exchange may take although others wait for its place.
inline constexpr base::Duration kPatience = std::chrono::seconds(5);

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The address that the next request to `origin` would go to. Cached by TTL; an address where connecting
  /// failed is not given again while there are others. Behind a proxy that takes names it stands for the host
  /// alone, and nothing connects to it.
  virtual base::Async<Resolved> resolve(base::Origin origin) = 0;
  /// One exchange. Takes no longer than network.timeouts.total plus a second.
  virtual base::Async<Outcome> fetch(Request request) = 0;
  /// Ends exchanges that have gone on for longer than kPatience with Error::slow, those first that began
  /// first, until no more than `most` are under way: for when others find no room.
  virtual void hurry(std::size_t most) = 0;
  /// Ends all exchanges under way, and every one that is begun from now on, with Error::cancelled.
  virtual void cancel() = 0;
};

}  // namespace fetch
