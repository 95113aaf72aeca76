#include "fetch/connect.h"

#include <boost/asio/redirect_error.hpp>
#include <sys/socket.h>

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

}  // namespace

base::Async<Step> connect_guarded(Socket& socket, base::IpAddress address, std::uint16_t port,
                                  const Guard& guard) {
  const tcp::endpoint endpoint = endpoint_of(address, port);
  Step step;
  const base::IpAddress judged = address_of(endpoint);
  if (is_bad_port(endpoint.port())) {
    step.error = Error::blocked_port;
    step.detail = "port " + std::to_string(endpoint.port());
    co_return step;
  }
  if (const auto denied = guard.denies(judged)) {
    step.error = Error::blocked_address;
    step.detail = denial_text(judged, *denied);
    co_return step;
  }
  error_code failed = open(socket, endpoint);
  if (!failed) co_await socket.async_connect(endpoint, boost::asio::redirect_error(base::use_async, failed));
  if (failed) {
    step.error = connect_error(failed);
    step.detail = failed.message();
  }
  co_return step;
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
    case EADDRNOTAVAIL:  // no local port left
      return Error::resources;
    default: return Error::reset;
  }
}

}  // namespace fetch
