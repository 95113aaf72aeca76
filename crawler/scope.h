#pragma once
// Which URLs belong to this crawl. Pure.
#include "base/hash.h"
#include "base/url.h"
#include "config/config.h"

#include <memory>
#include <string>

namespace crawler {

enum class InScope { yes, foreign_host, too_deep };
std::string_view to_string(InScope);

/// The seeds' hosts and registrable domains. Copies share nothing: each shard has its own, because a seed
/// that redirects within its registrable domain (to `www.`) widens it.
class Scope {
 public:
  Scope(const config::Scope& config, const std::vector<config::Seed>& seeds);
  InScope check(const base::Url& url, std::uint32_t depth) const;
  /// False when no shard's scope can hold `url`: its registrable domain is of no seed. For senders, who do
  /// not know which hosts its owner has come to follow.
  bool possible(const base::Url& url) const;
  /// A seed led to `host`, which belongs to the crawl if its registrable domain does. True: it did not
  /// before.
  bool follow_seed(std::string_view host);

 private:
  config::Scope config_;
  base::StringSet hosts_;
  base::StringSet sites_;
};

}  // namespace crawler
