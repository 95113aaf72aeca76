#pragma once
// What an answer leads to, and what it asks of whoever keeps it. Pure.
#include "config/config.h"
#include "crawler/fate.h"
#include "crawler/frontier.h"
#include "crawler/links.h"
#include "crawler/scope.h"
#include "crawler/sitemap.h"

#include <span>
#include <string>
#include <vector>

namespace crawler {

/// Indexes above one another: a sitemap that is deeper in is not read.
inline constexpr std::uint32_t kSitemapDepthMax = 3;

/// Of one robots.txt: sitemaps, and hosts other than its own that they lie on.
inline constexpr std::size_t kSitemapsOfOriginMax = 1'000;
inline constexpr std::size_t kSitemapHostsMax = 4;

struct Findings {
  std::vector<Offer> offers;  ///< those that Scope::possible() lets pass, without traps
  Page page;                  ///< when it was read as one
  IndexRules rules;           ///< of the page and of X-Robots-Tag
  Sitemap::Kind sitemap = Sitemap::Kind::none;
  std::size_t dropped = 0;  ///< links or entries that were of no use
  std::size_t out_of_scope = 0;
  std::size_t traps = 0;
  std::string problem;  ///< why a sitemap was not read to its end
};

/// What decides which links count.
struct FindOptions {
  PageOptions page;
  config::Scope scope;
  config::Traps traps;
};

/// Reads the answer to `item`, whose fate is `fate`. A redirect that leads nowhere makes it refused.
Findings findings_of(const Item& item, const fetch::Outcome& outcome, const FindOptions& options,
                     const Scope& scope, Fate& fate);

/// The sitemaps that the robots.txt of `origin` names, as offers.
std::vector<Offer> sitemap_offers(const base::Origin& origin, std::span<const std::string> named, bool guess);

}  // namespace crawler
