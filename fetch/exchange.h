#pragma once
// What the exchanges of one thread share, and the story of one of them.
#include "fetch/budget.h"
#include "fetch/buffers.h"
#include "fetch/client.h"
#include "fetch/deadline.h"
#include "fetch/demoted.h"
#include "fetch/pool.h"
#include "fetch/resolver.h"
#include "fetch/response.h"
#include "fetch/tls.h"

#include <memory>
#include <string>
#include <unordered_set>

namespace fetch {

/// The inside of a Client. Exchanges under way hold it alive. Bound to one thread.
class Core : public std::enable_shared_from_this<Core> {
 public:
  Core(base::Executor executor, config::Network network, std::string user_agent,
       std::shared_ptr<ConnectionBudget> budget);

  static base::Async<Resolved> resolve(std::shared_ptr<Core> self, base::Origin origin);
  static base::Async<Outcome> fetch(std::shared_ptr<Core> self, Request request);
  void cancel();
  void close();
  /// After construction: other threads may ask for a place.
  void join_budget();

 private:
  using Link = std::unique_ptr<Connection>;

  base::Async<> look_up(const base::Origin& origin, Resolved& resolved);
  Resolved choose(const Addresses& addresses) const;

  base::Async<> run(const Request& request, Outcome& outcome);
  base::Async<Step> open(const Request& request, Deadline& deadline, Link& link);
  base::Async<> converse(const Request& request, Deadline& deadline, Connection& link, Response& response,
                         Step& failure);
  void conclude(Link link, Response& response, Step failure, Outcome& outcome);
  Ticket ticket();

  base::Executor executor_;
  const config::Network network_;
  const std::string user_agent_;
  const std::shared_ptr<ConnectionBudget> budget_;
  std::uint64_t holder_ = 0;
  base::SystemClock clock_;
  Guard guard_;
  Tls tls_;
  Demoted demoted_;
  std::shared_ptr<Buffers> buffers_;
  std::shared_ptr<Resolver> resolver_;
  std::shared_ptr<Pool> pool_;
  std::unordered_set<Deadline*> under_way_;
  bool closed_ = false;
  bool cancelled_ = false;
};

}  // namespace fetch
