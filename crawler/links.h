#pragma once
// What a page leads to: links of HTML (by a tokenizer of our own, WHATWG HTML §13.2.5 as far as links need
// it), of feeds and of the Link header, and what it asks of indexes. Pure.
#include "base/time.h"
#include "base/url.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// How a link was found. `item` is a feed's, `embed` what a browser fetches to show the page.
enum class LinkKind { a, area, frame, iframe, canonical, alternate, next, refresh, prev, item, embed };
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
  std::optional<base::WallTime> unavailable_after{};  ///< the earliest, when there are several

  /// Everything that either of the two asks for.
  void add(const IndexRules& more);
};

inline constexpr std::size_t kLinksMax = 6'000;  ///< kept of one page
inline constexpr std::size_t kReferencesMax =
    4 * kLinksMax;  ///< looked at, repeated and unusable ones included
inline constexpr std::size_t kAttributeOctetsMax = std::size_t{16} * 1024;  ///< a longer href is no link
inline constexpr std::size_t kTitleOctetsMax = 512;                         ///< of UTF-8; the rest is cut off
inline constexpr std::size_t kLinkHeaderOctetsMax =
    std::size_t{64} * 1024;                              ///< of all Link fields of an answer
inline constexpr std::size_t kLinkHeaderLinksMax = 100;  ///< of them together

enum class PageKind { none, html, feed };
std::string_view to_string(PageKind);

struct Page {
  std::vector<Link>
      links;         ///< in order, the header's first; http(s) only, without duplicates of the same kind
  IndexRules rules;  ///< of its meta elements
  std::size_t dropped = 0;             ///< references that were no usable URL, or beyond the limits above
  std::optional<base::Url> canonical;  ///< the first that header or page names
  std::string title;                   ///< UTF-8, white space collapsed; empty when there is none
  std::string_view charset;            ///< name of the encoding, static; empty when kind is none
  PageKind kind = PageKind::none;
};

struct PageOptions {
  std::vector<std::string> tokens;  ///< ours, for <meta name="token">
  bool embeds = false;              ///< links of kind `embed` too
};

/// Reads the page with `body`, found at `url`: HTML, XHTML, RSS or Atom by `content_type` and look; of
/// anything else only the header's links. `link_headers`: values of Link, a line each. Never fails; linear
/// time.
Page read_page(std::string_view body, std::string_view content_type, std::string_view link_headers,
               const base::Url& url, const PageOptions& options);

/// The same for a body that is taken for HTML, whatever its type was.
Page read_page(std::string_view html, const base::Url& url, const std::vector<std::string>& tokens);

/// Links of a Link header (RFC 8288) that leads somewhere: rel canonical, alternate, next, prev, and for kind
/// `embed` stylesheet and icon. Several values stand on a line each, or between commas. Those with an anchor
/// are about something else and left out. At most kLinkHeaderLinksMax, of the first kLinkHeaderOctetsMax.
std::vector<Link> read_link_header(std::string_view value, const base::Url& base);

/// X-Robots-Tag header value(s), general and `token: …` for ours. Several are joined with a line feed; joined
/// with ", " (as HTTP allows) a `token:` also holds for the values behind it.
IndexRules read_robots_tag(std::string_view value, const std::vector<std::string>& tokens);

}  // namespace crawler
