#include "crawler/codec.h"

#include <array>

namespace crawler {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

}  // namespace

Encoder& Encoder::octet(std::uint8_t value) {
  out_ += static_cast<char>(value);
  return *this;
}

Encoder& Encoder::u16(std::uint16_t value) {
  return octet(static_cast<std::uint8_t>(value >> 8U)).octet(static_cast<std::uint8_t>(value & 0xffU));
}

Encoder& Encoder::u64(std::uint64_t value) {
  std::array<char, sizeof(value)> octets{};
  for (std::size_t i = octets.size(); i > 0; value >>= 8U) octets[--i] = static_cast<char>(value & 0xffU);
  out_.append(octets.data(), octets.size());
  return *this;
}

Encoder& Encoder::count(std::uint64_t value) {
  while (value >= 0x80) {
    octet(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7U;
  }
  return octet(static_cast<std::uint8_t>(value));
}

Encoder& Encoder::time(base::TimePoint value) {
  return u64(static_cast<std::uint64_t>(value.time_since_epoch().count()) ^ kSign);
}

Encoder& Encoder::text(std::string_view value) {
  count(value.size());
  out_ += value;
  return *this;
}

Encoder& Encoder::maybe(const std::optional<base::TimePoint>& value) {
  octet(value ? 1 : 0);
  return value ? time(*value) : *this;
}

std::string_view Decoder::take(std::size_t octets) {
  if (octets > in_.size()) {
    good_ = false;
    in_ = {};
  }
  if (!good_) return {};
  const std::string_view taken = in_.substr(0, octets);
  in_.remove_prefix(octets);
  return taken;
}

std::uint8_t Decoder::octet() {
  const std::string_view one = take(1);
  return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one.front());
}

std::uint16_t Decoder::u16() {
  const unsigned high = octet();
  const unsigned low = octet();
  return static_cast<std::uint16_t>((high << 8U) | low);
}

std::uint64_t Decoder::u64() {
  std::uint64_t value = 0;
  for (const char c : take(8)) value = (value << 8U) | static_cast<std::uint8_t>(c);
  return value;
}

std::uint64_t Decoder::count() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = octet();
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) return value;
  }
  good_ = false;
  return 0;
}

base::TimePoint Decoder::time() {
  const std::uint64_t value = u64();
  return good_ ? base::TimePoint(base::Duration(static_cast<std::int64_t>(value ^ kSign)))
               : base::TimePoint{};
}

base::Hash128 Decoder::hash() {
  const std::uint64_t high = u64();
  const std::uint64_t low = u64();
  return {high, low};
}

std::string_view Decoder::text() {
  const std::uint64_t octets = count();
  if (octets > in_.size()) good_ = false;
  return take(static_cast<std::size_t>(octets));
}

std::optional<base::TimePoint> Decoder::maybe() {
  if (octet() == 0) return std::nullopt;
  return time();
}

}  // namespace crawler
