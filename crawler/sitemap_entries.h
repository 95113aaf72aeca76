#pragma once
// The entries of a sitemap while it is read: whose host they have to be on, and how many there may be.
#include "crawler/feed.h"
#include "crawler/sitemap.h"
#include "crawler/xml.h"

#include <optional>

namespace crawler {

class SitemapEntries {
 public:
  SitemapEntries(const base::Url& url, std::string_view host, Sitemap& sitemap)
      : url_(url), host_(host), sitemap_(sitemap) {}

  /// So many were of no use that no more are looked at.
  bool full() const { return sitemap_.dropped >= kSitemapDroppedMax; }
  /// `url`: what stood there, read; the other fields of `entry` go with it.
  void add(base::Result<base::Url> url, SitemapEntry entry);
  const base::Url& url() const { return url_; }
  Sitemap& sitemap() { return sitemap_; }

 private:
  const base::Url& url_;
  std::string_view host_;
  Sitemap& sitemap_;
};

/// Takes the events of an XML sitemap: a urlset, an index, or a feed, by its root.
class SitemapXml final : public XmlHandler {
 public:
  explicit SitemapXml(SitemapEntries& entries) : entries_(entries) {}

  bool start(std::string_view name, const XmlAttributes& attributes, std::size_t depth) override;
  void text(std::string_view text) override;
  void end(std::size_t depth) override;
  /// The document is over, broken or not: a feed's links become entries.
  void finish();

 private:
  enum class Field { none, loc, lastmod, changefreq, priority };
  bool start_root(std::string_view name, const XmlAttributes& attributes);
  void end_field();

  SitemapEntries& entries_;
  std::optional<FeedReader> feed_;
  std::string prefix_;  ///< of the root with its colon; its children have the same
  std::string entry_name_;
  bool in_entry_ = false;
  Field field_ = Field::none;
  XmlText text_;
  std::string loc_;
  SitemapEntry entry_;
};

}  // namespace crawler
