#include "fetch/exchange.h"

#include "fetch/request.h"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>

#include <new>
#include <stdexcept>

namespace fetch {
namespace {

using boost::system::error_code;

/// An exchange that cancel() can find, for as long as it lives.
class UnderWay {
 public:
  UnderWay(std::unordered_set<Deadline*>& all, Deadline& deadline) : all_(all), deadline_(deadline) {
    all_.insert(&deadline_);
  }
  ~UnderWay() {
    all_.erase(&deadline_);
    deadline_.end();
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  std::unordered_set<Deadline*>& all_;
  Deadline& deadline_;
};

Step step_of(Error error, std::string detail) {
  Step step;
  step.error = error;
  step.detail = std::move(detail);
  return step;
}

bool is_stopped(const Deadline& deadline) {
  return deadline.stopped().error != Error::none;
}

/// The word for an error of an established connection.
Step broken(const error_code& code) {
  const bool memory = code == boost::asio::error::no_memory || code == boost::asio::error::no_buffer_space;
  const bool tls = code.category() == boost::asio::error::get_ssl_category();
  return step_of(memory ? Error::resources : tls ? Error::tls : Error::reset, code.message());
}

bool is_end(const error_code& code) {
  return code == boost::asio::error::eof || code == boost::asio::ssl::error::stream_truncated;
}

bool says_unreachable(Error error) {
  return error == Error::refused || error == Error::unreachable || error == Error::connect_timeout;
}

std::string without_brackets(std::string_view host) {
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

std::string checked(std::string user_agent) {
  if (!is_field_value(user_agent)) throw std::runtime_error("agent.user_agent: not a header value");
  return user_agent;
}

}  // namespace

Core::Core(base::Executor executor, config::Network network, std::string user_agent,
           std::shared_ptr<ConnectionBudget> budget)
    : executor_(executor),
      network_(std::move(network)),
      user_agent_(checked(std::move(user_agent))),
      budget_(std::move(budget)),
      guard_(network_.allow_addresses),
      tls_(network_.ca_file),
      buffers_(std::make_shared<Buffers>()),
      resolver_(std::make_shared<Resolver>(executor, clock_, network_)),
      pool_(std::make_shared<Pool>(executor, clock_)) {}

void Core::join_budget() {
  const std::weak_ptr<Pool> pool = pool_;
  holder_ = budget_->add_holder([executor = executor_, pool] {
    boost::asio::post(executor, [pool] {
      if (const auto kept = pool.lock()) kept->close_oldest();
    });
  });
}

base::Async<Resolved> Core::resolve(std::shared_ptr<Core> self, base::Origin origin) {
  Resolved resolved;
  try {
    co_await self->look_up(origin, resolved);
  } catch (const std::exception& failed) {
    resolved = Resolved{};
    resolved.error = Error::dns_failure;
    resolved.detail = failed.what();
  }
  co_return resolved;
}

base::Async<> Core::look_up(const base::Origin& origin, Resolved& resolved) {
  if (closed_ || cancelled_) {
    resolved.error = Error::cancelled;
    co_return;
  }
  if (is_bad_port(origin.port())) {
    resolved.error = Error::blocked_port;
    resolved.detail = "port " + std::to_string(origin.port());
    co_return;
  }
  std::string host = without_brackets(origin.host());
  Addresses addresses;
  if (const auto literal = base::IpAddress::parse(host)) {
    addresses.list.push_back(*literal);
  } else {
    addresses = co_await resolver_->lookup(std::move(host));
  }
  resolved = choose(addresses);
}

Resolved Core::choose(const Addresses& addresses) const {
  Resolved resolved;
  resolved.error = addresses.failure.error;
  resolved.detail = addresses.failure.detail;
  if (resolved.error != Error::none) return resolved;
  std::vector<base::IpAddress> allowed;
  for (const base::IpAddress& address : addresses.list) {
    const auto denied = guard_.denies(address);
    if (!denied) {
      allowed.push_back(address);
    } else if (resolved.detail.empty()) {
      resolved.detail = denial_text(address, *denied);
    }
  }
  if (const base::IpAddress* chosen = demoted_.choose(allowed, clock_.now().steady)) {
    resolved.address = *chosen;
    resolved.detail.clear();
  } else {
    resolved.error = Error::blocked_address;
  }
  return resolved;
}

base::Async<Outcome> Core::fetch(std::shared_ptr<Core> self, Request request) {
  Outcome outcome;
  Step failure;
  try {
    co_await self->run(request, outcome);
  } catch (const std::bad_alloc&) {
    failure.error = Error::resources;
  } catch (const std::exception& failed) {
    failure = step_of(Error::resources, failed.what());
  }
  if (failure.error != Error::none) {
    outcome = Outcome{};
    outcome.error = failure.error;
    outcome.detail = std::move(failure.detail);
  }
  outcome.peer = request.address;
  co_return outcome;
}

base::Async<> Core::run(const Request& request, Outcome& outcome) {
  if (closed_ || cancelled_) {
    outcome.error = Error::cancelled;
    co_return;
  }
  const auto deadline = std::make_shared<Deadline>(executor_, clock_, network_.timeouts.total);
  const UnderWay under_way(under_way_, *deadline);
  Link link = pool_->take(request.url.origin_text(), request.address);
  while (true) {
    outcome.reused = link != nullptr;
    Response response(network_.max_head_size, request.body_max);
    Step failure;
    if (!link) failure = co_await open(request, *deadline, link);
    if (failure.error == Error::none) {
      deadline->watch(link.get());
      co_await converse(request, *deadline, *link, response, failure);
    }
    deadline->watch(nullptr);
    // The server had given up the kept connection, and the request met its end on the way: nothing was
    // answered, a GET may be sent again, and a fresh connection tells whether the server is there.
    if (outcome.reused && failure.error == Error::reset && !response.started()) {
      link.reset();
      continue;
    }
    conclude(std::move(link), response, std::move(failure), outcome);
    co_return;
  }
}

/// A fresh connection in `link`, ready for a request.
base::Async<Step> Core::open(const Request& request, Deadline& deadline, Link& link) {
  const bool secure = request.url.secure();
  Ticket place = ticket();
  if (!place) co_return step_of(Error::resources, "network.max_connections are open");
  std::string origin(request.url.origin_text());
  link = std::make_unique<Connection>(executor_, std::move(origin), request.address, std::move(place));
  deadline.watch(link.get());
  deadline.enter(network_.timeouts.connect, Error::connect_timeout, "no connection in time");
  Step step = co_await connect_guarded(link->socket(), request.address, request.url.port(), guard_);
  if (is_stopped(deadline)) step = deadline.stopped();
  if (says_unreachable(step.error)) demoted_.add(request.address, clock_.now().steady);
  if (step.error != Error::none) co_return step;
  demoted_.forget(request.address);
  if (!secure) co_return step;
  deadline.enter(network_.timeouts.tls, Error::tls, "no TLS handshake in time");
  TlsStream& stream = link->secure(tls_, request.url.host());
  step = co_await tls_.handshake(stream, link->origin());
  if (is_stopped(deadline)) step = deadline.stopped();
  co_return step;
}

/// One request, and its response as far as it comes.
base::Async<> Core::converse(const Request& request, Deadline& deadline, Connection& link, Response& response,
                             Step& failure) {
  const std::string octets = request_octets(request, user_agent_);
  deadline.enter(network_.timeouts.head, Error::timeout, "the request could not be sent in time");
  const Moved sent = co_await link.write(octets);
  if (const error_code& code = std::get<0>(sent); code || is_stopped(deadline)) {
    failure = is_stopped(deadline) ? deadline.stopped() : broken(code);
    co_return;
  }
  if (request.on_sent) request.on_sent();
  deadline.enter(network_.timeouts.head, Error::timeout, "no response head in time");
  Buffers::Lent buffer(buffers_);
  bool in_head = true;
  while (response.state() == Response::State::head || response.state() == Response::State::body) {
    const Moved read = co_await link.read_some(boost::asio::buffer(*buffer));
    const auto& [code, count] = read;
    if (is_stopped(deadline)) {
      failure = deadline.stopped();
      co_return;
    }
    if (code && !is_end(code)) {
      failure = broken(code);
      co_return;
    }
    if (code) {
      response.end(code == boost::asio::error::eof);
      break;
    }
    response.feed({(*buffer).data(), count});
    if (response.state() != Response::State::body) continue;
    if (in_head)
      deadline.enter(network_.timeouts.idle, Error::timeout, "the body stalled");
    else
      deadline.progress();
    in_head = false;
  }
  if (response.state() == Response::State::failed) failure = response.failure();
}

void Core::conclude(Link link, Response& response, Step failure, Outcome& outcome) {
  outcome.error = failure.error;
  outcome.detail = std::move(failure.detail);
  outcome.status = response.status();
  outcome.headers = std::move(response.headers());
  outcome.wire_octets = response.octets();
  if (outcome.error != Error::none) return;
  outcome.body = response.take_body();
  outcome.cut = response.cut();
  if (response.reusable()) pool_->put(std::move(link));
}

Ticket Core::ticket() {
  if (budget_->try_take()) return Ticket(budget_);
  if (pool_->close_oldest() && budget_->try_take()) return Ticket(budget_);
  budget_->ask_others(holder_);
  return {};
}

void Core::cancel() {
  cancelled_ = true;
  for (Deadline* const deadline : under_way_) deadline->stop(Error::cancelled, "stopping");
  resolver_->cancel();
}

void Core::close() {
  if (closed_) return;
  closed_ = true;
  budget_->remove_holder(holder_);
  pool_->close();
  resolver_->cancel();
}

}  // namespace fetch
