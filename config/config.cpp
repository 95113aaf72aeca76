#include "config/config.h"

#include <fmt/format.h>

#include <algorithm>

namespace config {

const HostOverride* Politeness::host_override(std::string_view host) const {
  if (hosts.empty()) return nullptr;
  if (const auto exact = hosts.find(host); exact != hosts.end()) return &exact->second;
  std::string pattern;
  for (std::size_t dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.', dot + 1)) {
    pattern.assign(1, '*').append(host.substr(dot));
    if (const auto parent = hosts.find(pattern); parent != hosts.end()) return &parent->second;
  }
  return nullptr;
}

bool Network::verifies(std::string_view host) const {
  const auto covers = [host](std::string_view pattern) {
    if (pattern == "*" || pattern == host) return true;
    // `*.example.com` covers what ends with `.example.com`.
    return pattern.starts_with("*.") && host.size() > pattern.size() - 1 && host.ends_with(pattern.substr(1));
  };
  return std::none_of(unverified_hosts.begin(), unverified_hosts.end(), covers);
}

std::string Config::from() const {
  const bool mail = agent.contact.find("://") == std::string::npos;
  return mail ? agent.contact : std::string();
}

std::string Config::user_agent() const {
  if (!agent.user_agent.empty()) return agent.user_agent;
  const std::string_view token = agent.tokens.empty() ? std::string_view("crawld") : agent.tokens.front();
  return fmt::format("{}/{} (+{})", token, CRAWLD_VERSION, agent.contact);
}

}  // namespace config
