#include "crawler/findings.h"

#include "crawler/traps.h"

#include <algorithm>

namespace crawler {
namespace {

constexpr double kHighPriority = 0.8;
constexpr double kLowPriority = 0.3;

/// The frontier has lanes for depths, so a priority (sitemaps.org; 0.5 is the usual one) is one.
std::uint32_t depth_of(const std::optional<double>& priority) {
  const double value = priority.value_or(0.5);
  if (value >= kHighPriority) return 0;
  return value < kLowPriority ? 2 : 1;
}

Changes changes_of(const std::optional<base::Duration>& period) {
  using namespace std::chrono_literals;
  constexpr auto kDay = 24h;
  if (!period) return Changes::unknown;
  if (*period <= 0h) return Changes::always;
  if (*period <= 1h) return Changes::hourly;
  if (*period <= kDay) return Changes::daily;
  if (*period <= 7 * kDay) return Changes::weekly;
  if (*period <= 31 * kDay) return Changes::monthly;
  return *period <= 366 * kDay ? Changes::yearly : Changes::never;
}

/// Gathers offers, and leaves out what nobody should visit.
class Finder {
 public:
  Finder(const FindOptions& options, const Scope& scope, Findings& findings)
      : options_(options), scope_(scope), findings_(findings) {}

  void add(base::Url found, const Discovery& discovery, std::optional<std::int64_t> modified = {}) {
    base::Url url = strip(std::move(found), options_.scope.strip_parameters);
    if (!discovery.sitemap && !possible(url)) {
      ++findings_.out_of_scope;
    } else if (trap_of(url, options_.traps)) {
      ++findings_.traps;
    } else {
      findings_.offers.push_back({std::move(url), discovery, modified});
    }
  }

 private:
  /// Links of one origin follow upon each other, and the scope asks for no more than the host.
  bool possible(const base::Url& url) {
    if (url.origin_text() != origin_) {
      origin_ = url.origin_text();
      possible_ = scope_.possible(url);
    }
    return possible_;
  }

  const FindOptions& options_;
  const Scope& scope_;
  Findings& findings_;
  std::string origin_;  ///< the last that was asked for
  bool possible_ = false;
};

void read_sitemap_into(Findings& findings, Finder& finder, const Item& item, const fetch::Outcome& outcome) {
  const std::string& behalf = item.discovery.behalf;
  const std::string_view host = behalf.empty() ? item.url.host() : std::string_view(behalf);
  std::string_view body = outcome.body;
  const bool is_text = body.substr(0, body.find('<')).find("http") != std::string_view::npos;
  if (is_text && (outcome.cut || outcome.error == fetch::Error::truncated)) {  // half a URL is one, too
    body = body.substr(0, body.rfind('\n') + 1);
  }
  Sitemap map = read_sitemap(body, item.url, host);
  findings.sitemap = map.kind;
  findings.dropped = map.dropped;
  findings.problem = std::move(map.problem);
  if (map.kind == Sitemap::Kind::index) {
    Discovery child = item.discovery;
    ++child.depth;
    child.redirects = 0;
    child.how = How::sitemap;
    if (child.depth > kSitemapDepthMax) {
      findings.dropped += map.entries.size();
      return;
    }
    for (SitemapEntry& entry : map.entries) {
      child.behalf = entry.url.host() == host ? std::string() : std::string(host);
      finder.add(std::move(entry.url), child);
    }
    return;
  }
  for (SitemapEntry& entry : map.entries) {
    Discovery page{.depth = depth_of(entry.priority), .weight = item.discovery.weight, .how = How::sitemap};
    page.changes = changes_of(entry.changefreq);
    std::optional<std::int64_t> modified;
    if (entry.lastmod) {
      modified = std::chrono::floor<std::chrono::seconds>(*entry.lastmod).time_since_epoch().count();
    }
    finder.add(std::move(entry.url), page, modified);
  }
}

void read_page_into(Findings& findings, Finder& finder, const Item& item, const fetch::Outcome& outcome,
                    const FindOptions& options) {
  findings.page = read_page(outcome.body, outcome.headers.get("Content-Type"),
                            outcome.headers.joined("Link", "\n"), item.url, options.page);
  findings.rules.add(findings.page.rules);
  findings.dropped = findings.page.dropped;
  if (findings.rules.nofollow) return;
  const Discovery discovery{.depth = item.discovery.sitemap ? 1 : item.discovery.depth + 1,
                            .weight = item.discovery.weight,
                            .how = How::link};
  findings.offers.reserve(findings.page.links.size());
  for (const Link& link : findings.page.links) {
    if (!link.nofollow) finder.add(link.url, discovery);
  }
}

}  // namespace

Findings findings_of(const Item& item, const fetch::Outcome& outcome, const FindOptions& options,
                     const Scope& scope, Fate& fate) {
  Findings findings;
  Finder finder(options, scope, findings);
  // A line each: a `token:` in X-Robots-Tag reaches to the end of its own field only.
  if (outcome.headers.has("X-Robots-Tag")) {
    findings.rules = read_robots_tag(outcome.headers.joined("X-Robots-Tag", "\n"), options.page.tokens);
  }
  if (fate == Fate::redirected) {
    auto target = base::Url::resolve(outcome.headers.get("Location"), item.url);
    if (!target || item.discovery.redirects >= kRedirectsMax || trap_of(*target, options.traps)) {
      fate = Fate::refused;
      return findings;
    }
    Discovery discovery = item.discovery;
    // A sitemap may be anywhere, but who names it says where: a redirect leads no further than to that host.
    const bool strays = target->host() != item.url.host() && target->host() != discovery.behalf;
    if (discovery.sitemap && strays && scope.check(*target, 0) != InScope::yes) {
      fate = Fate::refused;
      return findings;
    }
    if (discovery.sitemap && strays && discovery.behalf.empty()) discovery.behalf = item.url.host();
    ++discovery.redirects;
    discovery.how = How::redirect;
    findings.offers.push_back({std::move(*target), discovery});
  } else if (fate == Fate::fetched && item.discovery.sitemap) {
    read_sitemap_into(findings, finder, item, outcome);
    // Whoever names a page as a sitemap, it stays a page.
    const bool a_page = findings.sitemap == Sitemap::Kind::none && scope.check(item.url, 0) == InScope::yes;
    if (a_page) read_page_into(findings, finder, item, outcome, options);
  } else if (fate == Fate::fetched) {
    read_page_into(findings, finder, item, outcome, options);
  }
  return findings;
}

std::vector<Offer> sitemap_offers(const base::Origin& origin, std::span<const std::string> named,
                                  bool guess) {
  const std::vector<std::string> guessed{"/sitemap.xml"};
  const auto root = base::Url::parse(std::string(origin.text()) + "/robots.txt");
  std::vector<Offer> offers;
  base::StringSet others;
  if (!root) return offers;
  for (const std::string& text : named.empty() && guess ? std::span(guessed) : named) {
    if (offers.size() == kSitemapsOfOriginMax) break;
    auto url = base::Url::resolve(text, *root);
    if (!url) continue;
    const bool foreign = url->host() != origin.host();
    if (foreign && !others.contains(url->host()) && others.size() == kSitemapHostsMax) continue;
    if (foreign) others.emplace(url->host());
    Discovery discovery{.how = How::sitemap, .sitemap = true, .changes = Changes::daily};
    if (foreign) discovery.behalf = origin.host();
    offers.push_back({std::move(*url), std::move(discovery)});
  }
  return offers;
}

}  // namespace crawler
