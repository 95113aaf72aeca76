#pragma once
// One connection to one origin at one address, plain or TLS.
#include "fetch/budget.h"
#include "fetch/connect.h"
#include "fetch/tls.h"

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

namespace fetch {

/// Error and number of octets, as Asio's completion has them.
using Moved = std::tuple<boost::system::error_code, std::size_t>;

/// Not movable: OpenSSL and Asio hold its address. Bound to one thread.
class Connection {
 public:
  Connection(base::Executor executor, std::string origin, base::IpAddress address, Ticket ticket)
      : origin_(std::move(origin)), address_(address), ticket_(std::move(ticket)), socket_(executor) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& origin() const { return origin_; }
  const base::IpAddress& address() const { return address_; }
  Socket& socket() { return socket_; }

  /// Lays TLS over the connected socket; handshakes next.
  TlsStream& secure(Tls& tls, std::string_view host, bool verified);
  /// What is wrong with a certificate that need not be valid; empty when nothing is.
  std::string wrong_with_certificate() const;

  /// One operation at a time; close() ends it. The buffers must live until then.
  base::Async<Moved> read_some(boost::asio::mutable_buffer into);
  base::Async<Moved> write(std::string_view octets);

  void close();

  /// Nothing has come since the last answer: neither its end nor octets that nobody asked for.
  bool quiet();

 private:
  const std::string origin_;
  const base::IpAddress address_;
  Ticket ticket_;  // before the socket: given back after the descriptor was closed
  Socket socket_;
  std::unique_ptr<TlsStream> tls_;
};

}  // namespace fetch
