#pragma once
// The Fetcher of life: c-ares, Asio sockets, OpenSSL, Beast's parser. One for each thread.
#include "config/config.h"
#include "fetch/fetcher.h"

#include <memory>

namespace fetch {

/// Connections counted over all threads (network.max_connections). Thread-safe.
class ConnectionBudget;
std::shared_ptr<ConnectionBudget> make_connection_budget(std::uint32_t max);

class Client final : public Fetcher {
 public:
  /// Throws std::runtime_error when the trust store cannot be read, c-ares cannot start, or `user_agent` is
  /// not a header value. Keeps a copy of `config`. May be destroyed while exchanges are under way: they end
  /// as cancelled.
  Client(base::Executor executor, const config::Network& config, std::string user_agent,
         std::shared_ptr<ConnectionBudget> budget);
  ~Client() override;

  base::Async<Resolved> resolve(base::Origin origin) override;
  base::Async<Outcome> fetch(Request request) override;
  void cancel() override;
  /// Closes idle connections, ends DNS questions and stops re-arming timers, so that the io_context can run
  /// out of work. Exchanges under way go on; new ones end with Error::cancelled.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fetch
