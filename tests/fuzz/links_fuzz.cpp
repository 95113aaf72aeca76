// A page as it comes, with what it embeds. Links are canonical, told apart, within the limits and the same
// each time; a comment in front and a tag cut off behind change nothing; X-Robots-Tag of any content is read.
#include "crawler/charset.h"
#include "crawler/html_tokenizer.h"
#include "crawler/links.h"

#include <cstdlib>
#include <set>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

bool same(const crawler::Page& a, const crawler::Page& b) {
  return a.dropped == b.dropped && a.rules.nofollow == b.rules.nofollow &&
         a.rules.noindex == b.rules.noindex && a.rules.noarchive == b.rules.noarchive &&
         a.rules.unavailable_after == b.rules.unavailable_after && a.title == b.title && a.kind == b.kind &&
         std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(),
                    [](const auto& x, const auto& y) {
                      return x.url == y.url && x.kind == y.kind && x.nofollow == y.nofollow;
                    });
}

void check_tags(std::string_view html, crawler::HtmlSyntax syntax) {
  std::size_t tags = 0;
  const auto last = syntax.embeds ? crawler::Element::script : crawler::Element::title;
  crawler::HtmlTokenizer tokenizer(html, syntax);
  for (crawler::StartTag tag; tokenizer.next(tag); ++tags) {
    check(tag.element >= crawler::Element::a && tag.element <= last);
    check(tag.text.size() < html.size());
    for (std::size_t i = 0; i < crawler::kAttributes; ++i) {
      const auto value = tag[static_cast<crawler::Attribute>(i)];
      if (!value || value->empty()) continue;
      check(value->data() >= html.data() && value->data() + value->size() < html.data() + html.size());
    }
  }
  check(tags <= html.size() / 3);  // <a>
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::Url url = base::Url::parse("http://example.com/a/b?c").value();
  static const std::vector<std::string> tokens = {"crawld"};
  const std::string html(reinterpret_cast<const char*>(data), size);
  for (const bool xml : {false, true}) {
    for (const bool embeds : {false, true}) check_tags(html, {xml, embeds});
  }
  const auto read = [&](std::string_view body, std::string_view type) {
    return crawler::read_page(body, type, "", url, {tokens, true});
  };
  for (const char* type : {"text/html; charset=utf-8", "application/xhtml+xml", "application/rss+xml", ""}) {
    const crawler::Page page = read(html, type);
    check(page.links.size() <= crawler::kLinksMax);
    check(page.title.size() <= crawler::kTitleOctetsMax && crawler::is_valid_utf8(page.title));
    std::set<std::pair<crawler::LinkKind, std::string_view>> seen;
    for (const crawler::Link& link : page.links) {
      check(seen.insert({link.kind, link.url.text()}).second);
      check(base::Url::parse(link.url.text()).value() == link.url);
    }
    check(same(page, read(html, type)));
  }
  constexpr const char* kUtf8 = "text/html; charset=utf-8";
  const bool utf16 = html.starts_with("\xFF\xFE") || html.starts_with("\xFE\xFF");
  const crawler::Page page = read(html, kUtf8);
  const bool bare = !utf16 && !html.starts_with("\xEF\xBB\xBF") && page.kind == crawler::PageKind::html;
  if (bare) check(same(page, read("<!DOCTYPE html><!-- > --><x>" + html, kUtf8)));
  crawler::read_robots_tag(html, tokens);
  return 0;
}
