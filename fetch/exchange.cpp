#include "fetch/exchange.h"

#include "base/site.h"
#include "fetch/request.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>

#include <new>
#include <stdexcept>

namespace fetch {
namespace {

using boost::system::error_code;

/// An exchange that cancel() can find, for as long as it lives.
class UnderWay {
 public:
  UnderWay(std::list<Deadline*>& all, Deadline& deadline)
      : all_(all), place_(all.insert(all.end(), &deadline)) {}
  ~UnderWay() {
    (*place_)->end();
    all_.erase(place_);
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  std::list<Deadline*>& all_;
  const std::list<Deadline*>::iterator place_;
};

Step step_of(Error error, std::string detail) {
  Step step;
  step.error = error;
  step.detail = std::move(detail);
  return step;
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

Identity checked(Identity identity) {
  if (!is_field_value(identity.user_agent)) throw std::runtime_error("agent.user_agent: not a header value");
  if (!is_field_value(identity.from)) throw std::runtime_error("agent.contact: not a header value");
  return identity;
}

}  // namespace

Core::Core(base::Executor executor, config::Network network, Identity identity, Means means)
    : executor_(executor),
      network_(std::move(network)),
      identity_(checked(std::move(identity))),
      bodies_(std::move(means.bodies)),
      dialer_(executor, clock_, network_, std::move(means.connections), means.own_port),
      buffers_(std::make_shared<Buffers>()),
      sites_(std::make_shared<SiteOctets>()) {}

base::Async<Resolved> Core::resolve(std::shared_ptr<Core> self, base::Origin origin) {
  Resolved resolved;
  if (self->closed_ || self->cancelled_) {
    resolved.error = Error::cancelled;
    co_return resolved;
  }
  try {
    co_await self->dialer_.look_up(origin, resolved);
  } catch (const std::bad_alloc&) {
    resolved = Resolved{};
    resolved.error = Error::resources;
  } catch (const std::exception& failed) {
    resolved = Resolved{};
    resolved.error = Error::dns_failure;
    resolved.detail = failed.what();
  }
  co_return resolved;
}

base::Async<Outcome> Core::fetch(std::shared_ptr<Core> self, Request request) {
  Outcome outcome;
  outcome.peer = request.address;
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
    outcome.peer = request.address;
  }
  co_return outcome;
}

base::Async<> Core::run(const Request& request, Outcome& outcome) {
  if (closed_ || cancelled_) {
    outcome.error = Error::cancelled;
    co_return;
  }
  const auto deadline = std::make_shared<Deadline>(executor_, clock_, network_.timeouts.total);
  const UnderWay under_way(under_way_, *deadline);
  const auto account = std::make_shared<BodyAccount>(bodies_, sites_, base::site_of(request.url.host()));
  outcome.memory = account;
  Link link = dialer_.kept(request);
  while (true) {
    outcome.reused = link != nullptr;
    Response response(network_.max_head_size, request.body_max, request.keep_wire);
    Step failure;
    bool sent = false;
    if (!link) failure = co_await dialer_.open(request, *deadline, link, outcome.timing);
    if (failure.error == Error::none) {
      outcome.peer = link->address();
      outcome.certificate = link->wrong_with_certificate();
      deadline->watch([connection = link.get()] { connection->close(); });
      sent = co_await converse(request, *deadline, *link, response, *account, outcome, failure);
    }
    deadline->watch({});
    // The server had given up the kept connection. What never went out goes out on a fresh one. What met its
    // end on the way may have been seen: it comes again, but no sooner than any other request.
    if (outcome.reused && failure.error == Error::reset && !response.started()) {
      link.reset();
      if (!sent) continue;
      failure.error = Error::stale;
    }
    conclude(std::move(link), response, std::move(failure), outcome);
    if (request.keep_wire && outcome.status != 0) keep_wire(request, response, outcome.wire);
    co_return;
  }
}

/// One request, and its response as far as it comes. False: not even the request went out.
base::Async<bool> Core::converse(const Request& request, Deadline& deadline, Connection& link,
                                 Response& response, BodyAccount& account, Outcome& outcome, Step& failure) {
  const Proxy& proxy = dialer_.proxy();
  const bool whole_url = proxy.takes_whole_urls() && !request.url.secure();
  const std::string octets =
      request_octets(request, identity_, whole_url, whole_url ? proxy.authorization() : std::string());
  deadline.enter(network_.timeouts.head, Error::timeout, "the request could not be sent in time");
  const Moved sent = co_await link.write(octets);
  if (const error_code& code = std::get<0>(sent); code || !deadline) {
    failure = deadline ? broken(code) : deadline.stopped();
    co_return false;
  }
  if (request.on_sent) request.on_sent();
  const base::TimePoint asked = clock_.now().steady;
  deadline.enter(network_.timeouts.head, Error::timeout, "no response head in time");
  Buffers::Lent buffer(buffers_);
  while (response.state() == Response::State::head || response.state() == Response::State::body) {
    const Moved read = co_await link.read_some(boost::asio::buffer(*buffer));
    const auto& [code, count] = read;
    const base::Duration since = clock_.now().steady - asked;
    if (outcome.timing.first_octet == base::Duration::zero()) outcome.timing.first_octet = since;
    outcome.timing.body = since - outcome.timing.first_octet;
    if (!deadline) {
      failure = deadline.stopped();
      co_return true;
    }
    if (code && !is_end(code)) {
      failure = broken(code);
      co_return true;
    }
    if (code) {
      response.end(code == boost::asio::error::eof);
      break;
    }
    if (!take_in({(*buffer).data(), count}, deadline, response, account, failure)) co_return true;
  }
  if (response.state() == Response::State::failed) failure = response.failure();
  constexpr int kProxyAuthentication = 407;
  if (whole_url && failure.error == Error::none && response.status() == kProxyAuthentication) {
    failure = step_of(Error::proxy, "the proxy wants another name or password");
  }
  co_return true;
}

/// The next octets of a response; false when there is no memory for them.
bool Core::take_in(std::string_view octets, Deadline& deadline, Response& response, BodyAccount& account,
                   Step& failure) {
  const bool in_head = response.state() == Response::State::head;
  response.feed(octets);
  if (response.state() == Response::State::head) return true;
  if (!account.grow_to(response.held())) {
    failure = step_of(Error::resources, "network.max_body_memory is used up");
    return false;
  }
  if (in_head) {
    deadline.enter(network_.timeouts.idle, Error::timeout, "the body stalled");
    const auto seconds = std::chrono::duration<double>(network_.min_rate_over).count();
    deadline.expect(static_cast<std::uint64_t>(static_cast<double>(network_.min_rate) * seconds),
                    network_.min_rate_over);
  }
  deadline.progress(octets.size());
  return true;
}

void Core::conclude(Link link, Response& response, Step failure, Outcome& outcome) {
  outcome.error = failure.error;
  outcome.detail = std::move(failure.detail);
  outcome.status = response.status();
  outcome.headers = std::move(response.headers());
  outcome.wire_octets = response.octets();
  if (outcome.error == Error::none || outcome.error == Error::truncated) outcome.body = response.take_body();
  if (outcome.error != Error::none) return;
  outcome.cut = response.cut();
  if (response.reusable()) dialer_.keep(std::move(link));
}

void Core::keep_wire(const Request& request, Response& response, Wire& wire) const {
  wire.request = request_octets(request, identity_);
  wire.head = response.raw_head();
  wire.coded = response.take_coded();
  wire.has_coding = response.has_coding();
  wire.chunked = response.chunked();
}

void Core::hurry(std::size_t most) {
  const base::TimePoint before = clock_.now().steady - kPatience;
  std::size_t left = under_way_.size();
  for (Deadline* const deadline : under_way_) {
    if (left <= most || deadline->begun() > before) return;
    --left;  // also when it has been ended already, and only has not noticed yet
    deadline->stop(Error::slow, "others wait for its place");
  }
}

void Core::cancel() {
  cancelled_ = true;
  for (Deadline* const deadline : under_way_) deadline->stop(Error::cancelled, "stopping");
  dialer_.cancel();
}

void Core::close() {
  if (closed_) return;
  closed_ = true;
  dialer_.close();
}

}  // namespace fetch
