#pragma once
// c-ares on Asio: one channel, its sockets and its timer on one executor.
#include "config/config.h"
#include "fetch/names.h"
#include "fetch/timer.h"

#include <ares.h>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace fetch {

/// Bound to one thread. While queries are under way their sockets keep the io_context busy; without queries
/// nothing of it does.
class AresChannel : public std::enable_shared_from_this<AresChannel> {
 public:
  /// `status` is one of c-ares; `ttl` is the smallest of the answer, zero for names from /etc/hosts.
  using Answered = std::function<void(int status, Addresses addresses, base::Duration ttl)>;

  /// Names are looked up as they are, without search domains. With `network.nameservers` only those are
  /// asked; without, /etc/hosts and the servers of /etc/resolv.conf, as everything else on the machine does.
  /// Throws std::runtime_error when c-ares cannot start.
  AresChannel(base::Executor executor, const config::Network& network);
  ~AresChannel();
  AresChannel(const AresChannel&) = delete;
  AresChannel& operator=(const AresChannel&) = delete;

  /// A and AAAA, or what network.families leaves of them. `answered` is called once, possibly before this
  /// returns; it must not throw or start a query.
  void ask(const std::string& name, Answered answered);
  /// Ends all queries with ARES_ECANCELLED.
  void cancel();

 private:
  struct Watched;
  struct Question;

  static int on_created(ares_socket_t socket, int type, void* self);
  static void on_socket(void* self, ares_socket_t socket, int readable, int writable);
  static void on_answer(void* question, int status, int timeouts, ares_addrinfo* found);
  void watch(const std::shared_ptr<Watched>& watched, bool write);
  void process(ares_socket_t readable, ares_socket_t writable);
  void arm();

  base::Executor executor_;
  const int family_;  ///< AF_UNSPEC: A and AAAA
  Timer timer_;
  ares_channel channel_ = nullptr;
  std::unordered_map<ares_socket_t, std::shared_ptr<Watched>> sockets_;
  bool short_of_means_ = false;  ///< the last socket that c-ares wanted could not be watched
};

}  // namespace fetch
