#include "crawler/sitemap_entries.h"

#include "crawler/dates.h"
#include "crawler/html_text.h"

#include <charconv>

namespace crawler {
namespace {

using std::chrono::days;
using std::chrono::hours;

std::optional<base::Duration> read_changefreq(std::string_view word) {
  if (same_word(word, "always")) return base::Duration::zero();
  if (same_word(word, "hourly")) return hours(1);
  if (same_word(word, "daily")) return days(1);
  if (same_word(word, "weekly")) return days(7);
  if (same_word(word, "monthly")) return days(30);
  if (same_word(word, "yearly")) return days(365);
  if (same_word(word, "never")) return base::Duration::max();
  return std::nullopt;
}

std::optional<double> read_priority(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool good = error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 1;
  return good ? std::optional(value) : std::nullopt;
}

base::Result<base::Url> resolved(std::string_view loc, const base::Url& base) {
  if (loc.empty()) return boost::system::error_code(base::UrlError::no_scheme);
  return base::Url::resolve(loc, base);
}

}  // namespace

void SitemapEntries::add(base::Result<base::Url> url, SitemapEntry entry) {
  const bool own =
      url && (url->host() == host_ || (sitemap_.kind == Sitemap::Kind::index && url->host() == url_.host()));
  if (!own || sitemap_.entries.size() >= kSitemapEntriesMax) {
    ++sitemap_.dropped;
    return;
  }
  entry.url = std::move(*url);
  sitemap_.entries.push_back(std::move(entry));
}

bool SitemapXml::start(std::string_view name, const XmlAttributes& attributes, std::size_t depth) {
  if (depth == 1) return start_root(name, attributes);
  if (feed_) return feed_->start(name, attributes, depth);
  if (depth > 3 || !name.starts_with(prefix_)) return true;
  name.remove_prefix(prefix_.size());
  if (depth == 2) {
    in_entry_ = name == entry_name_;
    loc_.clear();
    entry_ = {};
    return true;
  }
  if (!in_entry_) return true;
  if (name == "loc") field_ = Field::loc;
  if (name == "lastmod") field_ = Field::lastmod;
  if (name == "changefreq") field_ = Field::changefreq;
  if (name == "priority") field_ = Field::priority;
  if (field_ != Field::none) text_.start();
  return true;
}

bool SitemapXml::start_root(std::string_view name, const XmlAttributes& attributes) {
  Sitemap& sitemap = entries_.sitemap();
  const std::string_view local = local_name(name);
  prefix_ = name.substr(0, name.size() - local.size());
  if (local == "urlset") sitemap.kind = Sitemap::Kind::urlset;
  if (local == "sitemapindex") sitemap.kind = Sitemap::Kind::index;
  entry_name_ = sitemap.kind == Sitemap::Kind::index ? "sitemap" : "url";
  if (sitemap.kind != Sitemap::Kind::none) return true;
  const FeedReader::Kind kind = FeedReader::kind_of(name);
  if (kind == FeedReader::Kind::none) {
    sitemap.problem = "the root element is neither that of a sitemap nor of a feed";
    return false;
  }
  sitemap.kind = kind == FeedReader::Kind::rss ? Sitemap::Kind::rss : Sitemap::Kind::atom;
  feed_.emplace(entries_.url(), kSitemapEntriesMax);
  return feed_->start(name, attributes, 1);
}

void SitemapXml::text(std::string_view text) {
  if (feed_) return feed_->text(text);
  text_.add(text);
}

void SitemapXml::end(std::size_t depth) {
  if (feed_) return feed_->end(depth);
  if (depth == 3) end_field();
  if (depth != 2 || !in_entry_) return;
  in_entry_ = false;
  entries_.add(resolved(loc_, entries_.url()), entry_);
}

void SitemapXml::end_field() {
  if (field_ == Field::none) return;
  const std::string_view text = text_.end();
  switch (field_) {
    case Field::loc: loc_ = text; break;
    case Field::lastmod: entry_.lastmod = read_date(text); break;
    case Field::changefreq: entry_.changefreq = read_changefreq(text); break;
    case Field::priority: entry_.priority = read_priority(text); break;
    case Field::none: break;
  }
  field_ = Field::none;
}

void SitemapXml::finish() {
  if (!feed_) return;
  for (const FeedLink& link : feed_->take_links()) {
    if (link.kind != LinkKind::item) continue;
    SitemapEntry entry;
    entry.lastmod = link.changed;
    entries_.add(resolved(link.reference, link.base), std::move(entry));
  }
  entries_.sitemap().dropped += feed_->dropped();
}

}  // namespace crawler
