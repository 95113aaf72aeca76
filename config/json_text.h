#pragma once
// JSON, put together from texts that are JSON already.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace config {

using JsonMembers = std::vector<std::pair<std::string, std::string>>;  ///< names and values

/// A string, whole.
std::string json_string(std::string_view text);
std::string json_object(const JsonMembers& members);
std::string json_array(const std::vector<std::string>& items);

}  // namespace config
