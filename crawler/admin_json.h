#pragma once
// The values of the admin endpoint as JSON (crawler/ADMIN.md). Pure.
#include "crawler/condition.h"
#include "crawler/host_view.h"
#include "crawler/orders.h"

#include <nlohmann/json.hpp>

#include <deque>
#include <vector>

namespace crawler {

using Json = nlohmann::ordered_json;

/// Rules of a robots.txt that are told.
inline constexpr std::size_t kRulesTold = 500;

Json time_json(std::optional<base::WallTime> at);
double seconds_of(base::Duration d);
Json json_of(const Condition& condition);
Json json_of(const std::deque<Sample>& samples);
Json json_of(const HostRow& row, const Orders& orders, base::WallTime now);
Json json_of(const HostView& view, const Orders& orders, base::WallTime now);
Json json_of(const PastVisit& visit);
Json json_of(const Order* order);  ///< null for none
/// What is not UTF-8 becomes U+FFFD.
std::string text_of(const Json& json);

}  // namespace crawler
