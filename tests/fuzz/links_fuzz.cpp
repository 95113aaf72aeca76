// A page as it comes. Links are canonical, told apart, within the limits and the same each time; a comment in
// front and a tag cut off behind change nothing; X-Robots-Tag of any content is read.
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
         std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(),
                    [](const auto& x, const auto& y) {
                      return x.url == y.url && x.kind == y.kind && x.nofollow == y.nofollow;
                    });
}

void check_tags(std::string_view html) {
  std::size_t tags = 0;
  crawler::HtmlTokenizer tokenizer(html);
  for (crawler::StartTag tag; tokenizer.next(tag); ++tags) {
    check(tag.element >= crawler::Element::a && tag.element <= crawler::Element::meta);
    for (const auto& value : tag.attributes) {
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
  check_tags(html);
  const crawler::Page page = crawler::read_page(html, url, tokens);
  check(page.links.size() <= crawler::kLinksMax);
  std::set<std::pair<crawler::LinkKind, std::string_view>> seen;
  for (const crawler::Link& link : page.links) {
    check(seen.insert({link.kind, link.url.text()}).second);
    check(base::Url::parse(link.url.text()).value() == link.url);
  }
  check(same(page, crawler::read_page(html, url, tokens)));
  const bool utf16 = html.starts_with("\xFF\xFE") || html.starts_with("\xFE\xFF");
  if (!utf16) check(same(page, crawler::read_page("<!-- > --><x>" + html, url, tokens)));
  crawler::read_robots_tag(html, tokens);
  return 0;
}
