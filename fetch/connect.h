#pragma once
// The one door to the network: the only place in crawld that connects a socket.
#include "base/address.h"
#include "base/async.h"
#include "fetch/guard.h"
#include "fetch/step.h"

#include <boost/asio/ip/tcp.hpp>

namespace fetch {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, base::Executor>;

/// Opens `socket` (close-on-exec, non-blocking, no delay) and connects it to `address`. The guard judges the
/// very socket address that goes to the kernel: error is blocked_address or blocked_port, and nothing was
/// sent. Has no deadline of its own: whoever waits closes the socket. All three references must live until
/// the call returns.
base::Async<Step> connect_guarded(Socket& socket, base::IpAddress address, std::uint16_t port,
                                  const Guard& guard);

/// The word for a connect that failed.
Error connect_error(const boost::system::error_code& code);

}  // namespace fetch
