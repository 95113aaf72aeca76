// The page is read once. A <base> that comes after the first link changes the meaning of all before it, as it
// does in browsers; then, and only then, the page is read a second time.
#include "crawler/links.h"

#include "base/hash.h"
#include "crawler/html_entities.h"
#include "crawler/html_text.h"
#include "crawler/html_tokenizer.h"
#include "crawler/index_rules.h"
#include "crawler/refresh.h"
#include "crawler/utf16.h"

#include <optional>
#include <string>

namespace crawler {
namespace {

/// Finds a link among those of a page: indices in a table of open addressing, at most half full.
class LinkIndex {
 public:
  /// Slot of the link like this one, or a free slot. The position + 1 of a link is stored there.
  std::uint32_t& slot(const std::vector<Link>& links, const base::Url& url, LinkKind kind) {
    if (slots_.size() < 2 * (links.size() + 1)) grow(links);
    std::size_t i = place(url, kind);
    while (slots_[i] != 0 && !is_same(links[slots_[i] - 1], url, kind)) i = (i + 1) % slots_.size();
    return slots_[i];
  }

 private:
  static bool is_same(const Link& link, const base::Url& url, LinkKind kind) {
    return link.kind == kind && link.url == url;
  }
  std::size_t place(const base::Url& url, LinkKind kind) const {
    return static_cast<std::size_t>(base::secret_hash(url.text()) + static_cast<std::uint64_t>(kind)) %
           slots_.size();
  }
  void grow(const std::vector<Link>& links) {
    slots_.assign(std::max<std::size_t>(256, 4 * (links.size() + 1)), 0);
    for (std::size_t position = 0; position < links.size(); ++position) {
      std::size_t i = place(links[position].url, links[position].kind);
      while (slots_[i] != 0) i = (i + 1) % slots_.size();
      slots_[i] = static_cast<std::uint32_t>(position + 1);
    }
  }

  std::vector<std::uint32_t> slots_;
};

struct Relation {
  bool nofollow = false;
  bool canonical = false;
  bool alternate = false;
  bool next = false;
  bool stylesheet = false;
};

Relation read_relation(std::string_view rel) {
  Relation out;
  for (std::string_view word = take_word(rel); !word.empty(); word = take_word(rel)) {
    if (same_word(word, "nofollow") || same_word(word, "ugc") || same_word(word, "sponsored"))
      out.nofollow = true;
    if (same_word(word, "canonical")) out.canonical = true;
    if (same_word(word, "alternate")) out.alternate = true;
    if (same_word(word, "next")) out.next = true;
    if (same_word(word, "stylesheet")) out.stylesheet = true;
  }
  return out;
}

class PageReader {
 public:
  PageReader(const base::Url& url, const std::vector<std::string>& tokens) : base_(url), tokens_(tokens) {}

  Page read(std::string_view html) {
    read_once(html);
    if (late_base_) read_once(html);
    return std::move(page_);
  }

 private:
  void read_once(std::string_view html) {
    page_ = Page{};
    index_ = LinkIndex{};
    late_base_ = false;
    references_ = 0;
    HtmlTokenizer tokenizer(html);
    for (StartTag tag; tokenizer.next(tag) && !late_base_;) read_tag(tag);
  }

  void read_tag(const StartTag& tag) {
    switch (tag.element) {
      case Element::a: return read_anchor(tag, LinkKind::a);
      case Element::area: return read_anchor(tag, LinkKind::area);
      case Element::frame: return add(tag[Attribute::src], LinkKind::frame, false);
      case Element::iframe: return add(tag[Attribute::src], LinkKind::iframe, false);
      case Element::link: return read_link(tag);
      case Element::meta: return read_meta(tag);
      case Element::base: return read_base(tag);
      default: return;
    }
  }

  void read_anchor(const StartTag& tag, LinkKind kind) {
    add(tag[Attribute::href], kind, read_relation(text(tag[Attribute::rel])).nofollow);
  }

  void read_link(const StartTag& tag) {
    const Relation relation = read_relation(text(tag[Attribute::rel]));
    const auto& href = tag[Attribute::href];
    if (relation.canonical) add(href, LinkKind::canonical, relation.nofollow);
    if (relation.alternate && !relation.stylesheet) add(href, LinkKind::alternate, relation.nofollow);
    if (relation.next) add(href, LinkKind::next, relation.nofollow);
  }

  void read_meta(const StartTag& tag) {
    const auto& content = tag[Attribute::content];
    if (!content) return;
    const std::string name(without_space_around(text(tag[Attribute::name])));
    if (same_word(name, "robots") || is_our_token(name, tokens_)) add_meta_rules(text(content), page_.rules);
    if (!same_word(text(tag[Attribute::http_equiv]), "refresh")) return;
    if (content->size() > kAttributeOctetsMax) {
      ++page_.dropped;
    } else if (const auto target = refresh_target(text(content))) {
      add_reference(*target, LinkKind::refresh, false);
    }
  }

  /// The first <base> with a href decides; when that is no http(s) URL, the URL of the page stays the base.
  void read_base(const StartTag& tag) {
    const auto& href = tag[Attribute::href];
    if (!href || base_read_) return;
    base_read_ = true;
    if (href->size() > kAttributeOctetsMax) return;
    auto resolved = base::Url::resolve(text(href), base_);
    if (!resolved || *resolved == base_) return;
    base_ = std::move(*resolved);
    late_base_ = !page_.links.empty() || page_.dropped > 0;
  }

  void add(const std::optional<std::string_view>& reference, LinkKind kind, bool nofollow) {
    if (!reference) return;
    if (reference->size() > kAttributeOctetsMax) {
      ++page_.dropped;
    } else {
      add_reference(text(reference), kind, nofollow);
    }
  }

  void add_reference(std::string_view reference, LinkKind kind, bool nofollow) {
    if (page_.links.size() >= kLinksMax || ++references_ > kReferencesMax) {
      ++page_.dropped;
      return;
    }
    auto url = base::Url::resolve(reference, base_);
    if (!url) {
      ++page_.dropped;
      return;
    }
    std::uint32_t& position = index_.slot(page_.links, *url, kind);
    if (position != 0) {  // one of several that may be followed is enough
      Link& link = page_.links[position - 1];
      link.nofollow = link.nofollow && nofollow;
      return;
    }
    page_.links.push_back({std::move(*url), kind, nofollow});
    position = static_cast<std::uint32_t>(page_.links.size());
  }

  /// Good until the next call.
  std::string_view text(const std::optional<std::string_view>& raw) {
    return raw ? attribute_text(*raw, scratch_) : std::string_view();
  }

  base::Url base_;
  const std::vector<std::string>& tokens_;
  Page page_;
  LinkIndex index_;
  std::string scratch_;
  std::size_t references_ = 0;
  bool base_read_ = false;
  bool late_base_ = false;
};

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
  }
  return "unknown";
}

Page read_page(std::string_view html, const base::Url& url, const std::vector<std::string>& tokens) {
  const auto transcoded = utf8_of_utf16(html);
  return PageReader(url, tokens).read(transcoded ? std::string_view(*transcoded) : html);
}

}  // namespace crawler
