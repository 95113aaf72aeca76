// Most of a page is text, and tags that lead nowhere: neither is looked at octet by octet. at_ only grows,
// and a construct that the end of the page cuts off moves it there, so that the time is linear.
#include "crawler/html_tokenizer.h"

#include "crawler/html_text.h"
#include "crawler/octets.h"

#include <algorithm>

namespace crawler {
namespace {

constexpr auto kNowhere = std::string_view::npos;

constexpr std::array<bool, 256> name_ends() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view(" \t\n\f\r/>")) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kEndsName = name_ends();
constexpr bool ends_name(char c) {
  return kEndsName[static_cast<unsigned char>(c)];
}

std::optional<Attribute> attribute_called(std::string_view name) {
  switch (name.size()) {
    case 3:
      if (same_word(name, "src")) return Attribute::src;
      if (same_word(name, "rel")) return Attribute::rel;
      break;
    case 4:
      if (same_word(name, "href")) return Attribute::href;
      if (same_word(name, "name")) return Attribute::name;
      if (same_word(name, "data")) return Attribute::data;
      break;
    case 6:
      if (same_word(name, "srcset")) return Attribute::srcset;
      if (same_word(name, "poster")) return Attribute::poster;
      break;
    case 7:
      if (same_word(name, "content")) return Attribute::content;
      if (same_word(name, "charset")) return Attribute::charset;
      break;
    case 10:
      if (same_word(name, "http-equiv")) return Attribute::http_equiv;
      break;
    default: break;
  }
  return std::nullopt;
}

}  // namespace

bool HtmlTokenizer::next(StartTag& tag) {
  while (true) {
    const std::size_t open = find_octet(html_, at_, '<');
    if (open + 1 >= html_.size()) {
      at_ = html_.size();
      return false;
    }
    at_ = open + 1;
    const char c = html_[at_];
    if (is_letter(c)) {
      if (read_start_tag(tag)) return true;
    } else if (c == '/') {
      read_end_tag();
    } else if (c == '!') {
      skip_declaration();
    } else if (c == '?') {
      skip_past(xml_ ? "?>" : ">");
    }
  }
}

/// Of SVG and MathML only <a> leads anywhere.
bool HtmlTokenizer::is_wanted(Element element, bool foreign) const {
  if (foreign) return element == Element::a;
  return element >= Element::a && element <= last_;
}

bool HtmlTokenizer::read_start_tag(StartTag& tag) {
  const std::string_view name = take_name();
  const ElementTraits& traits = foreign_.inside() ? traits_of(name) : traits_in_html(name);
  if (traits.breaks_out && !xml_) foreign_.break_out();
  const bool foreign = foreign_.inside();
  const bool wanted = is_wanted(traits.element, foreign);
  if (wanted) tag.begin(traits.element);
  const bool border = foreign || traits.element == Element::svg || traits.element == Element::math;
  bool self_closing = false;
  const bool whole =
      wanted || border ? read_attributes(wanted ? &tag : nullptr, self_closing) : skip_attributes();
  if (!whole) return false;
  if (border) {
    if (!self_closing) foreign_.start(traits);
    return wanted;
  }
  const std::size_t content = at_;
  if (!xml_) skip_content(traits, name);
  if (wanted && traits.element == Element::title) {
    tag.text = html_.substr(content, (xml_ ? std::min(html_.find('<', at_), html_.size()) : at_) - content);
  }
  return wanted;
}

/// What has no tags in it.
void HtmlTokenizer::skip_content(const ElementTraits& traits, std::string_view name) {
  if (traits.element == Element::plaintext) {
    at_ = html_.size();
  } else if (traits.element == Element::script) {
    skip_script();
  } else if (traits.raw_text) {
    skip_raw_text(name);
  }
}

void HtmlTokenizer::read_end_tag() {
  ++at_;
  if (at_ == html_.size()) return;
  if (!is_letter(html_[at_])) return skip_past(">");
  if (foreign_.empty()) {  // then nothing can end, and only where the tag does matters
    const std::size_t stop = find_either(html_, at_, '>', '=');
    if (stop < html_.size() && html_[stop] == '>') {
      at_ = stop + 1;
    } else {
      take_name();
      skip_attributes();
    }
    return;
  }
  const ElementTraits& traits = traits_of(take_name());
  bool self_closing = false;
  if (read_attributes(nullptr, self_closing)) foreign_.end(traits);
}

void HtmlTokenizer::skip_declaration() {
  ++at_;
  const std::string_view rest = html_.substr(at_);
  if (rest.starts_with("--")) return skip_comment();
  if (rest.starts_with("[CDATA[") && (xml_ || foreign_.inside())) return skip_past("]]>");
  skip_past(">");  // a DOCTYPE too: not even quotes hide its end
}

/// At the dashes of `<!--`. They may be part of the end: `<!-->` and `<!--->` are whole comments, `<!--!>` is
/// none.
void HtmlTokenizer::skip_comment() {
  const std::size_t start = at_;
  for (std::size_t end = start; (end = html_.find('>', end)) != kNowhere; ++end) {
    const std::string_view inside = html_.substr(start, end - start);
    if (inside.ends_with("--") || (inside.size() >= 5 && inside.ends_with("--!"))) {
      at_ = end + 1;
      return;
    }
  }
  at_ = html_.size();
}

void HtmlTokenizer::skip_past(std::string_view end) {
  const std::size_t found = html_.find(end, at_);
  at_ = found == kNowhere ? html_.size() : found + end.size();
}

std::string_view HtmlTokenizer::take_name() {
  const std::size_t start = at_;
  while (at_ < html_.size() && !ends_name(html_[at_])) ++at_;
  return html_.substr(start, at_ - start);
}

void HtmlTokenizer::skip_spaces() {
  while (at_ < html_.size() && is_html_space(html_[at_])) ++at_;
}

/// Behind `=` and spaces.
std::string_view HtmlTokenizer::take_value() {
  if (at_ == html_.size()) return {};
  const char quote = html_[at_];
  if (quote == '"' || quote == '\'') {
    const std::size_t start = at_ + 1;
    const std::size_t end = find_octet(html_, start, quote);
    at_ = std::min(end + 1, html_.size());
    return html_.substr(start, end - start);
  }
  const std::size_t start = at_;
  while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '>') ++at_;
  return html_.substr(start, at_ - start);
}

/// Up to and with `>`. False when the page ends before: then there is no tag.
bool HtmlTokenizer::read_attributes(StartTag* tag, bool& self_closing) {
  while (true) {
    bool slash = false;
    while (at_ < html_.size() && (is_html_space(html_[at_]) || html_[at_] == '/'))
      slash = html_[at_++] == '/';
    if (at_ == html_.size()) return false;
    if (html_[at_] == '>') {
      ++at_;
      self_closing = slash;
      return true;
    }
    const std::size_t start = at_++;  // a first `=` belongs to the name
    while (at_ < html_.size() && !ends_name(html_[at_]) && html_[at_] != '=') ++at_;
    const std::string_view name = html_.substr(start, at_ - start);
    skip_spaces();
    std::string_view value;
    if (at_ < html_.size() && html_[at_] == '=') {
      ++at_;
      skip_spaces();
      value = take_value();
    }
    if (tag == nullptr) continue;
    const auto known = attribute_called(name);
    if (known) tag->set(*known, value);
  }
}

/// The same for a tag of which only the end matters. A `>` is that end unless it stands in a quoted value,
/// and a value stands behind a `=` that ends a name: so names need not be read, and a `=` that does something
/// else (begins a name, or follows blanks) is left to who reads them.
bool HtmlTokenizer::skip_attributes() {
  while (true) {
    const std::size_t stop = find_either(html_, at_, '>', '=');
    if (stop == html_.size()) {
      at_ = stop;
      return false;
    }
    if (html_[stop] == '>') {
      at_ = stop + 1;
      return true;
    }
    if (stop == at_ || ends_name(html_[stop - 1])) {
      bool self_closing = false;
      return read_attributes(nullptr, self_closing);
    }
    at_ = stop + 1;
    skip_spaces();
    take_value();
  }
}

bool HtmlTokenizer::at_word(std::size_t at, std::string_view word) const {
  return at + word.size() < html_.size() && same_word(html_.substr(at, word.size()), word) &&
         ends_name(html_[at + word.size()]);
}

/// Whether `</name` and a delimiter stand at `at`.
bool HtmlTokenizer::ends_element(std::size_t at, std::string_view name) const {
  return html_.substr(at, 2) == "</" && at_word(at + 2, name);
}

void HtmlTokenizer::skip_raw_text(std::string_view name) {
  while ((at_ = html_.find('<', at_)) != kNowhere) {
    if (ends_element(at_, name)) return;
    ++at_;
  }
  at_ = html_.size();
}

/// Script data (§13.2.5.15 and following): between `<!--` and `-->` another `<script>` hides the next
/// `</script>`.
void HtmlTokenizer::skip_script() {
  enum class State { plain, escaped, doubly_escaped };
  State state = State::plain;
  std::size_t dashes = 0;  // where those of `<!--` begin: they may serve for `-->`, what is before may not
  while (at_ < html_.size()) {
    at_ = find_either(html_, at_, '<', state == State::plain ? '<' : '>');
    if (at_ == html_.size()) break;
    if (html_[at_] == '>') {
      if (html_.substr(dashes, at_ - dashes).ends_with("--")) state = State::plain;
    } else if (state == State::doubly_escaped) {
      if (ends_element(at_, "script")) state = State::escaped;
    } else if (ends_element(at_, "script")) {
      return;
    } else if (state == State::escaped) {
      if (at_word(at_ + 1, "script")) state = State::doubly_escaped;
    } else if (html_.substr(at_, 4) == "<!--") {
      state = State::escaped;
      dashes = at_ + 2;
      ++at_;
    }
    ++at_;
  }
  at_ = html_.size();
}

}  // namespace crawler
