#pragma once
// Sitemaps (sitemaps.org protocol 0.9): urlset, index, text, and feeds that serve as one; gzip files too.
// Pure.
#include "base/time.h"
#include "base/url.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// The protocol's own limits of one file, unfolded. What is beyond is dropped.
inline constexpr std::size_t kSitemapEntriesMax = 50'000;
inline constexpr std::size_t kSitemapOctetsMax = 52'428'800;
/// Entries that are no use, after which a sitemap is not read on: they cost as much as good ones.
inline constexpr std::size_t kSitemapDroppedMax = 50'000;

struct SitemapEntry {
  base::Url url;
  std::optional<base::WallTime> lastmod;
  /// `always` is zero, `never` Duration::max(); a month has 30 days.
  std::optional<base::Duration> changefreq;
  std::optional<double> priority;  ///< 0 to 1
};

struct Sitemap {
  enum class Kind { none, urlset, index, text, rss, atom };
  Kind kind = Kind::none;
  std::vector<SitemapEntry> entries;  ///< in order; the sitemaps that it names, when kind is index
  std::size_t dropped = 0;            ///< entries of other hosts, without a usable URL, or beyond the limit
  std::string problem;                ///< why reading ended before the end; empty: read to its end
};
std::string_view to_string(Sitemap::Kind);

/// Reads the sitemap with `body`, found at `url`. `host`, as Url::host() gives it, is whose robots.txt named
/// the sitemap: entries must be on that host, of any scheme and port (sitemaps.org, "Sitemaps & Cross
/// Submits"); those of an index may also be on the sitemap's own. A broken document gives what came before
/// the break. Never fails; linear time, and memory does not grow with what a gzip file becomes.
///
/// Only <loc> directly in <url> counts: those of image, video and news extensions are no pages, and
/// xhtml:link names pages that the protocol wants listed for themselves.
Sitemap read_sitemap(std::string_view body, const base::Url& url, std::string_view host);

}  // namespace crawler
