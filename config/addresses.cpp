#include "config/addresses.h"

#include "config/problems.h"
#include "config/suggest.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace config {
namespace {

constexpr unsigned kPortMax = 65535;

std::optional<unsigned> small_number(std::string_view digits, unsigned most) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number > most) return std::nullopt;
  return number;
}

/// `address/bits` with the bits that a range may not have set to zero.
std::optional<base::Cidr> with_host_bits_cleared(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = base::IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto bits = small_number(text.substr(slash + 1), address->v6 ? 128 : 32);
  if (!bits) return std::nullopt;
  base::Cidr range{*address, static_cast<std::uint8_t>(*bits)};
  for (unsigned bit = *bits; bit < 128; ++bit) {
    auto& octet = range.network.octets[bit / 8];
    octet = static_cast<std::uint8_t>(octet & ~(0x80U >> (bit % 8)));
  }
  return range;
}

}  // namespace

Reading<base::Cidr> read_range(std::string_view text) {
  if (const auto range = base::Cidr::parse(text)) return {*range, ""};
  if (const auto cleared = with_host_bits_cleared(text)) {
    return {{}, fmt::format("{} has bits set after its prefix: write {}", in_quotes(text), cleared->text())};
  }
  return {{}, fmt::format("{} is no address range: write it like 10.0.0.0/8 or fd00::/8", in_quotes(text))};
}

Reading<Nameserver> read_nameserver(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return Reading<Nameserver>{{}, fmt::format("{} {}", in_quotes(text), why)};
  };
  constexpr std::string_view kForm =
      "is no name server: write it like 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53";
  std::string_view address = text;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return refused(kForm);
    address = text.substr(1, bracket - 1);
    port = text.substr(bracket + 1);
    if (!port.empty() && port[0] != ':') return refused(kForm);
  } else if (base::IpAddress::parse(text) && text.find(':') != std::string_view::npos) {
    return refused(fmt::format("is an IPv6 address without brackets: write \"[{}]\"", text));
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    address = text.substr(0, colon);
    port = text.substr(colon);
  }
  const auto parsed = base::IpAddress::parse(address);
  if (!parsed || parsed->v6 != text.starts_with('[')) return refused(kForm);
  Nameserver server{*parsed, 53};
  if (!port.empty()) {
    const auto number = small_number(port.substr(1), kPortMax);
    if (!number || *number == 0) return refused("has no port between 1 and 65535 after the colon");
    server.port = static_cast<std::uint16_t>(*number);
  }
  return {server, ""};
}

std::string nameserver_text(const Nameserver& server) {
  const std::string address = server.address.text();
  return server.address.v6 ? fmt::format("[{}]:{}", address, server.port)
                           : fmt::format("{}:{}", address, server.port);
}

Reading<std::string> read_host(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return Reading<std::string>{{}, fmt::format("{} {}", in_quotes(text), why)};
  };
  if (text == "*" || text == "*.") return refused("is every host: set that under \"politeness\" itself");
  const bool wildcard = text.starts_with("*.");
  const std::string_view name = wildcard ? text.substr(2) : text;
  if (name.find("://") != std::string_view::npos) {
    const auto url = base::Url::parse(name);
    if (url.has_value())
      return refused(fmt::format("is a URL: write the host name only{}", did_you_mean(url->host())));
  }
  constexpr std::string_view kForm = "is no host name: write it like www.example.com or \"*.example.com\"";
  // Everything that would be another part of a URL than the host.
  if (name.empty() || name.find_first_of("/?#@\\* \t") != std::string_view::npos) return refused(kForm);
  const auto url = base::Url::parse(fmt::format("http://{}/", name));
  if (!url.has_value()) return refused(kForm);
  const bool port = name.starts_with('[') ? !name.ends_with(']') : name.find(':') != std::string_view::npos;
  if (port)
    return refused(
        fmt::format("has a port: an override is for all ports of a host{}", did_you_mean(url->host())));
  std::string host(url->host());
  if (!wildcard) return {std::move(host), ""};
  if (host.starts_with('[') || base::IpAddress::parse(host))
    return refused("is an address: it has no subdomains");
  return {"*." + host, ""};
}

Reading<std::string> read_host_pattern(std::string_view text) {
  return text == "*" ? Reading<std::string>{"*", ""} : read_host(text);
}

Reading<base::IpAddress> read_address(std::string_view text) {
  if (const auto address = base::IpAddress::parse(text)) return {*address, ""};
  return {{}, fmt::format("{} is no address: write it like 192.0.2.1 or 2001:db8::1", in_quotes(text))};
}

Reading<Proxy> read_proxy(std::string_view text) {
  const auto refused = [&](std::string_view why) { return Reading<Proxy>{{}, std::string(why)}; };
  // The text itself is not told: it may hold a password.
  constexpr std::string_view kForm =
      "is no proxy: write it like http://proxy.example.com:3128 or socks5://user@[2001:db8::1]:1080";
  if (text.empty()) return {};
  Proxy proxy;
  const std::size_t slashes = text.find("://");
  if (slashes == std::string_view::npos) return refused(kForm);
  const std::string_view scheme = text.substr(0, slashes);
  if (scheme != "http" && scheme != "socks5") {
    return refused("is not of a kind that is understood: http:// and socks5:// are");
  }
  proxy.kind = scheme == "http" ? Proxy::Kind::http : Proxy::Kind::socks5;
  std::string_view rest = text.substr(slashes + 3);
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    proxy.user = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    if (proxy.user.find(':') != std::string::npos) {
      return refused("has a password: put it into a file and name that in network.proxy_password_file");
    }
    constexpr std::size_t kUserMax = 255;  // RFC 1929
    if (proxy.user.empty() || proxy.user.size() > kUserMax) return refused(kForm);
  }
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || rest.ends_with(']')) {
    return refused("has no port: write it behind the host, as in http://proxy.example.com:3128");
  }
  const auto port = small_number(rest.substr(colon + 1), kPortMax);
  if (!port || *port == 0) return refused("has no port between 1 and 65535 at its end");
  const Reading<std::string> host = read_host(rest.substr(0, colon));
  if (!host.wrong.empty() || host.value.starts_with("*.")) return refused(kForm);
  proxy.host = host.value;
  proxy.port = static_cast<std::uint16_t>(*port);
  return {std::move(proxy), ""};
}

std::string proxy_text(const Proxy& proxy) {
  if (proxy.kind == Proxy::Kind::none) return "";
  return fmt::format("{}://{}{}{}:{}", proxy.kind == Proxy::Kind::http ? "http" : "socks5", proxy.user,
                     proxy.user.empty() ? "" : "@", proxy.host, proxy.port);
}

}  // namespace config
