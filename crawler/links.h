#pragma once
// Links of an HTML page, read by a tokenizer of our own (WHATWG HTML §13.2.5 as far as links need it). Pure.
#include "base/url.h"

#include <string>
#include <string_view>
#include <vector>

namespace crawler {

enum class LinkKind { a, area, frame, iframe, canonical, alternate, next, refresh };
std::string_view to_string(LinkKind);

struct Link {
  base::Url url;
  LinkKind kind = LinkKind::a;
  bool nofollow = false;  ///< rel=nofollow, ugc or sponsored: recorded, not followed
};

/// What a page's <meta name="robots"> and X-Robots-Tag ask for (ROBOTS.md §9).
struct IndexRules {
  bool nofollow = false;  ///< also by `none`
  bool noindex = false;   ///< also by `none`
  bool noarchive = false;
};

inline constexpr std::size_t kLinksMax = 6'000;  ///< kept of one page
inline constexpr std::size_t kReferencesMax =
    4 * kLinksMax;  ///< looked at, repeated and unusable ones included
inline constexpr std::size_t kAttributeOctetsMax = std::size_t{16} * 1024;  ///< a longer href is no link

struct Page {
  std::vector<Link> links;  ///< in document order, http(s) only, without duplicates of the same kind
  IndexRules rules;         ///< of its meta elements
  std::size_t dropped = 0;  ///< references that were no usable URL, or beyond the limits above
};

/// Reads `html`, found at `url`; `tokens` are ours, for <meta name="token">. Never fails; linear time.
Page read_page(std::string_view html, const base::Url& url, const std::vector<std::string>& tokens);

/// X-Robots-Tag header value(s), general and `token: …` for ours. Several are joined with a line feed; joined
/// with ", " (as HTTP allows) a `token:` also holds for the values behind it.
IndexRules read_robots_tag(std::string_view value, const std::vector<std::string>& tokens);

}  // namespace crawler
