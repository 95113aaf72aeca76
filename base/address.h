#pragma once
// IP addresses and ranges as plain values, without Asio, so that decisions about them stay pure.
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

/// An IPv4 or IPv6 address. IPv4 uses octets 0..3, the rest is zero. Comparable and hashable.
struct IpAddress {
  std::array<std::uint8_t, 16> octets{};
  bool v6 = false;

  /// Dotted decimal or RFC 4291 text, without brackets, zone or port. Nothing else (no `127.1`).
  static std::optional<IpAddress> parse(std::string_view text);
  std::string text() const;
  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`; an address alone is a range of one.
struct Cidr {
  IpAddress network;
  std::uint8_t bits = 0;

  /// Refuses a prefix that is too long and host bits that are set (`10.0.0.1/8`).
  static std::optional<Cidr> parse(std::string_view text);
  bool contains(const IpAddress& address) const;
  std::string text() const;
  friend bool operator==(const Cidr&, const Cidr&) = default;
};

}  // namespace base

template <>
struct std::hash<base::IpAddress> {
  std::size_t operator()(const base::IpAddress& address) const noexcept;
};
