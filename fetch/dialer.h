#pragma once
// From a name to a connection that is ready for a request: DNS, guard, proxy, TCP, TLS.
#include "fetch/budget.h"
#include "fetch/client.h"
#include "fetch/deadline.h"
#include "fetch/demoted.h"
#include "fetch/pool.h"
#include "fetch/proxy.h"
#include "fetch/resolver.h"
#include "fetch/tls.h"

#include <memory>
#include <optional>
#include <string>

namespace fetch {

using Link = std::unique_ptr<Connection>;

/// Bound to one thread; outlives what it opens.
class Dialer {
 public:
  /// Throws as Client's constructor does. `network` and `clock` must outlive it.
  Dialer(base::Executor executor, const base::Clock& clock, const config::Network& network,
         std::shared_ptr<ConnectionBudget> budget, std::uint16_t own_port);

  /// After construction: other threads may ask for a place.
  void join_budget();

  /// The addresses of `origin` that may be connected to, or why there are none.
  base::Async<> look_up(const base::Origin& origin, Resolved& resolved);
  /// A kept connection to `origin` at `address`, or null.
  Link kept(const Request& request) { return pool_->take(request.url.origin_text(), request.address); }
  /// A fresh connection in `link`, ready for a request. After a failure it may be there still, and is of no
  /// use.
  base::Async<Step> open(const Request& request, Deadline& deadline, Link& link, Timing& timing);
  void keep(Link link) { pool_->put(std::move(link)); }

  const Proxy& proxy() const { return proxy_; }
  void cancel() { resolver_->cancel(); }
  void close();

 private:
  struct Admission;

  Resolved choose(const Addresses& addresses) const;
  bool usable(const base::IpAddress& address) const;
  std::optional<base::IpAddress> source_for(const base::IpAddress& address) const;
  Resolved stand_in(const std::string& host) const;

  base::Async<Step> connect(const Request& request, Deadline& deadline, Link& link);
  base::Async<Step> race(std::vector<base::IpAddress> addresses, std::uint16_t port, const Request& request,
                         Deadline& deadline, Link& link);
  base::Async<Step> through_proxy(const Request& request, Deadline& deadline, Link& link);
  void lost(const base::IpAddress& address, Error error);
  Ticket ticket();

  base::Executor executor_;
  const base::Clock& clock_;
  const config::Network& network_;
  const std::shared_ptr<ConnectionBudget> budget_;
  std::uint64_t holder_ = 0;
  Guard guard_;
  Proxy proxy_;
  Tls tls_;
  Demoted demoted_;
  std::shared_ptr<Resolver> resolver_;
  std::shared_ptr<Pool> pool_;
};

}  // namespace fetch
