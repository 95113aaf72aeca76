#pragma once
// Tags of an HTML page that can hold links, in order (WHATWG HTML §13.2.5, without building a tree).
// Scripting counts as off: <noscript> is read.
#include "crawler/html_foreign.h"
#include "crawler/html_names.h"

#include <array>
#include <optional>
#include <string_view>

namespace crawler {

enum class Attribute : std::uint8_t { href, src, rel, name, content, http_equiv };
inline constexpr std::size_t kAttributes = 6;

struct StartTag {
  Element element = Element::other;
  /// As written, character references included: see attribute_text(). Of two with the same name the first
  /// counts.
  std::array<std::optional<std::string_view>, kAttributes> attributes;

  const std::optional<std::string_view>& operator[](Attribute a) const {
    return attributes[static_cast<std::size_t>(a)];
  }
};

/// Reads octets of an encoding that agrees with ASCII. `html` has to outlive it and the tags. Linear time, no
/// limits needed: it stores nothing.
class HtmlTokenizer {
 public:
  explicit HtmlTokenizer(std::string_view html) : html_(html) {}

  /// The next start tag of a, area, base, frame, iframe, link or meta; false at the end.
  bool next(StartTag& tag);

 private:
  bool read_start_tag(StartTag& tag);
  void read_end_tag();
  void skip_declaration();
  void skip_comment();
  void skip_past(std::string_view end);
  std::string_view take_name();
  std::string_view take_value();
  bool read_attributes(StartTag* tag, bool& self_closing);
  void skip_raw_text(std::string_view name);
  void skip_script();
  void skip_spaces();
  bool ends_element(std::size_t at, std::string_view name) const;
  bool at_word(std::size_t at, std::string_view word) const;

  std::string_view html_;
  std::size_t at_ = 0;
  ForeignContent foreign_;
};

}  // namespace crawler
