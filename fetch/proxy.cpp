#include "fetch/proxy.h"

#include "base/secret.h"
#include "fetch/head.h"

#include <openssl/evp.h>

#include <array>

namespace fetch {
namespace {

Step failed(Error error, std::string detail) {
  Step step;
  step.error = error;
  step.detail = std::move(detail);
  return step;
}

Step broken(const boost::system::error_code& code) {
  return failed(Error::proxy, "the proxy closed the connection: " + code.message());
}

std::string base64(std::string_view octets) {
  std::string text(4 * ((octets.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(octets.data()), static_cast<int>(octets.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Step judge_status(int status) {
  if (status >= 200 && status < 300) return {};
  if (status == 407) return failed(Error::proxy, "the proxy wants another name or password");
  // Everything else speaks of this server, not of others (RFC 9110 §15.6).
  if (status == 504) return failed(Error::connect_timeout, "the proxy cannot reach it in time");
  return failed(Error::unreachable, "the proxy makes no tunnel to it: " + std::to_string(status));
}

/// RFC 1928 §6.
Step judge_reply(unsigned reply) {
  switch (reply) {
    case 0: return {};
    case 2: return failed(Error::unreachable, "the proxy does not allow it");
    case 1:  // also said of names that it cannot resolve
    case 3:
    case 4: return failed(Error::unreachable, "the proxy cannot reach it");
    case 5: return failed(Error::refused, "refused at the proxy's end");
    case 6: return failed(Error::connect_timeout, "the proxy cannot reach it in time");
    default: return failed(Error::proxy, "the proxy failed with reply " + std::to_string(reply));
  }
}

/// The next `size` octets and no more: what follows belongs to the server.
base::Async<Step> read_exactly(Connection& link, char* into, std::size_t size) {
  Step step;
  while (size > 0) {
    const Moved moved = co_await link.read_some(boost::asio::buffer(into, size));
    if (std::get<0>(moved)) {
      step = broken(std::get<0>(moved));
      co_return step;
    }
    into += std::get<1>(moved);
    size -= std::get<1>(moved);
  }
  co_return step;
}

base::Async<Step> send(Connection& link, std::string octets) {
  Step step;
  const Moved moved = co_await link.write(octets);
  if (std::get<0>(moved)) step = broken(std::get<0>(moved));
  co_return step;
}

/// The address or name with its type before it (RFC 1928 §5).
std::string socks_address(const std::string& host) {
  const bool bracketed = host.starts_with('[');
  const std::string plain = bracketed ? host.substr(1, host.size() - 2) : host;
  std::string octets;
  if (const auto address = base::IpAddress::parse(plain)) {
    octets += address->v6 ? '\x04' : '\x01';
    octets.append(reinterpret_cast<const char*>(address->octets.data()), address->v6 ? 16 : 4);
  } else {
    octets += '\x03';
    octets += static_cast<char>(plain.size());  // a host of a URL has at most 253 octets
    octets += plain;
  }
  return octets;
}

constexpr char kSocks = '\x05';

}  // namespace

Proxy::Proxy(const config::Network& network)
    : proxy_(network.proxy), remote_(network.proxy_names == config::ProxyNames::remote) {
  if (!used() || proxy_.user.empty()) return;
  password_ = base::read_secret(network.proxy_password_file, kPasswordMax);
  authorization_ = "Basic " + base64(proxy_.user + ":" + password_);
}

base::Async<Step> Proxy::open_tunnel(Connection& link, std::string host, std::uint16_t port) const {
  if (proxy_.kind == config::Proxy::Kind::http) return connect_by_http(link, std::move(host), port);
  return connect_by_socks(link, std::move(host), port);
}

base::Async<Step> Proxy::connect_by_http(Connection& link, std::string host, std::uint16_t port) const {
  const std::string authority = host + ":" + std::to_string(port);
  std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!authorization_.empty()) request += "Proxy-Authorization: " + authorization_ + "\r\n";
  request += "\r\n";
  Step step = co_await send(link, std::move(request));
  HeadReader reader(kProxyHeadMax);
  std::array<char, 1024> buffer;  // the answer is short
  while (step.error == Error::none) {
    const Moved moved = co_await link.read_some(boost::asio::buffer(buffer));
    if (std::get<0>(moved)) {
      step = broken(std::get<0>(moved));
      break;
    }
    std::string_view octets(buffer.data(), std::get<1>(moved));
    const HeadReader::State state = reader.feed(octets);
    if (state == HeadReader::State::more) continue;
    if (state == HeadReader::State::failed) {
      step = failed(Error::proxy, "the proxy does not speak HTTP: " + reader.failure().detail);
    } else {
      step = judge_status(reader.head().status);
      if (step.error == Error::none && !octets.empty()) {
        step = failed(Error::proxy, "the proxy sends what nobody asked for");
      }
    }
    break;
  }
  co_return step;
}

/// Name and password (RFC 1929 §2).
std::string Proxy::login() const {
  std::string octets("\x01", 1);
  octets += static_cast<char>(proxy_.user.size());
  octets += proxy_.user;
  octets += static_cast<char>(password_.size());
  octets += password_;
  return octets;
}

base::Async<Step> Proxy::connect_by_socks(Connection& link, std::string host, std::uint16_t port) const {
  const bool named = !proxy_.user.empty();
  std::array<char, 4> answer{};
  std::string greeting("\x05\x01\x00", 3);
  if (named) greeting[2] = '\x02';
  Step step = co_await send(link, std::move(greeting));
  if (step.error == Error::none) step = co_await read_exactly(link, answer.data(), 2);
  if (step.error != Error::none) co_return step;
  if (answer[0] != kSocks) co_return failed(Error::proxy, "the proxy does not speak SOCKS 5");
  if (answer[1] != (named ? '\x02' : '\x00')) {
    co_return failed(Error::proxy,
                     named ? "the proxy takes no password" : "the proxy wants a name and a password");
  }
  if (named) {
    std::string octets = login();
    step = co_await send(link, std::move(octets));
    if (step.error == Error::none) step = co_await read_exactly(link, answer.data(), 2);
    if (step.error != Error::none) co_return step;
    if (answer[1] != 0) co_return failed(Error::proxy, "the proxy wants another name or password");
  }
  std::string request("\x05\x01\x00", 3);
  request += socks_address(host);
  request += static_cast<char>(port >> 8U);
  request += static_cast<char>(port & 0xffU);
  step = co_await send(link, std::move(request));
  if (step.error == Error::none) step = co_await read_exactly(link, answer.data(), answer.size());
  if (step.error != Error::none) co_return step;
  if (answer[0] != kSocks) co_return failed(Error::proxy, "the proxy does not speak SOCKS 5");
  step = judge_reply(static_cast<unsigned char>(answer[1]));
  if (step.error != Error::none) co_return step;
  // The address at the proxy's end, which nobody needs.
  std::array<char, 256 + 2> rest{};
  std::size_t size = answer[3] == '\x01' ? 4U : answer[3] == '\x04' ? 16U : 0U;
  if (answer[3] == '\x03') {
    step = co_await read_exactly(link, rest.data(), 1);
    size = static_cast<unsigned char>(rest[0]);
  } else if (size == 0) {
    step = failed(Error::proxy, "the proxy does not speak SOCKS 5");
  }
  if (step.error == Error::none) step = co_await read_exactly(link, rest.data(), size + 2);
  co_return step;
}

}  // namespace fetch
