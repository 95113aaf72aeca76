// RFC 8288 §3 and appendix B.2, which asks to be lenient: what cannot be read is skipped up to the next
// comma.
#include "crawler/html_text.h"
#include "crawler/links.h"
#include "crawler/relation.h"

#include <string>

namespace crawler {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::string_view taken = text.substr(0, std::min(text.find_first_of(ends), text.size()));
  text.remove_prefix(taken.size());
  return taken;
}

/// Behind the opening quote; takes the closing one too. `\x` stands for `x`.
std::string take_quoted(std::string_view& text) {
  std::string out;
  while (!text.empty() && text.front() != '"') {
    if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
    out += text.front();
    text.remove_prefix(1);
  }
  if (!text.empty()) text.remove_prefix(1);
  return out;
}

std::string take_value(std::string_view& text) {
  if (text.starts_with('"')) {
    text.remove_prefix(1);
    return take_quoted(text);
  }
  return std::string(without_space_around(take_until(text, ";,")));
}

struct Target {
  std::string_view reference;
  std::optional<std::string> rel;  ///< of several the first counts (§3.3)
  bool elsewhere = false;          ///< the link does not begin at this page
};

/// Parameters up to the comma that ends the link, or to the end.
void take_parameters(std::string_view& text, Target& target) {
  while (!text.empty() && text.front() != ',') {
    if (text.front() != ';') {  // behind a quoted value, say
      take_until(text, ";,");
      continue;
    }
    text.remove_prefix(1);
    skip_blanks(text);
    const std::string_view name = without_space_around(take_until(text, "=;,"));
    if (!text.starts_with('=')) continue;
    text.remove_prefix(1);
    skip_blanks(text);
    std::string value = take_value(text);
    if (same_word(name, "anchor")) target.elsewhere = true;
    if (same_word(name, "rel") && !target.rel) target.rel = std::move(value);
  }
}

/// Takes one link off the front of a value. Nothing when there is no `<…>`.
std::optional<Target> take_link(std::string_view& text) {
  Target target;
  skip_blanks(text);
  const bool good = text.starts_with('<');
  if (good && text.find('>') == std::string_view::npos) {  // nor can there be another behind it
    text = {};
    return std::nullopt;
  }
  if (good) {
    text.remove_prefix(1);
    target.reference = take_until(text, ">");
    text.remove_prefix(1);
  } else {
    take_until(text, ";,");
  }
  take_parameters(text, target);
  if (!text.empty()) text.remove_prefix(1);
  return good ? std::optional(std::move(target)) : std::nullopt;
}

}  // namespace

std::vector<Link> read_link_header(std::string_view value, const base::Url& base) {
  std::vector<Link> links;
  value = value.substr(0, kLinkHeaderOctetsMax);
  while (!value.empty()) {
    std::string_view line = take_until(value, "\n");
    if (!value.empty()) value.remove_prefix(1);
    while (!line.empty()) {
      const auto target = take_link(line);
      if (!target || !target->rel || target->elsewhere) continue;
      const auto url = base::Url::resolve(target->reference, base);
      if (!url) continue;
      const Relation relation = read_relation(*target->rel);
      each_kind(relation, [&](LinkKind kind) {
        if (links.size() < kLinkHeaderLinksMax) links.push_back({*url, kind, relation.nofollow});
      });
    }
  }
  return links;
}

}  // namespace crawler
