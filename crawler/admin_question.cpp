#include "crawler/admin_question.h"

#include "base/escape.h"
#include "base/time_text.h"
#include "crawler/orders.h"

#include <algorithm>
#include <charconv>

namespace crawler {
namespace {

constexpr std::size_t kShown = 100;  // octets of what a client has written

std::string list_of(std::initializer_list<std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list.append(list.empty() ? "" : ", ").append(word);
  return list.empty() ? "nothing" : list;
}

void check_known(const std::string& name, std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, name) != known.end()) return;
  throw BadRequest("unknown: " + base::escaped(name, kShown) + "; known here: " + list_of(known));
}

}  // namespace

Question::Question(const AdminRequest& request, std::initializer_list<std::string_view> known)
    : request_(request) {
  for (const auto& [name, value] : request.query) check_known(name, known);
}

std::string Question::text(std::string_view name, std::string_view otherwise) const {
  const auto found = request_.query.find(name);
  return found == request_.query.end() ? std::string(otherwise) : found->second;
}

std::uint64_t Question::number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const {
  const auto found = request_.query.find(name);
  if (found == request_.query.end()) return otherwise;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most) {
    throw BadRequest(std::string(name) + ": write a number from 0 to " + std::to_string(most));
  }
  return value;
}

std::string Question::choice(std::string_view name, std::initializer_list<std::string_view> choices,
                             std::string_view otherwise) const {
  const std::string word = text(name, otherwise);
  if (word.empty() || std::ranges::find(choices, word) != choices.end()) return word;
  throw BadRequest(std::string(name) + ": write one of " + list_of(choices));
}

OrderBody::OrderBody(const AdminRequest& request, std::initializer_list<std::string_view> known)
    : json_(nlohmann::json::object()) {
  if (!request.query.empty()) throw BadRequest("an order is JSON in the body, not a query");
  if (!request.body.empty()) json_ = nlohmann::json::parse(request.body, nullptr, false);
  if (!json_.is_object()) throw BadRequest("the body is no JSON object");
  for (const auto& [key, value] : json_.items()) check_known(key, known);
}

std::optional<std::string> OrderBody::text(std::string_view key) const {
  const auto found = json_.find(std::string(key));
  if (found == json_.end() || found->is_null()) return std::nullopt;
  if (!found->is_string()) throw BadRequest(std::string(key) + ": write a text");
  return found->get<std::string>();
}

std::string OrderBody::required(std::string_view key) const {
  auto value = text(key);
  if (!value || value->empty()) throw BadRequest(std::string(key) + ": missing");
  return std::move(*value);
}

std::optional<double> OrderBody::number(std::string_view key) const {
  const auto found = json_.find(std::string(key));
  if (found == json_.end() || found->is_null()) return std::nullopt;
  if (!found->is_number()) throw BadRequest(std::string(key) + ": write a number");
  return found->get<double>();
}

std::optional<std::string> OrderBody::host() const {
  if (!json_.contains("host")) return std::nullopt;
  const std::string written_host = required("host");  // null and "" are no way to say "all"
  const std::string* const written = &written_host;
  auto host = host_name(*written);
  if (!host) {
    throw BadRequest("host: " + base::escaped(*written, kShown) +
                     " is no host name; write it without scheme, port and path");
  }
  return host;
}

std::optional<base::WallTime> OrderBody::time(std::string_view key) const {
  const auto written = text(key);
  if (!written) return std::nullopt;
  const auto time = base::parse_rfc3339(*written);
  if (!time) throw BadRequest(std::string(key) + ": write an RFC 3339 time, 2026-11-21T18:30:00Z");
  return time;
}

}  // namespace crawler
