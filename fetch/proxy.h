#pragma once
// The way through network.proxy: an HTTP proxy's CONNECT (RFC 9110 §9.3.6) or SOCKS version 5 (RFC 1928, with
// the names and passwords of RFC 1929).
#include "config/config.h"
#include "fetch/connection.h"
#include "fetch/step.h"

#include <string>
#include <string_view>

namespace fetch {

/// Octets of a proxy's answer to CONNECT.
inline constexpr std::size_t kProxyHeadMax = 16 * 1024;
/// Octets of a password file's first line; RFC 1929 has no room for more.
inline constexpr std::size_t kPasswordMax = 255;

/// Bound to one thread. Immutable.
class Proxy {
 public:
  /// Throws std::runtime_error when the password cannot be read.
  explicit Proxy(const config::Network& network);

  bool used() const { return proxy_.kind != config::Proxy::Kind::none; }
  /// Names go to the proxy as they are: no address of a server is known.
  bool takes_names() const { return used() && remote_; }
  /// Requests for `http` URLs are not tunnelled: their target is the whole URL (RFC 9112 §3.2.2).
  bool takes_whole_urls() const { return takes_names() && proxy_.kind == config::Proxy::Kind::http; }
  const std::string& host() const { return proxy_.host; }
  std::uint16_t port() const { return proxy_.port; }
  /// Value of Proxy-Authorization; empty when there is no name.
  const std::string& authorization() const { return authorization_; }

  /// Asks for a tunnel on a connection to the proxy. `host` is as in a URL, an address or a name.
  /// Error::proxy says that the proxy does not serve us; refused, unreachable and connect_timeout are its
  /// words on the server. Octets after the answer are an error: nobody has asked for them.
  base::Async<Step> open_tunnel(Connection& link, std::string host, std::uint16_t port) const;

 private:
  base::Async<Step> connect_by_http(Connection& link, std::string host, std::uint16_t port) const;
  base::Async<Step> connect_by_socks(Connection& link, std::string host, std::uint16_t port) const;
  std::string login() const;

  const config::Proxy proxy_;
  const bool remote_;
  std::string password_;
  std::string authorization_;
};

}  // namespace fetch
