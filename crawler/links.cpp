// Which kind of page it is decides who reads it.
#include "crawler/links.h"

#include "crawler/charset.h"
#include "crawler/feed.h"
#include "crawler/html_links.h"
#include "crawler/html_text.h"
#include "crawler/link_set.h"

namespace crawler {
namespace {

/// Octets in which the root element has to begin, behind declarations and comments. An even number: of UTF-16
/// too.
constexpr std::size_t kLookOctets = 4096;

enum class Look { other, html, feed };

/// By the first tag that is no declaration, comment or processing instruction.
Look look_of(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  body = without_leading_space(body);
  while (body.starts_with("<!") || body.starts_with("<?")) {
    if (same_word(body.substr(0, 14), "<!doctype html")) return Look::html;
    const std::string_view end = body.starts_with("<!--") ? "-->" : body[1] == '?' ? "?>" : ">";
    const std::size_t found = body.find(end, 2);
    if (found == std::string_view::npos) return Look::other;
    body = without_leading_space(body.substr(found + end.size()));
  }
  if (!body.starts_with('<') || body.size() < 2 || !is_letter(body[1])) return Look::other;
  const std::string_view name = body.substr(1, body.find_first_of(" \t\n\f\r/>") - 1);
  return FeedReader::kind_of(name) != FeedReader::Kind::none ? Look::feed : Look::html;
}

struct MediaType {
  std::string_view name;
  bool is(std::string_view word) const { return same_word(name, word); }
  bool is_xml() const {
    constexpr std::size_t kSuffix = 4;
    return is("text/xml") || is("application/xml") ||
           (name.size() > kSuffix && same_word(name.substr(name.size() - kSuffix), "+xml"));
  }
};

MediaType media_type(std::string_view content_type) {
  return {without_space_around(content_type.substr(0, content_type.find(';')))};
}

/// `head`: the beginning of the body, in an encoding like ASCII.
PageKind kind_of(const MediaType& type, std::string_view head) {
  const Look look = look_of(head);
  if (type.is("application/rss+xml") || type.is("application/atom+xml")) return PageKind::feed;
  if (look == Look::feed && (type.is_xml() || type.is("text/html") || type.name.empty()))
    return PageKind::feed;
  if (type.is("text/html") || type.is("application/xhtml+xml")) return PageKind::html;
  const bool may_be_html = type.is_xml() ? head.find("<html") != std::string_view::npos : type.name.empty();
  return may_be_html && look == Look::html ? PageKind::html : PageKind::none;
}

void read_feed(std::string_view body, const Charset& charset, const base::Url& url, Page& page,
               LinkSet& links) {
  FeedReader feed(url, kReferencesMax);
  XmlReader xml(feed, charset.name);
  xml.feed(without_leading_space(body));
  xml.finish();
  for (const FeedLink& link : feed.take_links()) links.add(link.reference, link.base, link.kind, false);
  page.title = feed.title();
  page.dropped += feed.dropped();
}

}  // namespace

std::string_view to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::a: return "a";
    case LinkKind::area: return "area";
    case LinkKind::frame: return "frame";
    case LinkKind::iframe: return "iframe";
    case LinkKind::canonical: return "canonical";
    case LinkKind::alternate: return "alternate";
    case LinkKind::next: return "next";
    case LinkKind::refresh: return "refresh";
    case LinkKind::prev: return "prev";
    case LinkKind::item: return "item";
    case LinkKind::embed: return "embed";
  }
  return "unknown";
}

std::string_view to_string(PageKind kind) {
  switch (kind) {
    case PageKind::none: return "none";
    case PageKind::html: return "html";
    case PageKind::feed: return "feed";
  }
  return "unknown";
}

Page read_page(std::string_view body, std::string_view content_type, std::string_view link_headers,
               const base::Url& url, const PageOptions& options) {
  Page page;
  LinkSet links;
  for (Link& link : read_link_header(link_headers, url)) {
    if (link.kind != LinkKind::embed || options.embeds) links.add(std::move(link));
  }
  const Charset& charset = *find_charset(body, content_type).charset;
  const MediaType type = media_type(content_type);
  const std::string_view head = body.substr(0, kLookOctets);
  page.kind = charset.like_ascii() ? kind_of(type, head) : kind_of(type, decoded(head, charset));
  if (page.kind != PageKind::none) page.charset = charset.name;
  if (page.kind == PageKind::feed) read_feed(body, charset, url, page, links);
  if (page.kind == PageKind::html) {
    read_html(body, charset, type.is("application/xhtml+xml"), url, options, page, links);
  }
  std::move(links).give_to(page);
  return page;
}

Page read_page(std::string_view html, const base::Url& url, const std::vector<std::string>& tokens) {
  return read_page(html, "text/html", "", url, {tokens, false});
}

}  // namespace crawler
