// A second opinion: gumbo builds the whole tree; the <a href> that it finds, and what its elements embed,
// have to be those that our tokenizer finds. The pages are made of whatever is hard to tokenize. gumbo itself
// aborts on some inputs (nested templates, frames in odd places), and its tree drops tags inside <select>:
// such pieces are left out.
#include <gtest/gtest.h>

#ifndef CRAWLD_GUMBO
TEST(LinksLikeGumbo, OverGeneratedPages) {
  GTEST_SKIP() << "built without libgumbo-dev";
}
#else
#include "base/random.h"
#include "crawler/html_entities.h"
#include "crawler/html_tokenizer.h"

#include <gumbo.h>

#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace crawler {
namespace {

using Hrefs = std::set<std::string>;

/// Attribute that leads from one of these, and from all of them.
struct Leads {
  Element ours;
  GumboTag gumbo;
  Attribute attribute;
  const char* name;
};
constexpr Leads kLeads[] = {
    {Element::a, GUMBO_TAG_A, Attribute::href, "href"},
    {Element::img, GUMBO_TAG_IMG, Attribute::src, "src"},
    {Element::img, GUMBO_TAG_IMG, Attribute::srcset, "srcset"},
    {Element::source, GUMBO_TAG_SOURCE, Attribute::srcset, "srcset"},
    {Element::video, GUMBO_TAG_VIDEO, Attribute::poster, "poster"},
    {Element::audio, GUMBO_TAG_AUDIO, Attribute::src, "src"},
    {Element::object, GUMBO_TAG_OBJECT, Attribute::data, "data"},
    {Element::embed, GUMBO_TAG_EMBED, Attribute::src, "src"},
    {Element::script, GUMBO_TAG_SCRIPT, Attribute::src, "src"},
};

Hrefs our_hrefs(std::string_view html) {
  Hrefs out;
  std::string scratch;
  HtmlTokenizer tokenizer(html, {false, true});
  for (StartTag tag; tokenizer.next(tag);) {
    for (const Leads& one : kLeads) {
      if (tag.element != one.ours || !tag[one.attribute]) continue;
      out.insert(one.name + ("=" + std::string(attribute_text(*tag[one.attribute], scratch))));
    }
  }
  return out;
}

Hrefs gumbo_hrefs(std::string_view html) {
  const auto destroy = [](GumboOutput* output) { gumbo_destroy_output(&kGumboDefaultOptions, output); };
  const std::unique_ptr<GumboOutput, decltype(destroy)> output(
      gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size()), destroy);
  Hrefs out;
  std::vector<const GumboNode*> open = {output->document};
  while (!open.empty()) {
    const GumboNode& node = *open.back();
    open.pop_back();
    const GumboVector* children = nullptr;
    if (node.type == GUMBO_NODE_DOCUMENT) children = &node.v.document.children;
    if (node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE) {
      children = &node.v.element.children;
      for (const Leads& one : kLeads) {
        const GumboAttribute* found = gumbo_get_attribute(&node.v.element.attributes, one.name);
        const bool wanted = node.v.element.tag == one.gumbo && found != nullptr;
        const bool foreign = node.v.element.tag_namespace != GUMBO_NAMESPACE_HTML && one.ours != Element::a;
        if (wanted && !foreign) out.insert(one.name + ("=" + std::string(found->value)));
      }
    }
    for (unsigned i = 0; children != nullptr && i < children->length; ++i) {
      open.push_back(static_cast<const GumboNode*>(children->data[i]));
    }
  }
  return out;
}

class PageMaker {
 public:
  explicit PageMaker(std::uint64_t seed) : random_(seed) {}

  std::string page() {
    std::string html = one_of({"", "<!DOCTYPE html>", "<html><head>", "<!doctype a 'b>", "\xEF\xBB\xBF"});
    const std::uint64_t pieces = 1 + random_.below(12);
    for (std::uint64_t i = 0; i < pieces; ++i) html += piece();
    if (random_.below(8) == 0) html.resize(static_cast<std::size_t>(random_.below(html.size() + 1)));
    return html;
  }

 private:
  std::string one_of(std::initializer_list<std::string_view> choices) {
    return std::string(choices.begin()[random_.below(choices.size())]);
  }

  std::string value() {
    std::string text = std::to_string(random_.below(1000));
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      text += one_of({"&amp;",      "&amp",
                      "&lt",        "&copy",
                      "&copy=",     "&copy;",
                      "&notin;",    "&notit;",
                      "&not",       "&#65;",
                      "&#x41",      "&#x80;",
                      "&#0;",       "&#xD800;",
                      "&#;",        "&#x",
                      "&",          "&;",
                      "a",          "/",
                      "?",          "=",
                      "\xC3\xA9",   "&Aacute",
                      "&fjlig;",    "&NotEqualTilde;",
                      "&#1114112;", "&hearts",
                      "&ngE;"});
    }
    return text;
  }

  std::string attribute() {
    const std::string space = one_of({" ", "\n", "\t", "/", " / ", "  "});
    const std::string name = one_of({"href", "HREF", "hRef", "title", "class", "x", "data-href", "href2", "=",
                                     "src", "SRCSET", "poster", "data"});
    const std::string equals = one_of({"=", " =", "= ", "\n=\n", "="});
    switch (random_.below(6)) {
      case 0: return space + name;
      case 1: return space + name + equals + '\'' + value() + one_of({"", ">", "\"", "<a href=q>"}) + '\'';
      case 2: return space + name + equals + '"' + value() + one_of({"", ">", "'", "-->"}) + '"';
      default: return space + name + equals + value();
    }
  }

  std::string anchor() {
    std::string tag = one_of({"<a", "<A"});
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) tag += attribute();
    return tag + one_of({">", " >", "/>", " />", ">text</a>"});
  }

  std::string embed() {
    std::string tag =
        one_of({"<img", "<IMG", "<source", "<video", "<audio", "<object", "<embed", "<picture"});
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) tag += attribute();
    return tag + one_of({">", " >", "/>", " />"});
  }

  std::string raw_text() {
    const std::string name =
        one_of({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"});
    std::string html = "<" + name + one_of({"", " a='>'", "/"}) + ">";
    const std::uint64_t count = random_.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      html += one_of({"<!--",  "-->",       "--!>",       "<script>", "<script ", "</script", "<",
                      ">",     "-",         "--",         "text",     "</",       "</style>", "<a href=raw>",
                      "<!-->", "<scripts>", "</scripts>", "</titl",   "&lt;",     "<SCRIPT/>"});
    }
    return html + one_of({"</", "</", "</"}) + name +
           one_of({">", ">", " >", "/>", "\n>", " a=b>", " x='>'>"});
  }

  std::string comment() {
    std::string html = one_of(
        {"<!--", "<!-", "<!", "<?", "</ ", "</1", "<![CDATA[", "<!DOCTYPE x \"", "<!-->", "<!--->", "</>"});
    const std::uint64_t count = random_.below(5);
    for (std::uint64_t i = 0; i < count; ++i)
      html += one_of({"-", "--", "!", ">", "<", "<!--", "a", " ", "<a href=c>", "--!>"});
    return html + one_of({"-->", "-->", "--!>", ">", ""});
  }

  std::string foreign() {
    std::string html = one_of({"<svg>", "<svg a=b>", "<math>", "<svg/>"});
    const std::uint64_t count = random_.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      html += one_of({"<style/>", "<title/>", "<g>", "<path d='>'/>", "<style>x</style>", "<title>t</title>",
                      "<script/>", "<![CDATA[>]]<a href=cdata>]]>", "<mi>x</mi>"});
      if (random_.below(2) == 0) html += anchor();
    }
    return html + one_of({"</svg>", "</math>", "<p>", "<div>", "</svg>"}) + "<p>";
  }

  std::string piece() {
    switch (random_.below(12)) {
      case 10: return embed();
      case 11: return "<script" + attribute() + one_of({">", "/>", " >"}) + "x</script>";
      case 0: return raw_text();
      case 1: return comment();
      case 2: return foreign();
      case 3:
        return one_of({"<p>", "</p>", "<div id='>'>", "</div>", "<b>", "</b>", "<noscript>", "</noscript>",
                       "</a>", "<table><tr><td>", "</table>", "<ul><li>", "<br/>", "<img src=x>",
                       "</a x='>'>", "<body>", "<h1>"});
      case 4:
        return one_of({"text", "a < b", "<<", "<3", "&amp;", "a > b", "<>", "< a href=no>", "\r\n", "<a"});
      default: return anchor();
    }
  }

  base::Random random_;
};

TEST(LinksLikeGumbo, OverGeneratedPages) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const std::string html = PageMaker(seed).page();
    const Hrefs expected = gumbo_hrefs(html);
    ASSERT_EQ(our_hrefs(html), expected) << "seed " << seed << "\n" << html;
    found += expected.size();
  }
  EXPECT_GT(found, 15'000U);
}

}  // namespace
}  // namespace crawler
#endif
