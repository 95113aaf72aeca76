#pragma once
// Reads what the admin endpoint answers. A daemon of another version may leave keys out or mean something
// else by them: whatever is missing or of the wrong kind is absent, and nothing here throws.
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler::live {

using Json = nlohmann::ordered_json;

/// Deepest nesting that parse() takes; what crawld answers has six levels.
inline constexpr int kDepthMax = 32;

/// Nothing when `text` is no JSON, or nested deeper than kDepthMax.
inline std::optional<Json> parse(std::string_view text) {
  bool deep = false;
  Json read = Json::parse(
      text,
      [&deep](int depth, Json::parse_event_t, const Json&) {
        deep = deep || depth > kDepthMax;
        return !deep;
      },
      false);
  if (deep || read.is_discarded()) return std::nullopt;
  return read;
}

/// What `key` stands for; null when `from` is no object or does not have it.
inline const Json& at(const Json& from, std::string_view key) {
  static const Json kNothing;
  if (!from.is_object()) return kNothing;
  const auto found = from.find(key);
  return found == from.end() ? kNothing : *found;
}

const Json& at(const Json&& from, std::string_view key) = delete;  // it would be gone

inline std::optional<double> number(const Json& from, std::string_view key) {
  const Json& value = at(from, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

inline std::string text(const Json& from, std::string_view key) {
  const Json& value = at(from, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

inline bool flag(const Json& from, std::string_view key) {
  const Json& value = at(from, key);
  return value.is_boolean() && value.get<bool>();
}

/// The items of a list; none when it is no list. `from` has to outlive them.
inline const Json& list(const Json& from, std::string_view key) {
  static const Json kEmpty = Json::array();
  const Json& value = at(from, key);
  return value.is_array() ? value : kEmpty;
}

const Json& list(const Json&& from, std::string_view key) = delete;

/// The origins in an answer about one host.
inline const Json& origins_of(const Json& host) {
  const Json& origins = list(host, "origins");
  return origins.empty() ? list(host, "hosts") : origins;
}

}  // namespace crawler::live
