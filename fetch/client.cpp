#include "fetch/client.h"

#include "fetch/exchange.h"

namespace fetch {

Means make_means(const config::Network& network) {
  return {std::make_shared<ConnectionBudget>(network.max_connections),
          std::make_shared<BodyBudget>(network.max_body_memory, network.max_body_size)};
}

struct Client::Impl {
  std::shared_ptr<Core> core;
};

Client::Client(base::Executor executor, const config::Network& config, Identity identity, Means means)
    : impl_(std::make_unique<Impl>()) {
  impl_->core = std::make_shared<Core>(executor, config, std::move(identity), std::move(means));
  impl_->core->join_budget();
}

Client::~Client() {
  impl_->core->cancel();
  impl_->core->close();
}

base::Async<Resolved> Client::resolve(base::Origin origin) {
  return Core::resolve(impl_->core, std::move(origin));
}
base::Async<Outcome> Client::fetch(Request request) {
  return Core::fetch(impl_->core, std::move(request));
}
void Client::hurry(std::size_t most) {
  impl_->core->hurry(most);
}
void Client::cancel() {
  impl_->core->cancel();
}
void Client::close() {
  impl_->core->close();
}

}  // namespace fetch
