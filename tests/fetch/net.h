#pragma once
// A Client on an event loop of its own, with short deadlines, and loopback let through the guard.
#include "base/tasks.h"
#include "fetch/budget.h"
#include "fetch/client.h"
#include "fetch/memory.h"
#include "tests/support/certificates.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fetch {

using namespace std::chrono_literals;

class Net {
 public:
  Net() {
    // One certificate is read faster than all that the system trusts.
    static const support::TempFolder folder;
    static const std::string trusted = folder.write("ca.pem", support::pem(support::authority()));
    network.ca_file = trusted;
    network.allow_addresses.push_back(*base::Cidr::parse("127.0.0.0/8"));
    network.timeouts = {.dns = 5s, .connect = 5s, .tls = 5s, .head = 5s, .idle = 5s, .total = 10s};
  }

  /// The configuration is read at the first use.
  config::Network network;
  boost::asio::io_context io{1};
  std::shared_ptr<ConnectionBudget> budget;
  std::shared_ptr<BodyBudget> bodies;
  Identity identity{"crawld-test/1", ""};

  Client& client() {
    if (!budget) budget = std::make_shared<ConnectionBudget>(network.max_connections);
    if (!bodies) bodies = std::make_shared<BodyBudget>(network.max_body_memory, network.max_body_size);
    if (!client_) client_.emplace(io.get_executor(), network, identity, Means{budget, bodies});
    return *client_;
  }
  void drop_client() { client_.reset(); }

  static Request request(std::string_view url, std::string_view address = "127.0.0.1") {
    Request request;
    request.url = base::Url::parse(url).value();
    request.address = base::IpAddress::parse(address).value();
    request.body_max = 1024 * 1024;
    return request;
  }

  std::shared_ptr<std::optional<Outcome>> start(Request request) {
    auto result = std::make_shared<std::optional<Outcome>>();
    tasks_.spawn(fetch_into(&client(), std::move(request), result));
    return result;
  }
  std::shared_ptr<std::optional<Resolved>> start_resolve(std::string_view url) {
    auto result = std::make_shared<std::optional<Resolved>>();
    tasks_.spawn(resolve_into(&client(), base::Url::parse(url).value().origin(), result));
    return result;
  }
  /// Runs the loop until `*result` is there.
  template <class T>
  T finish(const std::shared_ptr<std::optional<T>>& result) {
    io.restart();
    while (!*result) {
      if (io.run_one() == 0) throw std::runtime_error("the loop ran dry");
    }
    return std::move(**result);
  }

  Outcome fetch(Request request) { return finish(start(std::move(request))); }
  Outcome get(std::string_view url, std::size_t body_max = 1024 * 1024) {
    Request r = request(url);
    r.body_max = body_max;
    return fetch(std::move(r));
  }
  Resolved resolve(std::string_view url) { return finish(start_resolve(url)); }

  /// Runs what is ready, and what becomes ready within `d`.
  void run_for(std::chrono::milliseconds d) {
    io.restart();
    io.poll();
    io.restart();
    io.run_for(d);
  }

 private:
  static base::Async<> fetch_into(Client* client, Request request,
                                  std::shared_ptr<std::optional<Outcome>> result) {
    *result = co_await client->fetch(std::move(request));
  }
  static base::Async<> resolve_into(Client* client, base::Origin origin,
                                    std::shared_ptr<std::optional<Resolved>> result) {
    *result = co_await client->resolve(std::move(origin));
  }

  base::SystemClock clock_;
  std::optional<Client> client_;
  base::Tasks tasks_{io.get_executor(), clock_, [](const std::exception_ptr& escaped) {
                       ADD_FAILURE() << "an exception escaped";
                       std::rethrow_exception(escaped);
                     }};
};

/// How long `work` took.
template <class Work>
std::chrono::milliseconds taken(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
}

}  // namespace fetch
