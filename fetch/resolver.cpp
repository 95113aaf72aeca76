#include "fetch/resolver.h"

#include <boost/asio/redirect_error.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace fetch {
namespace {

Addresses loopback() {
  Addresses addresses;
  addresses.list.push_back(*base::IpAddress::parse("127.0.0.1"));
  addresses.list.push_back(*base::IpAddress::parse("::1"));
  return addresses;
}

/// c-ares does not tell when it had no descriptor for its question.
bool out_of_descriptors() {
  const int probe = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (probe >= 0) ::close(probe);
  return probe < 0 && (errno == EMFILE || errno == ENFILE);
}

Error error_of(int status) {
  switch (status) {
    case ARES_ENOMEM: return Error::resources;
    case ARES_ENOTFOUND:
    case ARES_ENODATA:
    case ARES_ESERVFAIL: return Error::dns_failure;
    case ARES_SUCCESS: return Error::none;
    case ARES_ETIMEOUT: return Error::dns_timeout;
    case ARES_ECANCELLED:
    case ARES_EDESTRUCTION: return Error::cancelled;
    default: return out_of_descriptors() ? Error::resources : Error::dns_failure;
  }
}

}  // namespace

bool is_localhost(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return name == "localhost" || name.ends_with(".localhost");
}

Resolver::Resolver(base::Executor executor, const base::Clock& clock, const config::Network& network)
    : executor_(executor),
      clock_(clock),
      deadline_(network.timeouts.dns),
      channel_(std::make_shared<AresChannel>(executor, network)) {}

base::Async<Addresses> Resolver::lookup(std::string name) {
  const auto self = shared_from_this();
  if (is_localhost(name)) co_return loopback();
  if (const Addresses* known = names_.find(name, clock_.now().steady)) co_return *known;
  const auto waiter = std::make_shared<Waiter>(executor_);
  waiter->timer.expires_after(deadline_);
  join(name, waiter);
  if (!waiter->answered) {
    boost::system::error_code ignored;
    co_await waiter->timer.async_wait(boost::asio::redirect_error(base::use_async, ignored));
  }
  if (!waiter->answered) {
    waiter->answered = true;
    waiter->addresses.failure.error = Error::dns_timeout;
    waiter->addresses.failure.detail = "no answer from DNS in time";
  }
  co_return std::move(waiter->addresses);
}

void Resolver::join(const std::string& name, const std::shared_ptr<Waiter>& waiter) {
  const auto found = flights_.find(name);
  if (found != flights_.end()) {
    found->second.push_back(waiter);
    return;
  }
  flights_[name].push_back(waiter);
  const auto weak = weak_from_this();
  channel_->ask(name, [weak, name](int status, Addresses addresses, base::Duration ttl) {
    const auto self = weak.lock();
    if (!self) return;
    try {
      self->answered(name, status, std::move(addresses), ttl);
    } catch (const std::bad_alloc&) {
      // C code called. Who has not heard the answer waits until the deadline.
    }
  });
}

void Resolver::answered(const std::string& name, int status, Addresses addresses, base::Duration ttl) {
  const auto found = flights_.find(name);
  if (found == flights_.end()) return;  // cancelled
  const Flight flight = std::move(found->second);
  flights_.erase(found);
  if (status == ARES_SUCCESS && addresses.list.empty()) status = ARES_ENODATA;
  addresses.failure.error = error_of(status);
  if (status != ARES_SUCCESS) addresses.failure.detail = ares_strerror(status);
  for (const std::shared_ptr<Waiter>& waiter : flight) {
    if (waiter->answered) continue;
    waiter->answered = true;
    waiter->addresses = addresses;
    waiter->timer.cancel();
  }
  // Silence and trouble are not remembered: the next one asks again.
  if (status == ARES_SUCCESS || status == ARES_ENOTFOUND || status == ARES_ENODATA) {
    names_.store(name, std::move(addresses), ttl, clock_.now().steady);
  }
}

void Resolver::cancel() {
  base::StringMap<Flight> flights;
  flights.swap(flights_);
  for (const auto& [name, flight] : flights) {
    for (const std::shared_ptr<Waiter>& waiter : flight) {
      if (waiter->answered) continue;
      waiter->answered = true;
      waiter->addresses.failure.error = Error::cancelled;
      waiter->timer.cancel();
    }
  }
  channel_->cancel();
}

}  // namespace fetch
