#include "crawler/orders.h"

#include "base/time_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace crawler {
namespace {

using Json = nlohmann::json;

std::int64_t count_of(base::WallTime t) {
  return t.time_since_epoch().count();
}

base::WallTime time_of(const Json& json) {
  return base::WallTime(base::Duration(json.get<std::int64_t>()));
}

Json json_of(const Order& order) {
  Json out{{"paused", order.paused}, {"since", count_of(order.since)}};
  if (order.until) out["until"] = count_of(*order.until);
  if (order.delay > base::Duration::zero()) out["delay"] = order.delay.count();
  return out;
}

Order order_of(const Json& json) {
  Order order;
  order.paused = json.at("paused").get<bool>();
  order.since = time_of(json.at("since"));
  if (json.contains("until")) order.until = time_of(json.at("until"));
  if (json.contains("delay")) order.delay = base::Duration(json.at("delay").get<std::int64_t>());
  return order;
}

}  // namespace

const Order* Orders::find(std::string_view host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? nullptr : &found->second;
}

bool Orders::set(std::string_view host, const Order& order) {
  const auto found = hosts_.find(host);
  if (order.empty()) {
    if (found != hosts_.end()) hosts_.erase(found);
    return true;
  }
  if (found != hosts_.end()) {
    found->second = order;
    return true;
  }
  if (hosts_.size() >= kHostsMax) return false;
  hosts_.emplace(host, order);
  return true;
}

bool Orders::expired(base::WallTime now) const {
  const auto over = [now](const Order& order) { return order.paused && !order.holds(now); };
  return over(crawl) || std::ranges::any_of(hosts_, [&over](const auto& row) { return over(row.second); });
}

void Orders::drop_expired(base::WallTime now) {
  const auto end = [now](Order& order) {
    if (!order.paused || order.holds(now)) return;
    order.paused = false;
    order.until.reset();
  };
  end(crawl);
  for (auto& [host, order] : hosts_) end(order);
  std::erase_if(hosts_, [](const auto& row) { return row.second.empty(); });
}

std::string Orders::text() const {
  Json hosts = Json::object();
  for (const auto& [host, order] : hosts_) hosts[host] = json_of(order);
  return Json{{"crawl", json_of(crawl)}, {"hosts", hosts}}.dump();
}

std::optional<Orders> Orders::parse(std::string_view text) try {
  const Json json = Json::parse(text);
  Orders orders;
  orders.crawl = order_of(json.at("crawl"));
  for (const auto& [host, order] : json.at("hosts").items()) orders.set(host, order_of(order));
  return orders;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::optional<std::string> host_name(std::string_view text) {
  if (text.empty() || text.find_first_of("/?#@\\*") != std::string_view::npos) return std::nullopt;
  const bool bare_v6 = text.front() != '[' && text.find(':') != text.rfind(':');
  const bool has_port =
      text.front() == '[' ? text.back() != ']' : !bare_v6 && text.find(':') != std::string_view::npos;
  if (has_port) return std::nullopt;
  const auto url =
      base::Url::parse(bare_v6 ? "http://[" + std::string(text) + "]/" : "http://" + std::string(text) + "/");
  if (!url || url->port() != 80) return std::nullopt;
  return std::string(url->host());
}

}  // namespace crawler
