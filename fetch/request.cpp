#include "fetch/request.h"

#include <algorithm>

namespace fetch {
namespace {

void add(std::string& octets, std::string_view name, std::string_view value) {
  octets += name;
  octets += ": ";
  octets += value;
  octets += "\r\n";
}

}  // namespace

bool is_field_value(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    const auto octet = static_cast<unsigned char>(c);
    return c == '\t' || (octet >= 0x20 && octet != 0x7f);
  });
}

std::string request_octets(const Request& request, const Identity& identity, bool whole_url,
                           std::string_view authorization) {
  const std::string_view origin = request.url.origin_text();
  std::string octets;
  octets.reserve(512 + request.url.text().size());
  octets += "GET ";
  if (whole_url) octets += origin;
  octets += request.url.target();
  octets += " HTTP/1.1\r\n";
  add(octets, "Host",
      origin.substr(origin.find("://") + 3));  // an origin writes only ports that are not the default
  add(octets, "User-Agent", identity.user_agent);
  if (!identity.from.empty()) add(octets, "From", identity.from);
  if (!authorization.empty()) add(octets, "Proxy-Authorization", authorization);
  add(octets, "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
  add(octets, "Accept-Encoding", "gzip, deflate, br, zstd");
  const auto condition = [&octets](std::string_view name, std::string_view value) {
    if (!value.empty() && is_field_value(value)) add(octets, name, value);
  };
  condition("If-None-Match", request.if_none_match);
  condition("If-Modified-Since", request.if_modified_since);
  octets += "\r\n";
  return octets;
}

}  // namespace fetch
