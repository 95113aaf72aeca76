#include "fetch/fetcher.h"

#include "fetch/fields.h"

#include <algorithm>

namespace fetch {
std::string_view to_string(Error error) {
  switch (error) {
    case Error::none: return "none";
    case Error::dns_failure: return "dns_failure";
    case Error::dns_timeout: return "dns_timeout";
    case Error::blocked_address: return "blocked_address";
    case Error::blocked_port: return "blocked_port";
    case Error::refused: return "refused";
    case Error::unreachable: return "unreachable";
    case Error::connect_timeout: return "connect_timeout";
    case Error::tls_certificate: return "tls_certificate";
    case Error::tls: return "tls";
    case Error::timeout: return "timeout";
    case Error::slow: return "slow";
    case Error::reset: return "reset";
    case Error::stale: return "stale";
    case Error::protocol: return "protocol";
    case Error::head_limit: return "head_limit";
    case Error::truncated: return "truncated";
    case Error::decode: return "decode";
    case Error::bomb: return "bomb";
    case Error::proxy: return "proxy";
    case Error::resources: return "resources";
    case Error::not_now: return "not_now";
    case Error::cancelled: return "cancelled";
  }
  return "?";
}

std::string_view Headers::get(std::string_view name) const {
  for (const Header& header : all_) {
    if (same_word(header.name, name)) return header.value;
  }
  return {};
}

bool Headers::has(std::string_view name) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Header& h) { return same_word(h.name, name); });
}

std::string Headers::joined(std::string_view name, std::string_view separator) const {
  std::string values;
  bool first = true;
  for (const Header& header : all_) {
    if (!same_word(header.name, name)) continue;
    if (!first) values += separator;
    values += header.value;
    first = false;
  }
  return values;
}

}  // namespace fetch
