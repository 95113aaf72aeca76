#include "crawler/scope.h"

#include "base/site.h"

namespace crawler {

std::string_view to_string(InScope verdict) {
  switch (verdict) {
    case InScope::yes: return "yes";
    case InScope::foreign_host: return "foreign_host";
    case InScope::too_deep: return "too_deep";
  }
  return "?";
}

Scope::Scope(const config::Scope& config, const std::vector<config::Seed>& seeds) : config_(config) {
  for (const config::Seed& seed : seeds) {
    hosts_.emplace(seed.url.host());
    sites_.insert(base::site_of(seed.url.host()));
  }
}

InScope Scope::check(const base::Url& url, std::uint32_t depth) const {
  if (depth > config_.max_depth) return InScope::too_deep;
  switch (config_.follow) {
    case config::Follow::any: return InScope::yes;
    case config::Follow::host: return hosts_.contains(url.host()) ? InScope::yes : InScope::foreign_host;
    case config::Follow::domain:
      return sites_.contains(base::site_of(url.host())) ? InScope::yes : InScope::foreign_host;
  }
  return InScope::foreign_host;
}

bool Scope::possible(const base::Url& url) const {
  return config_.follow == config::Follow::any || hosts_.contains(url.host()) ||
         sites_.contains(base::site_of(url.host()));
}

bool Scope::follow_seed(std::string_view host) {
  return !hosts_.contains(host) && sites_.contains(base::site_of(host)) && hosts_.emplace(host).second;
}

}  // namespace crawler
