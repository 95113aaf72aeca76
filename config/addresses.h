#pragma once
// Address ranges, addresses, name servers, proxies and host names as a configuration writes them.
#include "config/values.h"

#include <string>
#include <string_view>

namespace config {

/// An IP address or range, see base::Cidr::parse().
Reading<base::Cidr> read_range(std::string_view text);

/// `192.0.2.1`, `192.0.2.1:53`, `[2001:db8::1]`, `[2001:db8::1]:53`. IPv6 needs its brackets: without them
/// `2001:db8::1:53` would read as an address.
Reading<Nameserver> read_nameserver(std::string_view text);
/// What read_nameserver() reads back.
std::string nameserver_text(const Nameserver& server);

/// An IP address without port or brackets.
Reading<base::IpAddress> read_address(std::string_view text);

/// Empty, `http://HOST:PORT` or `socks5://HOST:PORT`, with `USER@` before the host where the proxy wants a
/// name. A password is refused: it has a file of its own.
Reading<Proxy> read_proxy(std::string_view text);
/// What read_proxy() reads back.
std::string proxy_text(const Proxy& proxy);

/// `*`, or what read_host() takes.
Reading<std::string> read_host_pattern(std::string_view text);

/// A key of politeness.hosts in the form that Url::host() has, with `*.` in front where it was written.
Reading<std::string> read_host(std::string_view text);

}  // namespace config
