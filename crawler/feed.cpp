// Elements are known by name and by where they stand: fields are children of the channel (of the root, in
// Atom) or of an item. So `media:title` and what stands in an item's XHTML are no fields.
#include "crawler/feed.h"

#include "crawler/dates.h"
#include "crawler/html_links.h"
#include "crawler/html_text.h"
#include "crawler/relation.h"

namespace crawler {

std::string_view XmlText::end() {
  open_ = false;
  return whole_ ? without_space_around(text_) : std::string_view();
}

FeedReader::Kind FeedReader::kind_of(std::string_view root) {
  const std::string_view name = local_name(root);
  if (name == "rss" || name == "RDF") return Kind::rss;
  return name == "feed" ? Kind::atom : Kind::none;
}

bool FeedReader::start(std::string_view name, const XmlAttributes& attributes, std::size_t depth) {
  if (depth == 1) kind_ = kind_of(name);
  if (const auto base = attributes["xml:base"]; !base.empty()) {
    if (auto url = base::Url::resolve(base, bases_.back().url)) bases_.push_back({depth, std::move(*url)});
  }
  const bool is_item = name == "item" || local_name(name) == "entry";
  if (item_depth_ == 0 && depth <= 3 && is_item) {
    start_item(depth);
  } else if (field_depth_ == 0) {
    const std::size_t parent = item_depth_ > 0 ? item_depth_ : kind_ == Kind::atom ? 1 : 2;
    if (depth != parent + 1) return true;
    field_depth_ = depth;
    start_field(name, attributes);
  }
  return true;
}

void FeedReader::end(std::size_t depth) {
  if (depth == field_depth_) end_field();
  if (depth == item_depth_) end_item();
  if (bases_.back().depth == depth) bases_.pop_back();
}

void FeedReader::start_item(std::size_t depth) {
  item_depth_ = depth;
  item_links_ = links_.size();
  item_changed_.reset();
  guid_.clear();
}

void FeedReader::end_item() {
  item_depth_ = 0;
  if (links_.size() == item_links_ && !guid_.empty()) add(guid_, LinkKind::item);
  for (std::size_t i = item_links_; i < links_.size(); ++i) links_[i].changed = item_changed_;
}

void FeedReader::start_field(std::string_view name, const XmlAttributes& attributes) {
  const bool plain = name.find(':') == std::string_view::npos;
  field_ = Field::none;
  if (local_name(name) == "link" && !attributes["href"].empty()) {
    add_atom_link(attributes);
  } else if (plain && name == "link") {
    field_ = Field::link;
  } else if (plain && name == "title") {
    field_ = Field::title;
  } else if (plain && name == "guid" && attributes["isPermaLink"] != "false") {
    field_ = Field::guid;
  } else if (name == "pubDate" || name == "dc:date" || name == "updated" || name == "published") {
    field_ = Field::date;
  }
  if (field_ != Field::none) text_.start();
}

void FeedReader::end_field() {
  field_depth_ = 0;
  if (field_ == Field::none) return;
  const std::string_view text = text_.end();
  const bool in_item = item_depth_ > 0;
  switch (field_) {
    case Field::title:
      if (!in_item && title_.empty()) title_ = title_text(text);
      break;
    case Field::link:
      if (!text.empty()) add(text, in_item ? LinkKind::item : LinkKind::alternate);
      break;
    case Field::guid: guid_ = text; break;
    case Field::date: {
      const auto date = read_date(text);
      if (in_item && date && (!item_changed_ || *date > *item_changed_)) item_changed_ = date;
      break;
    }
    case Field::none: break;
  }
}

/// Without rel it is `alternate`. `self`, `enclosure`, `replies` and their kind are no pages that the feed is
/// about.
void FeedReader::add_atom_link(const XmlAttributes& attributes) {
  const std::string_view rel = attributes["rel"];
  const Relation relation = read_relation(rel);
  const bool in_item = item_depth_ > 0;
  if (relation.next && !in_item) add(attributes["href"], LinkKind::next);
  if (relation.prev && !in_item) add(attributes["href"], LinkKind::prev);
  if (relation.alternate || rel.empty())
    add(attributes["href"], in_item ? LinkKind::item : LinkKind::alternate);
}

void FeedReader::add(std::string_view reference, LinkKind kind) {
  if (links_.size() >= max_) {
    ++dropped_;
    return;
  }
  links_.push_back({std::string(reference), bases_.back().url, kind, std::nullopt});
}

}  // namespace crawler
