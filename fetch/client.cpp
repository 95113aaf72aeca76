#include "fetch/client.h"

#include "fetch/exchange.h"

namespace fetch {

struct Client::Impl {
  std::shared_ptr<Core> core;
};

Client::Client(base::Executor executor, const config::Network& config, std::string user_agent,
               std::shared_ptr<ConnectionBudget> budget)
    : impl_(std::make_unique<Impl>()) {
  impl_->core = std::make_shared<Core>(executor, config, std::move(user_agent), std::move(budget));
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
void Client::cancel() {
  impl_->core->cancel();
}
void Client::close() {
  impl_->core->close();
}

}  // namespace fetch
