#include "fetch/connect.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fetch {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

tcp::endpoint endpoint_of(const base::IpAddress& address, std::uint16_t port) {
  if (address.v6) return {boost::asio::ip::address_v6(address.octets), port};
  boost::asio::ip::address_v4::bytes_type octets{};
  std::copy_n(address.octets.begin(), octets.size(), octets.begin());
  return {boost::asio::ip::address_v4(octets), port};
}

/// Back from the socket address, so that what is judged is what is connected to.
base::IpAddress address_of(const tcp::endpoint& endpoint) {
  base::IpAddress address;
  if (endpoint.address().is_v6()) {
    address.v6 = true;
    address.octets = endpoint.address().to_v6().to_bytes();
  } else {
    const auto octets = endpoint.address().to_v4().to_bytes();
    std::copy(octets.begin(), octets.end(), address.octets.begin());
  }
  return address;
}

/// The address that the connection comes from; the port is left to connect(), which may then use one for
/// several destinations.
error_code bind_source(Socket& socket, const base::IpAddress& source) {
  const int on = 1;
  const int descriptor = socket.native_handle();
  if (::setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) != 0) {
    return {errno, boost::system::system_category()};
  }
  error_code failed;
  socket.bind(endpoint_of(source, 0), failed);
  return failed;
}

/// Asio's own open() leaves close-on-exec to the caller; asking the kernel for it at once leaves no gap.
error_code open(Socket& socket, const tcp::endpoint& endpoint) {
  const int family = endpoint.protocol().family();
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
  if (descriptor < 0) return {errno, boost::system::system_category()};
  error_code failed;
  socket.assign(endpoint.protocol(), descriptor, failed);
  if (failed) {
    ::close(descriptor);
    return failed;
  }
  socket.non_blocking(true, failed);
  if (!failed) socket.set_option(tcp::no_delay(true), failed);
  return failed;
}

Step failure_of(const error_code& code) {
  Step step;
  step.error = connect_error(code);
  step.detail = code.message();
  return step;
}

}  // namespace

Step start_connect(Socket& socket, const Endpoint& to, const Guard& guard, std::function<void(Step)> done) {
  const tcp::endpoint endpoint = endpoint_of(to.address, to.port);
  Step denied = guard.judge(address_of(endpoint), endpoint.port());
  if (denied.error != Error::none) return denied;
  error_code failed = open(socket, endpoint);
  if (!failed && to.source) failed = bind_source(socket, *to.source);
  if (failed) return failure_of(failed);
  socket.async_connect(
      endpoint, [done = std::move(done)](const error_code& code) { done(code ? failure_of(code) : Step{}); });
  return {};
}

bool is_own_address(const base::IpAddress& source) {
  const tcp::endpoint endpoint = endpoint_of(source, 0);
  const int descriptor = ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) return false;
  const bool own = ::bind(descriptor, endpoint.data(), static_cast<socklen_t>(endpoint.size())) == 0;
  ::close(descriptor);
  return own;
}

Error connect_error(const error_code& code) {
  switch (code.value()) {
    case ECONNREFUSED: return Error::refused;
    case ETIMEDOUT: return Error::connect_timeout;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
    case EAFNOSUPPORT:
    case EACCES:
    case EPERM: return Error::unreachable;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
    case ENOSPC:         // the limit of epoll watches
    case EINVAL:         // no way there from the address that we come from
    case EADDRNOTAVAIL:  // no local port left
      return Error::resources;
    default: return Error::reset;
  }
}

}  // namespace fetch
