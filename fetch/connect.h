#pragma once
// The one door to the network: the only place in crawld that connects a socket.
#include "base/address.h"
#include "base/async.h"
#include "fetch/guard.h"
#include "fetch/step.h"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <optional>

namespace fetch {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, base::Executor>;

/// Where a connection goes, and which of our addresses it comes from (the system's choice when there is
/// none).
struct Endpoint {
  base::IpAddress address;
  std::uint16_t port = 0;
  std::optional<base::IpAddress> source;
};

/// Opens `socket` (close-on-exec, non-blocking, no delay) and begins to connect it. The guard judges the very
/// socket address that goes to the kernel: error is blocked_address or blocked_port, and nothing was sent.
/// With an error `done` is never called; without one it is called once, later, unless it throws first. Has no
/// deadline of its own: whoever waits closes the socket, which must live until `done` is called or dropped.
Step start_connect(Socket& socket, const Endpoint& to, const Guard& guard, std::function<void(Step)> done);

/// Connections may come from `source`: it is an address of this machine.
bool is_own_address(const base::IpAddress& source);

/// The word for a connect that failed.
Error connect_error(const boost::system::error_code& code);

}  // namespace fetch
