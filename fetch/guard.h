#pragma once
// Which addresses and ports a crawler must not talk to, whatever a name, a link or a redirect says. Pure.
#include "base/address.h"
#include "fetch/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fetch {

/// What an address is for (IANA special-purpose registries, RFC 6890). Only `global` is the open Internet.
enum class AddressClass {
  global,
  unspecified,  ///< 0.0.0.0/8 "this network", ::
  loopback,
  private_use,  ///< RFC 1918, fc00::/7, and the old fec0::/10
  link_local,
  metadata,  ///< where clouds hand out credentials
  cgnat,     ///< 100.64.0.0/10
  multicast,
  broadcast,
  reserved,
  documentation,
  benchmark,
  v6_embedded,  ///< carries an IPv4 address: compatible, NAT64, 6to4, Teredo
};
std::string_view to_string(AddressClass);

/// A mapped address (::ffff:0:0/96) is what its IPv4 address is. Other IPv6 addresses that carry an IPv4
/// address are v6_embedded, also when the inner one is global.
AddressClass classify(const base::IpAddress& address);

/// A port on which no web server listens on purpose, but where an HTTP request could do harm: the "bad ports"
/// of the Fetch Standard and a few databases and remote shells. Kept in order by a test.
bool is_bad_port(std::uint16_t port);

/// The decision about one address. Immutable; resolve() and the connect routine ask the same object.
class Guard {
 public:
  /// `allowed` lets denied ranges through (network.allow_addresses). An entry speaks for the address as it is
  /// written: an embedded IPv4 address needs its own permission too. Metadata addresses need an entry of
  /// exactly that one address.
  /// `own_port`: of ours on the loopback, where nobody is led to whatever is allowed; 0: there is none.
  explicit Guard(std::vector<base::Cidr> allowed, std::uint16_t own_port = 0)
      : allowed_(std::move(allowed)), own_port_(own_port) {}
  /// Lets this one address through, on any port: the operator's own proxy.
  static Guard only(const base::IpAddress& address);

  /// Error::none when a connection to `address` and `port` may be opened; else blocked_port or
  /// blocked_address, and what is wrong with it.
  Step judge(const base::IpAddress& address, std::uint16_t port) const;

  /// Nothing when `address` may be connected to, else what it is.
  std::optional<AddressClass> denies(const base::IpAddress& address) const;

 private:
  bool allows(const base::IpAddress& address, bool exactly) const;
  std::vector<base::Cidr> allowed_;
  std::uint16_t own_port_ = 0;
  bool any_port_ = false;
};

/// For Outcome::detail: `127.0.0.1 is loopback`.
std::string denial_text(const base::IpAddress& address, AddressClass what);
/// What a denial_text() says; nothing when `text` is none.
std::optional<AddressClass> denied_class(std::string_view text);

}  // namespace fetch
