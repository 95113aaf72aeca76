// What the admin endpoint is told to do.
#include "base/time_text.h"
#include "crawler/admin_api.h"
#include "crawler/admin_json.h"
#include "crawler/admin_question.h"
#include "crawler/keys.h"

#include <cmath>

namespace crawler {
namespace {

AdminResponse done(const std::string& sentence) {
  return {200, "application/json", text_of({{"done", true}, {"sentence", sentence}})};
}

AdminResponse store_failed() {
  return admin_error(503, "the store has failed: the order is not kept, and the crawl ends");
}

std::string until_text(const std::optional<base::WallTime>& until) {
  return until ? " until " + base::rfc3339(*until) : std::string(" until it is resumed");
}

}  // namespace

/// Puts `order` in force for `host`, or for the whole crawl where that is empty.
base::Async<AdminResponse> AdminApi::hold(std::string host, Order order, std::string sentence) {
  Orders orders = control_.orders();
  order.since = control_.clock().now().wall;
  if (host.empty()) {
    orders.crawl = order;
  } else if (!orders.set(host, order)) {
    co_return admin_error(
        409, "there are orders for " + std::to_string(Orders::kHostsMax) + " hosts already: take some back");
  }
  const bool kept = co_await control_.set_orders(std::move(orders));
  if (!kept) co_return store_failed();
  base::Line line(base::Level::info, "order");
  control_.log().write(line.text("host", host).text("what", sentence), order.since);
  co_return done(sentence);
}

base::Async<AdminResponse> AdminApi::pause(const AdminRequest& request) {
  const OrderBody body(request, {"host", "until"});
  const std::string host = body.host().value_or("");
  const Order* const known = host.empty() ? &control_.orders().crawl : control_.orders().find(host);
  Order order = known != nullptr ? *known : Order{};
  order.paused = true;
  order.until = body.time("until");
  if (order.until && *order.until <= control_.clock().now().wall)
    throw BadRequest("until: this instant is over");
  std::string sentence = (host.empty() ? "the crawl" : host) + " is paused" + until_text(order.until);
  AdminResponse response = co_await hold(host, order, std::move(sentence));
  co_return response;
}

base::Async<AdminResponse> AdminApi::resume(const AdminRequest& request) {
  const OrderBody body(request, {"host"});
  const std::string host = body.host().value_or("");
  const Order* const known = host.empty() ? &control_.orders().crawl : control_.orders().find(host);
  if (known == nullptr || !known->paused)
    co_return done((host.empty() ? "the crawl" : host) + " was not paused");
  Order order = *known;
  order.paused = false;
  order.until.reset();
  std::string sentence = (host.empty() ? "the crawl" : host) + " goes on; a host that was paused within 5s";
  AdminResponse response = co_await hold(host, order, std::move(sentence));
  co_return response;
}

base::Async<AdminResponse> AdminApi::drain(const AdminRequest& request) {
  const OrderBody body(request, {"host"});
  if (body.host()) {
    AdminResponse response = co_await pause(request);
    co_return response;
  }
  control_.end("an order");
  co_return done("visits under way end, and then crawld does");
}

base::Async<AdminResponse> AdminApi::delay(const AdminRequest& request) {
  const OrderBody body(request, {"host", "seconds"});
  const auto host = body.host();
  const auto seconds = body.number("seconds");
  const double most = std::chrono::duration<double>(Orders::kDelayMax).count();
  if (!host) throw BadRequest("host: missing");
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > most)
    throw BadRequest("seconds: write a number from 0 to 86400");
  const Order* const known = control_.orders().find(*host);
  Order order = known != nullptr ? *known : Order{};
  order.delay = std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(*seconds));
  std::string sentence =
      *seconds > 0 ? *host + ": at least " + base::duration_text(order.delay) + " between two requests"
                   : *host + ": the delay is taken back";
  AdminResponse response = co_await hold(*host, order, std::move(sentence));
  co_return response;
}

base::Async<AdminResponse> AdminApi::requeue(const AdminRequest& request) {
  const OrderBody body(request, {"url"});
  auto url = base::Url::parse(body.required("url"));
  if (!url) throw BadRequest("url: " + url.error().message() + "; write an absolute http or https URL");
  const std::function<Requeued(Shard&)> ask = [url = *url](Shard& shard) { return shard.requeue(url); };
  const auto answers = co_await control_.crew().ask_one(control_.mail().owner(url->host()), ask);
  if (!answers) co_return admin_error(503, "a thread of the crawl does not answer just now: ask again");
  const base::Executor executor = control_.executor();
  const bool kept = co_await control_.commits().durable(executor);
  if (!kept) co_return store_failed();
  switch (answers->front()) {
    case Requeued::done:
      co_return done(std::string(url->text()) + " is visited again when its host may be asked");
    case Requeued::waits: co_return done(std::string(url->text()) + " is queued already");
    case Requeued::unseen: break;
  }
  co_return admin_error(404, "this URL was never found; `crawld seeds add` makes it a seed");
}

/// True: `offer` has reached its frontier.
base::Async<bool> AdminApi::offer(Offer offer) {
  const base::Executor executor = control_.executor();
  const std::shared_ptr<base::Alarm> taken = control_.clock().alarm(executor);
  std::vector<Offer> offers;
  offers.push_back(std::move(offer));
  const auto there = std::make_shared<bool>(false);
  control_.mail().send_offers(std::move(offers), [executor, taken, there] {
    boost::asio::post(executor, [taken, there] {
      *there = true;
      taken->ring();
    });
  });
  const base::TimePoint until = control_.clock().now().steady + Crew::kAnswerMax;
  co_await taken->wait_until(until);
  co_return *there;
}

base::Async<AdminResponse> AdminApi::add_seed(const AdminRequest& request) {
  const OrderBody body(request, {"url", "weight"});
  auto url = base::Url::parse(body.required("url"));
  if (!url) throw BadRequest("url: " + url.error().message() + "; write an absolute http or https URL");
  const double weight = body.number("weight").value_or(1);
  if (weight != std::floor(weight) || weight < 1 || weight > config::kSeedWeightMax)
    throw BadRequest("weight: write a whole number from 1 to 10");
  std::size_t added = 0;
  control_.store().scan(Table::meta, kAddedPrefix, {},
                        [&added](std::string_view, std::string_view) { return ++added < kAddedMax; });
  if (added >= kAddedMax) {
    co_return admin_error(409, "100000 seeds have been added: more belong into a file");
  }
  const std::string key = std::string(kAddedPrefix) + std::string(url->text());
  const auto octet = static_cast<std::uint8_t>(weight);
  Store::Batch batch(control_.store());
  batch.put(Table::meta, key, std::string(1, static_cast<char>(octet)));
  control_.store().write(batch);
  const base::Executor executor = control_.executor();
  const bool kept = co_await control_.commits().durable(executor);
  if (!kept) co_return store_failed();
  control_.add_seed({*url, "added", octet});
  Offer wanted{*url, {0, 0, octet, How::seed, true}};
  const bool there = co_await offer(std::move(wanted));
  if (!there) co_return admin_error(503, "the seed is kept; it is visited from the next start on");
  base::Line line(base::Level::info, "order");
  line.text("host", url->host()).text("what", "a seed is added").text("url", url->text());
  control_.log().write(line, control_.clock().now().wall);
  co_return done(std::string(url->text()) + " is a seed from now on");
}

base::Async<AdminResponse> AdminApi::reload(const AdminRequest& request) {
  const OrderBody body(request, {});
  const Control::Reloaded reloaded = control_.reload();
  const std::vector<std::string>& errors = reloaded.errors;
  std::string later;
  for (const std::string& key : reloaded.needs_restart) later += (later.empty() ? "" : ", ") + key;
  if (errors.empty() && later.empty()) co_return done("the configuration is in force");
  if (errors.empty()) co_return done("the configuration is in force, but for what needs a restart: " + later);
  const Json told{
      {"error", {{"code", "conflict"}, {"message", "the configuration has errors; nothing changed"}}},
      {"errors", errors}};
  co_return AdminResponse{409, "application/json", text_of(told)};
}

base::Async<AdminResponse> AdminApi::set_level(const AdminRequest& request) {
  const OrderBody body(request, {"module", "level"});
  const auto word = body.text("module");
  const auto level = base::level_of(body.required("level"));
  const auto module = word ? base::module_of(*word) : std::nullopt;
  if (!level) throw BadRequest("level: write one of trace, debug, info, warning, error");
  if (word && !module) throw BadRequest("module: write one that GET lists, or none for all");
  control_.log().set_level(module, *level);
  co_return done((word ? *word : std::string("all modules")) + " at " + std::string(base::to_string(*level)) +
                 " until the next reload");
}

}  // namespace crawler
