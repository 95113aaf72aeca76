#pragma once
// Tags of an HTML page that can hold links, in order (WHATWG HTML §13.2.5, without building a tree).
// Scripting counts as off: <noscript> is read.
#include "crawler/html_foreign.h"
#include "crawler/html_names.h"

#include <array>
#include <optional>
#include <string_view>

namespace crawler {

enum class Attribute : std::uint8_t {
  href,
  src,
  rel,
  name,
  content,
  http_equiv,
  charset,
  srcset,
  poster,
  data
};
inline constexpr std::size_t kAttributes = 10;

class StartTag {
 public:
  Element element = Element::other;
  std::string_view text;  ///< of a title: its content as written

  /// As written, character references included: see attribute_text(). Of two with the same name the first
  /// counts.
  std::optional<std::string_view> operator[](Attribute a) const {
    const auto place = static_cast<std::size_t>(a);
    return (present_ >> place & 1U) != 0 ? std::optional(values_[place]) : std::nullopt;
  }

 private:
  friend class HtmlTokenizer;
  void begin(Element of) {
    element = of;
    text = {};
    present_ = 0;
  }
  void set(Attribute a, std::string_view value) {
    const auto place = static_cast<std::size_t>(a);
    if ((present_ >> place & 1U) == 0) values_[place] = value;
    present_ |= 1U << place;
  }

  std::array<std::string_view, kAttributes> values_;
  unsigned present_ = 0;  ///< a bit for each attribute: cheaper to empty than the values
};

struct HtmlSyntax {
  bool xml = false;     ///< XHTML that says so: `<script/>` ends itself, and CDATA may be anywhere
  bool embeds = false;  ///< elements that embed something are wanted too
};

/// Reads octets of an encoding that agrees with ASCII. `html` has to outlive it and the tags. Linear time, no
/// limits needed: it stores nothing.
class HtmlTokenizer {
 public:
  explicit HtmlTokenizer(std::string_view html, HtmlSyntax syntax = {})
      : html_(html), last_(syntax.embeds ? Element::script : Element::title), xml_(syntax.xml) {}

  /// The next start tag of a, area, base, frame, iframe, link, meta or title (and of those that embed); false
  /// at the end.
  bool next(StartTag& tag);

 private:
  bool read_start_tag(StartTag& tag);
  bool is_wanted(Element element, bool foreign) const;
  void skip_content(const ElementTraits& traits, std::string_view name);
  void read_end_tag();
  void skip_declaration();
  void skip_comment();
  void skip_past(std::string_view end);
  std::string_view take_name();
  std::string_view take_value();
  bool read_attributes(StartTag* tag, bool& self_closing);
  bool skip_attributes();
  void skip_raw_text(std::string_view name);
  void skip_script();
  void skip_spaces();
  bool ends_element(std::size_t at, std::string_view name) const;
  bool at_word(std::size_t at, std::string_view word) const;

  std::string_view html_;
  Element last_;
  bool xml_;
  std::size_t at_ = 0;
  ForeignContent foreign_;
};

}  // namespace crawler
