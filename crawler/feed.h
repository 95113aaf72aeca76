#pragma once
// Feeds: RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287). What their items link to, and the page and the next part of
// each. Pure.
#include "base/time.h"
#include "base/url.h"
#include "crawler/links.h"
#include "crawler/xml.h"

#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// Longest text of an element that is used, in octets; a longer link or date is none.
inline constexpr std::size_t kXmlTextMax = base::kUrlInputOctetsMax;

/// Text of an element, kept up to kXmlTextMax.
class XmlText {
 public:
  void start() {
    text_.clear();
    open_ = true;
    whole_ = true;
  }
  void add(std::string_view more) {
    if (!open_) return;
    whole_ = whole_ && text_.size() + more.size() <= kXmlTextMax;
    if (whole_) text_.append(more);
  }
  /// The whole text without white space around it; empty when it was too long.
  std::string_view end();
  /// Whether it was too long.
  bool cut() const { return !whole_; }

 private:
  std::string text_;
  bool open_ = false;
  bool whole_ = true;
};

struct FeedLink {
  std::string reference;  ///< resolved against `base`
  base::Url base;
  LinkKind kind = LinkKind::item;
  std::optional<base::WallTime> changed;  ///< of an item
};

/// Takes the events of a document whose root is a feed. Links come in order, an item's when it ends.
class FeedReader final : public XmlHandler {
 public:
  enum class Kind { none, rss, atom };

  /// Found at `url`; keeps `max` links and counts the others.
  FeedReader(const base::Url& url, std::size_t max) : max_(max) { bases_.push_back({0, url}); }

  /// Which kind of feed a root element of this name begins.
  static Kind kind_of(std::string_view root);

  bool start(std::string_view name, const XmlAttributes& attributes, std::size_t depth) override;
  void text(std::string_view text) override { text_.add(text); }
  void end(std::size_t depth) override;

  Kind kind() const { return kind_; }
  const std::string& title() const { return title_; }
  std::vector<FeedLink> take_links() { return std::move(links_); }
  std::size_t dropped() const { return dropped_; }

 private:
  enum class Field { none, title, link, guid, date };
  struct Base {
    std::size_t depth;
    base::Url url;
  };

  void start_item(std::size_t depth);
  void end_item();
  void start_field(std::string_view name, const XmlAttributes& attributes);
  void end_field();
  void add_atom_link(const XmlAttributes& attributes);
  void add(std::string_view reference, LinkKind kind);

  std::size_t max_;
  Kind kind_ = Kind::none;
  std::vector<Base> bases_;     ///< xml:base of the elements that are open, at most one each
  std::size_t item_depth_ = 0;  ///< 0: outside of items
  std::size_t field_depth_ = 0;
  Field field_ = Field::none;
  XmlText text_;
  std::string guid_;
  std::size_t item_links_ = 0;  ///< position in links_ of the item's first one
  std::optional<base::WallTime> item_changed_;
  std::string title_;
  std::vector<FeedLink> links_;
  std::size_t dropped_ = 0;
};

}  // namespace crawler
