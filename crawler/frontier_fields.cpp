#include "crawler/frontier_fields.h"

#include "config/text_check.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <stdexcept>

namespace crawler::fields {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> octets_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string out;
  out.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit_of(hex[i]);
    const int low = digit_of(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

/// `words` numbers of 64 bits, 16 digits each; the one with number `place`.
std::uint64_t word(const Json& object, std::string_view key, std::size_t place, std::size_t words) {
  constexpr std::size_t kDigits = 16;
  const Json& value = field(object, key);
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (text.size() != words * kDigits || !octets_of_hex(text))
    refuse(key, fmt::format("is not {} digits of hex", words * kDigits));
  std::uint64_t number = 0;
  const char* const from = text.data() + place * kDigits;
  std::from_chars(from, from + kDigits, number, 16);
  return number;
}

}  // namespace

void refuse(std::string_view key, std::string_view why) {
  throw std::runtime_error(fmt::format("{}: {}", key, why));
}

const Json& field(const Json& object, std::string_view key) {
  if (!object.is_object()) refuse(key, "is looked for in what is not an object");
  const auto found = object.find(std::string(key));
  if (found == object.end()) refuse(key, "is missing");
  return *found;
}

bool flag(const Json& object, std::string_view key) {
  const Json& value = field(object, key);
  if (!value.is_boolean()) refuse(key, "is neither true nor false");
  return value.get<bool>();
}

std::int64_t whole(const Json& value, std::string_view key) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer()) refuse(key, "is not a whole number");
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) refuse(key, "is too large");
  return value.get<std::int64_t>();
}

std::uint64_t count(const Json& object, std::string_view key, std::uint64_t most) {
  const Json& value = field(object, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    refuse(key, fmt::format("is not a whole number from 0 to {}", most));
  return value.get<std::uint64_t>();
}

Json text(std::string_view octets) {
  if (config::find_bad_utf8(octets) == std::string_view::npos) return octets;
  return Json::object({{"hex", hex_of(octets)}});
}

std::string text(const Json& object, std::string_view key) {
  const Json& value = field(object, key);
  if (value.is_string()) return value.get<std::string>();
  const Json& hex = field(value, "hex");
  auto octets = hex.is_string() ? octets_of_hex(hex.get_ref<const std::string&>()) : std::nullopt;
  if (!octets) refuse(key, "is neither a text nor hex");
  return std::move(*octets);
}

Json secret(std::uint64_t secret) {
  return fmt::format("{:016x}", secret);
}

std::uint64_t secret(const Json& object, std::string_view key) {
  return word(object, key, 0, 1);
}

Json fingerprint(const base::Hash128& hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

base::Hash128 fingerprint(const Json& object, std::string_view key) {
  return {word(object, key, 0, 2), word(object, key, 1, 2)};
}

std::string hex_of(std::string_view octets) {
  std::string out;
  out.reserve(2 * octets.size());
  for (const char c : octets) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace crawler::fields
