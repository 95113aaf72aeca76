// The page is read once. A <base> that comes after the first link changes the meaning of all before it, as it
// does in browsers; then, and only then, the page is read a second time. Tags are read in the page's own
// encoding, and of the attributes only those are decoded that are not ASCII.
#include "crawler/html_links.h"

#include "crawler/html_entities.h"
#include "crawler/html_text.h"
#include "crawler/index_rules.h"
#include "crawler/refresh.h"
#include "crawler/relation.h"
#include "crawler/srcset.h"

#include <optional>
#include <string>

namespace crawler {
namespace {

class HtmlReader {
 public:
  HtmlReader(const Charset& charset, const base::Url& url, const PageOptions& options, Page& page,
             LinkSet& links)
      : charset_(charset), base_(url), options_(options), page_(page), links_(links) {}

  void read(std::string_view html, HtmlSyntax syntax) {
    const LinkSet before = links_;
    before_ = links_.looked_at();
    read_once(html, syntax);
    if (!late_base_) return;
    links_ = before;
    page_.rules = {};
    read_once(html, syntax);
  }

 private:
  void read_once(std::string_view html, HtmlSyntax syntax) {
    late_base_ = false;
    HtmlTokenizer tokenizer(html, syntax);
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
      case Element::title: return read_title(tag);
      case Element::object: return add(tag[Attribute::data], LinkKind::embed, false);
      case Element::img:
      case Element::source:
      case Element::video:
      case Element::audio:
      case Element::embed:
      case Element::script: return read_embed(tag);
      default: return;
    }
  }

  void read_anchor(const StartTag& tag, LinkKind kind) {
    add(tag[Attribute::href], kind, read_relation(text(tag[Attribute::rel])).nofollow);
  }

  void read_link(const StartTag& tag) {
    const Relation relation = read_relation(text(tag[Attribute::rel]));
    each_kind(relation, [&](LinkKind kind) {
      if (kind != LinkKind::embed || options_.embeds) add(tag[Attribute::href], kind, relation.nofollow);
    });
  }

  void read_embed(const StartTag& tag) {
    add(tag[Attribute::src], LinkKind::embed, false);
    if (tag.element == Element::video) add(tag[Attribute::poster], LinkKind::embed, false);
    const auto& srcset = tag[Attribute::srcset];
    if (!srcset || (tag.element != Element::img && tag.element != Element::source)) return;
    if (srcset->size() > kAttributeOctetsMax) return links_.drop();
    const std::string candidates(text(srcset));
    std::string_view rest = candidates;
    for (auto url = take_image_candidate(rest); !url.empty(); url = take_image_candidate(rest))
      add_reference(url, LinkKind::embed, false);
  }

  void read_meta(const StartTag& tag) {
    const auto& content = tag[Attribute::content];
    if (!content) return;
    const std::string name(without_space_around(text(tag[Attribute::name])));
    if (same_word(name, "robots") || is_our_token(name, options_.tokens))
      add_meta_rules(text(content), page_.rules);
    if (!same_word(text(tag[Attribute::http_equiv]), "refresh")) return;
    if (content->size() > kAttributeOctetsMax) {
      links_.drop();
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
    auto resolved = base::Url::resolve(in_page_encoding(text(href)), base_);
    if (!resolved || *resolved == base_) return;
    base_ = std::move(*resolved);
    late_base_ = links_.looked_at() > before_;
  }

  void read_title(const StartTag& tag) {
    constexpr std::size_t kLookedAt = 8 * kTitleOctetsMax;  // white space and references shrink
    if (page_.title.empty()) page_.title = title_text(text(tag.text.substr(0, kLookedAt)));
  }

  void add(const std::optional<std::string_view>& reference, LinkKind kind, bool nofollow) {
    if (!reference) return;
    if (reference->size() > kAttributeOctetsMax) {
      links_.drop();
    } else {
      add_reference(text(reference), kind, nofollow);
    }
  }

  void add_reference(std::string_view reference, LinkKind kind, bool nofollow) {
    links_.add(in_page_encoding(reference), base_, kind, nofollow);
  }

  /// With a query as browsers send it. Good until the next call.
  std::string_view in_page_encoding(std::string_view reference) {
    if (charset_.encoder == nullptr || !has_high_octet(reference)) return reference;
    encoded_ = with_encoded_query(reference, charset_);
    return encoded_;
  }

  /// In UTF-8, character references resolved. Good until the next call.
  std::string_view text(const std::optional<std::string_view>& raw) {
    if (!raw) return {};
    if (!foreign_octets_ || !has_high_octet(*raw)) return attribute_text(*raw, scratch_);
    decoded_ = decoded(*raw, charset_);
    return attribute_text(decoded_, scratch_);
  }

  const Charset& charset_;
  const bool foreign_octets_ =  ///< those that are not ASCII need decoding; what is not like ASCII is decoded
      !charset_.is_utf8() && charset_.like_ascii();
  base::Url base_;
  const PageOptions& options_;
  Page& page_;
  LinkSet& links_;
  std::string scratch_;
  std::string decoded_;
  std::string encoded_;
  std::size_t before_ = 0;  ///< references that came from elsewhere
  bool base_read_ = false;
  bool late_base_ = false;
};

}  // namespace

void read_html(std::string_view html, const Charset& charset, bool xml, const base::Url& url,
               const PageOptions& options, Page& page, LinkSet& links) {
  HtmlReader reader(charset, url, options, page, links);
  const HtmlSyntax syntax{xml, options.embeds};
  if (charset.like_ascii()) {
    reader.read(html, syntax);
  } else {
    reader.read(decoded(html, charset), syntax);
  }
}

std::string title_text(std::string_view text) {
  std::string out;
  bool gap = false;
  while (!text.empty() && out.size() < kTitleOctetsMax) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first <= 0x20 || first == 0x7F) {
      gap = !out.empty();
      text.remove_prefix(1);
      continue;
    }
    std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    size = std::min(size, text.size());
    const bool good = is_valid_utf8(text.substr(0, size));
    const std::string_view shown = good ? text.substr(0, size) : "\xEF\xBF\xBD";
    if (out.size() + shown.size() + (gap ? 1 : 0) > kTitleOctetsMax) break;
    if (gap) out += ' ';
    gap = false;
    out += shown;
    text.remove_prefix(good ? size : 1);
  }
  return out;
}

}  // namespace crawler
