#include "crawler/html_names.h"

#include "crawler/html_text.h"

#include <array>

namespace crawler {
namespace {

/// Up to 16 octets of a name in lower case, as two numbers: one comparison instead of a loop.
struct PackedName {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(const PackedName&, const PackedName&) = default;
};
constexpr std::size_t kNameOctetsMax = 16;

constexpr PackedName packed(std::string_view name) {
  PackedName out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::uint64_t& half = i < 8 ? out.low : out.high;
    half = half << 8 | static_cast<unsigned char>(lowered(name[i]));
  }
  return out;
}

struct Slot {
  PackedName name;
  ElementTraits traits;
};
constexpr std::size_t kSlots = 256;

constexpr std::size_t slot_of(const PackedName& name) {
  return static_cast<std::size_t>((name.low ^ name.high) * 0x9E3779B97F4A7C15U >> 56U);
}

class Table {
 public:
  constexpr Table() {
    constexpr std::string_view kRaw[] = {"iframe", "noembed",  "noframes", "script",
                                         "style",  "textarea", "title",    "xmp"};
    constexpr std::string_view kBreakouts[] = {
        "b",    "big",    "blockquote", "body", "br",      "center", "code", "dd",    "div",    "dl", "dt",
        "em",   "h1",     "h2",         "h3",   "h4",      "h5",     "h6",   "head",  "hr",     "i",  "embed",
        "img",  "li",     "ol",         "p",    "listing", "menu",   "meta", "nobr",  "pre",    "s",  "tt",
        "ruby", "strong", "small",      "u",    "sub",     "span",   "sup",  "table", "strike", "ul", "var"};
    add(Element::a, "a");
    add(Element::area, "area");
    add(Element::base, "base");
    add(Element::frame, "frame");
    add(Element::iframe, "iframe");
    add(Element::link, "link");
    add(Element::meta, "meta");
    add(Element::title, "title");
    add(Element::img, "img");
    add(Element::source, "source");
    add(Element::video, "video");
    add(Element::audio, "audio");
    add(Element::object, "object");
    add(Element::embed, "embed");
    add(Element::script, "script");
    add(Element::plaintext, "plaintext");
    add(Element::svg, "svg");
    add(Element::math, "math");
    for (const auto name : kRaw) at(name).raw_text = true;
    for (const auto name : kRaw) note(name);
    for (const auto name : kBreakouts) at(name).breaks_out = true;
    for (const auto name : {"foreignobject", "desc", "title"}) at(name).svg_html = true;
    for (const auto name : {"mi", "mo", "mn", "ms", "mtext", "annotation-xml"}) at(name).math_html = true;
  }

  /// False: `name` has neither an element nor raw text.
  constexpr bool may_act_in_html(std::string_view name) const {
    return (sizes_[static_cast<unsigned char>(name[0]) & 31U] >> name.size() & 1U) != 0;
  }

  constexpr const ElementTraits& find(const PackedName& name) const {
    for (std::size_t i = slot_of(name);; i = (i + 1) % kSlots) {
      if (slots_[i].name == name || slots_[i].name == PackedName{}) return slots_[i].traits;
    }
  }

 private:
  constexpr ElementTraits& at(std::string_view name) {
    const PackedName key = packed(name);
    std::size_t i = slot_of(key);
    while (!(slots_[i].name == key) && !(slots_[i].name == PackedName{})) i = (i + 1) % kSlots;
    slots_[i].name = key;
    return slots_[i].traits;
  }
  constexpr void add(Element element, std::string_view name) {
    at(name).element = element;
    note(name);
  }
  constexpr void note(std::string_view name) {
    sizes_[static_cast<unsigned char>(name[0]) & 31U] |= 1U << name.size();
  }

  /// Sizes that names have, by their first letter (in either case): nearly every other name falls through.
  std::array<std::uint32_t, 32> sizes_{};
  std::array<Slot, kSlots> slots_{};
};

constexpr Table kTable;
constexpr ElementTraits kOther;

}  // namespace

const ElementTraits& traits_of(std::string_view name) {
  return name.empty() || name.size() > kNameOctetsMax ? kOther : kTable.find(packed(name));
}

const ElementTraits& traits_in_html(std::string_view name) {
  if (name.empty() || name.size() > kNameOctetsMax || !kTable.may_act_in_html(name)) return kOther;
  return kTable.find(packed(name));
}

}  // namespace crawler
