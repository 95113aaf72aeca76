#pragma once
// Fields of a JSON object, read strictly: what is missing or of another kind throws std::runtime_error, whose
// message begins with the key. A text is a string, or {"hex": "…"} when its octets are not UTF-8.
#include "base/hash.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace crawler::fields {

/// Keeps the order in which keys were written.
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(std::string_view key, std::string_view why);
const Json& field(const Json& object, std::string_view key);
bool flag(const Json& object, std::string_view key);
std::int64_t whole(const Json& value, std::string_view key);
inline std::int64_t whole_field(const Json& object, std::string_view key) {
  return whole(field(object, key), key);
}

inline constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
/// 0 to `most`.
std::uint64_t count(const Json& object, std::string_view key, std::uint64_t most = kAny);
template <class Number>
Number number(const Json& object, std::string_view key) {
  return static_cast<Number>(count(object, key, std::numeric_limits<Number>::max()));
}

Json text(std::string_view octets);
std::string text(const Json& object, std::string_view key);

/// 16 and 32 digits of hex: not every reader of JSON has integers of 64 bits.
Json secret(std::uint64_t secret);
std::uint64_t secret(const Json& object, std::string_view key);
Json fingerprint(const base::Hash128& hash);
base::Hash128 fingerprint(const Json& object, std::string_view key);

std::string hex_of(std::string_view octets);

}  // namespace crawler::fields
