#pragma once
// What the exchanges of one thread share, and the story of one of them.
#include "fetch/buffers.h"
#include "fetch/client.h"
#include "fetch/deadline.h"
#include "fetch/dialer.h"
#include "fetch/memory.h"
#include "fetch/response.h"

#include <list>
#include <memory>
#include <string>

namespace fetch {

/// The inside of a Client. Exchanges under way hold it alive. Bound to one thread.
class Core : public std::enable_shared_from_this<Core> {
 public:
  Core(base::Executor executor, config::Network network, Identity identity, Means means);

  static base::Async<Resolved> resolve(std::shared_ptr<Core> self, base::Origin origin);
  static base::Async<Outcome> fetch(std::shared_ptr<Core> self, Request request);
  void hurry(std::size_t most);
  void cancel();
  void close();
  /// After construction: other threads may ask for a place.
  void join_budget() { dialer_.join_budget(); }

 private:
  base::Async<> run(const Request& request, Outcome& outcome);
  base::Async<bool> converse(const Request& request, Deadline& deadline, Connection& link, Response& response,
                             BodyAccount& account, Outcome& outcome, Step& failure);
  bool take_in(std::string_view octets, Deadline& deadline, Response& response, BodyAccount& account,
               Step& failure);
  void keep_wire(const Request& request, Response& response, Wire& wire) const;
  void conclude(Link link, Response& response, Step failure, Outcome& outcome);

  base::Executor executor_;
  const config::Network network_;
  const Identity identity_;
  const std::shared_ptr<BodyBudget> bodies_;
  base::SystemClock clock_;
  Dialer dialer_;
  std::shared_ptr<Buffers> buffers_;
  std::shared_ptr<SiteOctets> sites_;  ///< octets of bodies under way
  std::list<Deadline*> under_way_;     ///< those that began first in front
  bool closed_ = false;
  bool cancelled_ = false;
};

}  // namespace fetch
