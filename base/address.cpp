#include "base/address.h"

#include "base/hash.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstring>

namespace base {
namespace {

std::size_t octets_of(const IpAddress& address) {
  return address.v6 ? 16 : 4;
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  if (text.size() >= INET6_ADDRSTRLEN) return std::nullopt;
  char zero_ended[INET6_ADDRSTRLEN] = {};
  std::memcpy(zero_ended, text.data(), text.size());
  if (std::strlen(zero_ended) != text.size()) return std::nullopt;
  IpAddress address;
  address.v6 = text.find(':') != std::string_view::npos;
  if (inet_pton(address.v6 ? AF_INET6 : AF_INET, zero_ended, address.octets.data()) != 1) return std::nullopt;
  return address;
}

std::string IpAddress::text() const {
  char buffer[INET6_ADDRSTRLEN] = {};
  inet_ntop(v6 ? AF_INET6 : AF_INET, octets.data(), buffer, sizeof buffer);
  return buffer;
}

std::optional<Cidr> Cidr::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto network = IpAddress::parse(text.substr(0, slash));
  if (!network) return std::nullopt;
  const std::size_t all_bits = octets_of(*network) * 8;
  std::size_t bits = all_bits;
  if (slash != std::string_view::npos) {
    const std::string_view number = text.substr(slash + 1);
    if (number.size() > 1 && number[0] == '0') return std::nullopt;  // some would read it as octal
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), bits);
    if (error != std::errc() || end != number.data() + number.size() || bits > all_bits) return std::nullopt;
  }
  Cidr range{*network, static_cast<std::uint8_t>(bits)};
  for (std::size_t bit = bits; bit < all_bits; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> (bit % 8));
    if ((network->octets[bit / 8] & mask) != 0) return std::nullopt;
  }
  return range;
}

bool Cidr::contains(const IpAddress& address) const {
  if (address.v6 != network.v6) return false;
  const std::size_t whole = bits / 8;
  if (std::memcmp(address.octets.data(), network.octets.data(), whole) != 0) return false;
  const unsigned rest = bits % 8U;
  if (rest == 0) return true;
  const unsigned mask = 0xFFU << (8U - rest) & 0xFFU;
  return ((unsigned{address.octets[whole]} ^ unsigned{network.octets[whole]}) & mask) == 0;
}

std::string Cidr::text() const {
  return network.text() + "/" + std::to_string(bits);
}

}  // namespace base

std::size_t std::hash<base::IpAddress>::operator()(const base::IpAddress& address) const noexcept {
  const auto* octets = reinterpret_cast<const char*>(address.octets.data());
  return base::secret_hash({octets, address.v6 ? std::size_t{16} : std::size_t{4}});
}
