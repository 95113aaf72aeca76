#pragma once
// The Fetcher of life: c-ares, Asio sockets, OpenSSL, Beast's parser. One for each thread.
#include "config/config.h"
#include "fetch/fetcher.h"

#include <memory>

namespace fetch {

class ConnectionBudget;
class BodyBudget;

/// What all threads share: network.max_connections and network.max_body_memory. Thread-safe.
struct Means {
  std::shared_ptr<ConnectionBudget> connections;
  std::shared_ptr<BodyBudget> bodies;
  /// Of the loopback, where this process itself listens: never connected to. 0: nowhere.
  std::uint16_t own_port = 0;
};
Means make_means(const config::Network& network);

/// Who we are, in every request.
struct Identity {
  std::string user_agent;
  std::string from;  ///< a mail address (RFC 9110 §10.1.2); empty: no From
};

class Client final : public Fetcher {
 public:
  /// Throws std::runtime_error when the trust store or the proxy's password cannot be read, c-ares cannot
  /// start, or `identity` holds what is no header value. Keeps a copy of `config`. May be destroyed while
  /// exchanges are under way: they end as cancelled.
  Client(base::Executor executor, const config::Network& config, Identity identity, Means means);
  ~Client() override;

  base::Async<Resolved> resolve(base::Origin origin) override;
  base::Async<Outcome> fetch(Request request) override;
  void hurry(std::size_t most) override;
  void cancel() override;
  /// Closes idle connections, ends DNS questions and stops re-arming timers, so that the io_context can run
  /// out of work. Exchanges under way go on; new ones end with Error::cancelled.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fetch
