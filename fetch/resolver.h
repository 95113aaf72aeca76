#pragma once
// Names to addresses, with memory: one question at a time for each name, however many wait for it.
#include "base/clock.h"
#include "fetch/ares_channel.h"
#include "fetch/names.h"

#include <memory>
#include <string>
#include <vector>

namespace fetch {

/// `localhost` and names below it, which are loopback without asking (RFC 6761 §6.3).
bool is_localhost(std::string_view name);

/// Bound to one thread. Pending questions hold it alive, so it is shared.
class Resolver : public std::enable_shared_from_this<Resolver> {
 public:
  /// Throws std::runtime_error when c-ares cannot start.
  Resolver(base::Executor executor, const base::Clock& clock, const config::Network& network);

  /// The addresses of `name` (a host name, not an address). Waits no longer than network.timeouts.dns; a
  /// question that is not answered by then goes on, and its answer is remembered.
  base::Async<Addresses> lookup(std::string name);

  /// Everybody who waits gets Error::cancelled, and all questions end.
  void cancel();

 private:
  struct Waiter {
    explicit Waiter(base::Executor executor) : timer(executor) {}
    Timer timer;  // ends the wait: at the deadline, or earlier when it is cancelled
    bool answered = false;
    Addresses addresses;
  };
  using Flight = std::vector<std::shared_ptr<Waiter>>;

  void join(const std::string& name, const std::shared_ptr<Waiter>& waiter);
  void answered(const std::string& name, int status, Addresses addresses, base::Duration ttl);

  base::Executor executor_;
  const base::Clock& clock_;
  const base::Duration deadline_;
  Names names_;
  base::StringMap<Flight> flights_;
  std::shared_ptr<AresChannel> channel_;
};

}  // namespace fetch
