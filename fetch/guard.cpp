#include "fetch/guard.h"

#include <algorithm>
#include <array>

namespace fetch {
namespace {

using base::IpAddress;

struct Range4 {
  std::uint32_t network = 0;
  unsigned bits = 0;
  AddressClass what = AddressClass::reserved;
};

constexpr std::uint32_t v4(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24U | b << 16U | c << 8U | d;
}

// The first match counts, so narrow ranges stand before the wide ones around them.
constexpr std::array kRanges4{
    Range4{v4(169, 254, 169, 254), 32, AddressClass::metadata},  // AWS, Azure, GCP, and most others
    Range4{v4(169, 254, 170, 2), 32, AddressClass::metadata},    // AWS ECS
    Range4{v4(169, 254, 170, 23), 32, AddressClass::metadata},   // AWS EKS
    Range4{v4(100, 100, 100, 200), 32, AddressClass::metadata},  // Alibaba
    Range4{v4(168, 63, 129, 16), 32, AddressClass::metadata},    // Azure's wire server, in public space
    Range4{v4(192, 0, 0, 192), 32, AddressClass::metadata},      // Oracle, older images
    Range4{v4(0, 0, 0, 0), 8, AddressClass::unspecified},
    Range4{v4(10, 0, 0, 0), 8, AddressClass::private_use},
    Range4{v4(100, 64, 0, 0), 10, AddressClass::cgnat},
    Range4{v4(127, 0, 0, 0), 8, AddressClass::loopback},
    Range4{v4(169, 254, 0, 0), 16, AddressClass::link_local},
    Range4{v4(172, 16, 0, 0), 12, AddressClass::private_use},
    Range4{v4(192, 0, 0, 0), 24, AddressClass::reserved},
    Range4{v4(192, 0, 2, 0), 24, AddressClass::documentation},
    Range4{v4(192, 88, 99, 0), 24, AddressClass::reserved},
    Range4{v4(192, 168, 0, 0), 16, AddressClass::private_use},
    Range4{v4(198, 18, 0, 0), 15, AddressClass::benchmark},
    Range4{v4(198, 51, 100, 0), 24, AddressClass::documentation},
    Range4{v4(203, 0, 113, 0), 24, AddressClass::documentation},
    Range4{v4(224, 0, 0, 0), 4, AddressClass::multicast},
    Range4{v4(255, 255, 255, 255), 32, AddressClass::broadcast},
    Range4{v4(240, 0, 0, 0), 4, AddressClass::reserved},
};

struct Range6 {
  std::array<std::uint16_t, 8> network{};
  unsigned bits = 0;
  AddressClass what = AddressClass::reserved;
};

constexpr std::array kRanges6{
    Range6{{0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254}, 128, AddressClass::metadata},  // AWS
    Range6{{0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0023}, 128, AddressClass::metadata},  // AWS EKS
    Range6{{0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254}, 128, AddressClass::metadata},  // GCP
    Range6{{0}, 128, AddressClass::unspecified},
    Range6{{0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressClass::loopback},
    Range6{{0}, 96, AddressClass::v6_embedded},                       // IPv4-compatible
    Range6{{0x0064, 0xff9b}, 96, AddressClass::v6_embedded},          // NAT64
    Range6{{0x0064, 0xff9b, 0x0001}, 48, AddressClass::v6_embedded},  // NAT64 for local use
    Range6{{0x2001, 0}, 32, AddressClass::v6_embedded},               // Teredo
    Range6{{0x2001, 0x0002, 0}, 48, AddressClass::benchmark},
    Range6{{0x2001, 0}, 23, AddressClass::reserved},  // IETF protocols, ORCHID (2001:10::/28, 2001:20::/28)
    Range6{{0x2001, 0x0db8}, 32, AddressClass::documentation},
    Range6{{0x2002}, 16, AddressClass::v6_embedded},  // 6to4
    Range6{{0x3fff, 0}, 20, AddressClass::documentation},
    Range6{{0xfc00}, 7, AddressClass::private_use},
    Range6{{0xfe80}, 10, AddressClass::link_local},
    Range6{{0xfec0}, 10, AddressClass::private_use},
    Range6{{0xff00}, 8, AddressClass::multicast},
    Range6{{0x2000}, 3, AddressClass::global},  // all that is given out; whatever is left is reserved
};

std::uint32_t v4_at(const IpAddress& address, std::size_t first) {
  const auto& o = address.octets;
  return v4(o[first], o[first + 1], o[first + 2], o[first + 3]);
}

AddressClass classify4(std::uint32_t address) {
  for (const Range4& range : kRanges4) {
    const std::uint32_t mask = ~std::uint32_t{0} << (32U - range.bits);
    if ((address & mask) == range.network) return range.what;
  }
  return AddressClass::global;
}

bool matches(const IpAddress& address, const Range6& range) {
  for (std::size_t i = 0; i < 8; ++i) {
    const unsigned before = static_cast<unsigned>(i) * 16;
    if (before >= range.bits) return true;
    const unsigned bits = std::min(16U, range.bits - before);
    const unsigned mask = (0xffffU << (16U - bits)) & 0xffffU;
    const unsigned group = static_cast<unsigned>(address.octets[2 * i]) << 8U | address.octets[2 * i + 1];
    if ((group & mask) != (range.network[i] & mask)) return false;
  }
  return true;
}

constexpr Range6 kMapped{{0, 0, 0, 0, 0, 0xffff}, 96, AddressClass::v6_embedded};
constexpr Range6 kLocalNat64{{0x0064, 0xff9b, 0x0001}, 48, AddressClass::v6_embedded};
constexpr Range6 k6to4{{0x2002}, 16, AddressClass::v6_embedded};

/// Where the IPv4 address of a v6_embedded one begins. Teredo hides it in the last 32 bits, inverted.
IpAddress inner_address(const IpAddress& address) {
  const std::size_t first = matches(address, k6to4) ? 2 : 12;
  const bool teredo = address.octets[0] == 0x20 && address.octets[1] == 0x01;
  IpAddress inner;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint8_t octet = address.octets[first + i];
    inner.octets[i] = teredo ? static_cast<std::uint8_t>(octet ^ 0xffU) : octet;
  }
  return inner;
}

// fetch.spec.whatwg.org/#port-blocking, and below the line our own: names that answer text protocols.
constexpr std::array<std::uint16_t, 99> kBadPorts{
    0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,    23,    25,   37,   42,   43,
    53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,  110,   111,   113,  115,  117,  119,
    123,  135,  137,  139,  143,  161,  179,  389,  427,  445,  465,  512,   513,   514,  515,  526,  530,
    531,  532,  540,  548,  554,  556,  563,  587,  601,  636,  873,  989,   990,   993,  995,  1433, 1521,
    1719, 1720, 1723, 2049, 2375, 2376, 3306, 3389, 3659, 4045, 4190, 5060,  5061,  5432, 5672, 5900, 6000,
    6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9418, 10080, 11211, 27017};
static_assert(std::is_sorted(kBadPorts.begin(), kBadPorts.end()));

}  // namespace

std::string_view to_string(AddressClass what) {
  switch (what) {
    case AddressClass::global: return "global";
    case AddressClass::unspecified: return "unspecified";
    case AddressClass::loopback: return "loopback";
    case AddressClass::private_use: return "private";
    case AddressClass::link_local: return "link_local";
    case AddressClass::metadata: return "metadata";
    case AddressClass::cgnat: return "cgnat";
    case AddressClass::multicast: return "multicast";
    case AddressClass::broadcast: return "broadcast";
    case AddressClass::reserved: return "reserved";
    case AddressClass::documentation: return "documentation";
    case AddressClass::benchmark: return "benchmark";
    case AddressClass::v6_embedded: return "v6_embedded";
  }
  return "?";
}

AddressClass classify(const IpAddress& address) {
  if (!address.v6) return classify4(v4_at(address, 0));
  if (matches(address, kMapped)) return classify4(v4_at(address, 12));
  for (const Range6& range : kRanges6) {
    if (matches(address, range)) return range.what;
  }
  return AddressClass::reserved;
}

bool is_bad_port(std::uint16_t port) {
  return std::binary_search(kBadPorts.begin(), kBadPorts.end(), port);
}

bool Guard::allows(const IpAddress& address, bool exactly) const {
  const unsigned whole = address.v6 ? 128 : 32;
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const base::Cidr& range) {
    return range.contains(address) && (!exactly || range.bits == whole);
  });
}

Guard Guard::only(const base::IpAddress& address) {
  const auto whole = static_cast<std::uint8_t>(address.v6 ? 128 : 32);
  Guard guard({base::Cidr{address, whole}});
  guard.any_port_ = true;
  return guard;
}

Step Guard::judge(const IpAddress& address, std::uint16_t port) const {
  Step step;
  if (!any_port_ && is_bad_port(port)) {
    step.error = Error::blocked_port;
    step.detail = "port " + std::to_string(port);
  } else if (port == own_port_ && port != 0 && classify(address) == AddressClass::loopback) {
    step.error = Error::blocked_port;
    step.detail = "port " + std::to_string(port) + " is our own";
  } else if (const auto denied = denies(address)) {
    step.error = Error::blocked_address;
    step.detail = denial_text(address, *denied);
  }
  return step;
}

std::optional<AddressClass> Guard::denies(const IpAddress& address) const {
  const AddressClass what = classify(address);
  if (what == AddressClass::global) return std::nullopt;
  if (!allows(address, what == AddressClass::metadata)) return what;
  // NAT64 for local use may put the address at several places (RFC 6052): an entry for it is trusted.
  const bool embedded = what == AddressClass::v6_embedded && !matches(address, kLocalNat64);
  if (address.v6 && (embedded || matches(address, kMapped))) {
    const IpAddress inner = inner_address(address);
    const AddressClass inside = classify(inner);
    if (inside != AddressClass::global && !allows(inner, inside == AddressClass::metadata)) return inside;
  }
  return std::nullopt;
}

std::string denial_text(const IpAddress& address, AddressClass what) {
  return address.text() + " is " + std::string(to_string(what));
}

std::optional<AddressClass> denied_class(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(AddressClass::v6_embedded); ++i) {
    const auto candidate = static_cast<AddressClass>(i);
    if (text.ends_with(" is " + std::string(to_string(candidate)))) return candidate;
  }
  return std::nullopt;
}

}  // namespace fetch
