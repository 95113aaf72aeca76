#include "fetch/dialer.h"

#include "fetch/race.h"

#include <boost/asio/post.hpp>

#include <stdexcept>

namespace fetch {
namespace {

/// Octets of a name of DNS as text, a final dot included (RFC 1035 §2.3.4).
constexpr std::size_t kNameMax = 254;

bool says_unreachable(Error error) {
  return error == Error::refused || error == Error::unreachable || error == Error::connect_timeout;
}

std::string without_brackets(std::string_view host) {
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

}  // namespace

Dialer::Dialer(base::Executor executor, const base::Clock& clock, const config::Network& network,
               std::shared_ptr<ConnectionBudget> budget, std::uint16_t own_port)
    : executor_(executor),
      clock_(clock),
      network_(network),
      budget_(std::move(budget)),
      guard_(network.allow_addresses, own_port),
      proxy_(network),
      tls_(network.ca_file),
      resolver_(std::make_shared<Resolver>(executor, clock, network)),
      pool_(std::make_shared<Pool>(executor, clock)) {
  for (const base::IpAddress& source : network.source_addresses) {
    if (is_own_address(source)) continue;
    throw std::runtime_error("network.source_addresses: " + source.text() + " is no address of this machine");
  }
}

void Dialer::join_budget() {
  const std::weak_ptr<Pool> pool = pool_;
  holder_ = budget_->add_holder([executor = executor_, pool] {
    boost::asio::post(executor, [pool] {
      if (const auto kept = pool.lock()) kept->close_oldest();
    });
  });
}

void Dialer::close() {
  budget_->remove_holder(holder_);
  pool_->close();
  resolver_->cancel();
}

base::Async<> Dialer::look_up(const base::Origin& origin, Resolved& resolved) {
  if (is_bad_port(origin.port())) {
    resolved.error = Error::blocked_port;
    resolved.detail = "port " + std::to_string(origin.port());
    co_return;
  }
  std::string host = without_brackets(origin.host());
  Addresses addresses;
  if (const auto literal = base::IpAddress::parse(host)) {
    addresses.list.push_back(*literal);
  } else if (host.size() > kNameMax) {
    resolved.error = Error::dns_failure;
    resolved.detail = "the name is too long";
    co_return;
  } else if (proxy_.takes_names() && !is_localhost(host)) {
    resolved = stand_in(host);
    co_return;
  } else {
    addresses = co_await resolver_->lookup(std::move(host));
  }
  resolved = choose(addresses);
}

/// What stands for a host whose addresses only the proxy knows, so that hosts never wait for each other as
/// those on one address do: somewhere in fd00::/8, where nothing is connected to.
Resolved Dialer::stand_in(const std::string& host) const {
  const base::Hash128 hash = base::keyed_hash(host, 0);
  Resolved resolved;
  resolved.address.v6 = true;
  for (std::size_t i = 0; i < 8; ++i) {
    resolved.address.octets[i] = static_cast<std::uint8_t>(hash.high >> (8 * i));
    resolved.address.octets[8 + i] = static_cast<std::uint8_t>(hash.low >> (8 * i));
  }
  resolved.address.octets[0] = 0xfd;
  return resolved;
}

Resolved Dialer::choose(const Addresses& addresses) const {
  Resolved resolved;
  resolved.error = addresses.failure.error;
  resolved.detail = addresses.failure.detail;
  if (resolved.error != Error::none) return resolved;
  std::vector<base::IpAddress> allowed;
  bool unusable = false;
  for (const base::IpAddress& address : addresses.list) {
    const auto denied = guard_.denies(address);
    if (denied) {
      if (resolved.detail.empty()) resolved.detail = denial_text(address, *denied);
    } else if (usable(address)) {
      allowed.push_back(address);
    } else {
      unusable = true;
    }
  }
  if (!allowed.empty()) {
    resolved.others = in_turns(demoted_.sorted(std::move(allowed), clock_.now().steady));
    resolved.address = resolved.others.front();
    resolved.others.erase(resolved.others.begin());
    resolved.detail.clear();
  } else if (unusable) {
    resolved.error = Error::unreachable;
    resolved.detail = "it has only addresses of an IP version that is not used here";
  } else {
    resolved.error = Error::blocked_address;
  }
  return resolved;
}

bool Dialer::usable(const base::IpAddress& address) const {
  if (proxy_.used()) return true;  // that is up to the proxy
  const config::Families other = address.v6 ? config::Families::ipv4 : config::Families::ipv6;
  return network_.families != other && (network_.source_addresses.empty() || source_for(address));
}

std::optional<base::IpAddress> Dialer::source_for(const base::IpAddress& address) const {
  for (const base::IpAddress& source : network_.source_addresses) {
    if (source.v6 == address.v6) return source;
  }
  return std::nullopt;
}

base::Async<Step> Dialer::open(const Request& request, Deadline& deadline, Link& link, Timing& timing) {
  const base::TimePoint begun = clock_.now().steady;
  Step step = co_await connect(request, deadline, link);
  const base::TimePoint connected = clock_.now().steady;
  timing.connect = connected - begun;
  if (!deadline && step.error == Error::none) step = deadline.stopped();
  if (step.error != Error::none || !request.url.secure()) co_return step;
  deadline.enter(network_.timeouts.tls, Error::tls, "no TLS handshake in time");
  const std::string_view host = request.url.host();
  TlsStream& stream = link->secure(tls_, host, network_.verifies(host));
  step = co_await tls_.handshake(stream, link->origin());
  timing.tls = clock_.now().steady - connected;
  if (!deadline) step = deadline.stopped();
  co_return step;
}

base::Async<Step> Dialer::connect(const Request& request, Deadline& deadline, Link& link) {
  if (proxy_.used()) return through_proxy(request, deadline, link);
  std::vector<base::IpAddress> addresses{request.address};
  addresses.insert(addresses.end(), request.others.begin(), request.others.end());
  return race(std::move(addresses), request.url.port(), request, deadline, link);
}

/// Which address the caller has admitted last; none when it has refused since.
struct Dialer::Admission {
  std::function<bool(const base::IpAddress&)> ask;
  std::optional<base::IpAddress> address;

  bool covers(const base::IpAddress& wanted) {
    if (address == wanted) return true;
    address.reset();
    if (!ask || ask(wanted)) address = wanted;
    return address.has_value();
  }
};

base::Async<Step> Dialer::race(std::vector<base::IpAddress> addresses, std::uint16_t port,
                               const Request& request, Deadline& deadline, Link& link) {
  const bool proxied = proxy_.used();
  const auto admission = std::make_shared<Admission>(Admission{request.may_use, request.address});
  Race::Parts parts;
  // Second attempts are a luxury: not while more than half of the places are taken.
  parts.may_try = [this, admission, proxied, first = addresses.front()](const base::IpAddress& address) {
    if (address != first && budget_->crowded()) return false;
    return proxied || admission->covers(address);
  };
  // A connection through a proxy is one to the address that it leads to.
  parts.make = [this, proxied, target = request.address,
                origin = std::string(request.url.origin_text())](const base::IpAddress& address) -> Link {
    Ticket place = ticket();
    if (!place) return nullptr;
    return std::make_unique<Connection>(executor_, origin, proxied ? target : address, std::move(place));
  };
  parts.start = [this, port, proxied](Connection& connection, const base::IpAddress& address,
                                      std::function<void(Step)> done) {
    const Endpoint to{address, port, source_for(address)};
    return start_connect(connection.socket(), to, proxied ? Guard::only(address) : guard_, std::move(done));
  };
  parts.lost = [this](const base::IpAddress& address, Error error) { lost(address, error); };
  const auto running = std::make_shared<Race>(executor_, std::move(parts));
  deadline.watch([running] { running->close(); });
  deadline.enter(network_.timeouts.connect, Error::connect_timeout, "no connection in time");
  Step failure;
  link = co_await running->run(std::move(addresses), failure);
  deadline.watch({});
  if (!link) co_return failure;
  deadline.watch([connection = link.get()] { connection->close(); });
  if (!proxied) {
    demoted_.forget(link->address());
    // The first answered after all, when another one had been admitted in its stead.
    if (!admission->covers(link->address())) failure.error = Error::not_now;
  }
  co_return failure;
}

void Dialer::lost(const base::IpAddress& address, Error error) {
  if (says_unreachable(error)) demoted_.add(address, clock_.now().steady);
}

base::Async<Step> Dialer::through_proxy(const Request& request, Deadline& deadline, Link& link) {
  Step step;
  Addresses proxies;
  std::string host = without_brackets(proxy_.host());
  if (const auto literal = base::IpAddress::parse(host)) {
    proxies.list.push_back(*literal);
  } else {
    proxies = co_await resolver_->lookup(std::move(host));
    step = proxies.failure;
  }
  if (step.error == Error::none) {
    std::vector<base::IpAddress> addresses = in_turns(demoted_.sorted(proxies.list, clock_.now().steady));
    step = co_await race(std::move(addresses), proxy_.port(), request, deadline, link);
  }
  if (!deadline) step = deadline.stopped();
  if (step.error != Error::none) {
    const bool ours =
        step.error == Error::resources || step.error == Error::cancelled || step.error == Error::slow;
    if (!ours) step.error = Error::proxy;
    step.detail = "network.proxy: " + step.detail;
    co_return step;
  }
  if (proxy_.takes_whole_urls() && !request.url.secure()) co_return step;
  deadline.enter(network_.timeouts.connect, Error::connect_timeout, "the proxy made no connection in time");
  std::string target(request.url.host());
  if (!proxy_.takes_names()) {
    target = request.address.v6 ? '[' + request.address.text() + ']' : request.address.text();
  }
  step = co_await proxy_.open_tunnel(*link, std::move(target), request.url.port());
  if (!deadline) step = deadline.stopped();
  co_return step;
}

Ticket Dialer::ticket() {
  if (budget_->try_take()) return Ticket(budget_);
  if (pool_->close_oldest() && budget_->try_take()) return Ticket(budget_);
  budget_->ask_others(holder_);
  return {};
}

}  // namespace fetch
