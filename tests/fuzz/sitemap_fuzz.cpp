// A sitemap as it comes, plain and in gzip. Entries are canonical, on a host that may name them, within the
// limits and the same each time; what is put behind the last one does not change those in front.
#include "crawler/sitemap.h"

#include <cstdlib>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

bool same(const crawler::SitemapEntry& a, const crawler::SitemapEntry& b) {
  return a.url == b.url && a.lastmod == b.lastmod && a.changefreq == b.changefreq && a.priority == b.priority;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::Url url = base::Url::parse("http://maps.h/a/sitemap.xml").value();
  const std::string body(reinterpret_cast<const char*>(data), size);
  const crawler::Sitemap sitemap = crawler::read_sitemap(body, url, "h");
  using Kind = crawler::Sitemap::Kind;
  check(sitemap.kind != Kind::none || sitemap.entries.empty());
  check(sitemap.kind != Kind::none || !sitemap.problem.empty());
  check(sitemap.entries.size() <= crawler::kSitemapEntriesMax);
  for (const crawler::SitemapEntry& entry : sitemap.entries) {
    check(base::Url::parse(entry.url.text()).value() == entry.url);
    check(entry.url.host() == "h" || (sitemap.kind == Kind::index && entry.url.host() == "maps.h"));
    check(!entry.priority || (*entry.priority >= 0 && *entry.priority <= 1));
    check(!entry.changefreq || *entry.changefreq >= base::Duration::zero());
  }
  const crawler::Sitemap again = crawler::read_sitemap(body, url, "h");
  check(std::equal(sitemap.entries.begin(), sitemap.entries.end(), again.entries.begin(), again.entries.end(),
                   same));
  check(sitemap.problem == again.problem && sitemap.dropped == again.dropped);
  const bool plain = sitemap.kind == Kind::urlset && !body.starts_with("\x1f\x8b");
  if (!plain) return 0;
  const crawler::Sitemap more = crawler::read_sitemap(body + "<url><loc>http://h/more</loc></url>", url, "h");
  check(more.entries.size() >= sitemap.entries.size());
  check(std::equal(sitemap.entries.begin(), sitemap.entries.end(), more.entries.begin(), same));
  return 0;
}
