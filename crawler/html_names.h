#pragma once
// The element names that a reader of links has to know, and what each does to the tokenizer.
#include <cstdint>
#include <string_view>

namespace crawler {

enum class Element : std::uint8_t {
  other,
  a,
  area,
  base,
  frame,
  iframe,
  link,
  meta,
  title,
  img,  ///< from here to `script`: elements that embed something
  source,
  video,
  audio,
  object,
  embed,
  script,
  plaintext,
  svg,
  math,
};

struct ElementTraits {
  Element element = Element::other;
  bool raw_text = false;    ///< its content has no tags but its own end tag (RAWTEXT, RCDATA, script data)
  bool breaks_out = false;  ///< its start tag ends SVG and MathML (§13.2.6.5)
  bool svg_html = false;    ///< in SVG: its content is HTML again
  bool math_html = false;   ///< in MathML: its content is HTML again
};

/// Traits of the element called `name`, in any case; those of `other` for all the rest.
const ElementTraits& traits_of(std::string_view name);

/// The same where a tag stands in HTML. There `breaks_out`, `svg_html` and `math_html` mean nothing, and may
/// be missing.
const ElementTraits& traits_in_html(std::string_view name);

}  // namespace crawler
