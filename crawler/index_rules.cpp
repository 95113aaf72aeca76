#include "crawler/index_rules.h"

#include "crawler/dates.h"
#include "crawler/html_text.h"

#include <algorithm>

namespace crawler {
namespace {

void add_rule(std::string_view word, IndexRules& rules) {
  const bool none = same_word(word, "none");
  if (none || same_word(word, "nofollow")) rules.nofollow = true;
  if (none || same_word(word, "noindex")) rules.noindex = true;
  if (same_word(word, "noarchive")) rules.noarchive = true;
}

/// Rules of other crawlers that are written `name: value`, and so look like a token in front of a rule.
bool takes_value(std::string_view name) {
  for (const char* known : {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}) {
    if (same_word(name, known)) return true;
  }
  return false;
}

/// Takes the value of rule `name`, behind its colon, off `text`. A date that cannot be read is as good as
/// none: its words are rules then, or mean nothing.
void take_value(std::string_view name, std::string_view& text, bool ours, IndexRules& rules) {
  if (!same_word(name, "unavailable_after")) {
    take_word(text);
    return;
  }
  IndexRules end;
  end.unavailable_after = take_date(text);
  if (ours) rules.add(end);
}

/// A colon in a time of day or a date makes no token.
bool can_be_token(std::string_view name) {
  return !name.empty() && (is_letter(name[0]) || name == "*");
}

/// Each `token:` holds for what follows it, up to the next one.
void add_tag_line(std::string_view line, const std::vector<std::string>& tokens, IndexRules& rules) {
  bool ours = true;
  const char* const end = line.data() + line.size();
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::size_t colon = word.find(':');
    const std::string_view name = word.substr(0, colon);
    if (colon == std::string_view::npos) {
      if (ours) add_rule(word, rules);
      continue;
    }
    const char* const behind = name.data() + colon + 1;
    if (takes_value(name)) {
      line = {behind, end};
      take_value(name, line, ours, rules);
    } else if (can_be_token(name)) {
      ours = name == "*" || same_word(name, "robots") || is_our_token(name, tokens);
      line = {behind, end};
    }
  }
}

}  // namespace

void IndexRules::add(const IndexRules& more) {
  nofollow = nofollow || more.nofollow;
  noindex = noindex || more.noindex;
  noarchive = noarchive || more.noarchive;
  if (!more.unavailable_after) return;
  unavailable_after = std::min(*more.unavailable_after, unavailable_after.value_or(*more.unavailable_after));
}

bool is_our_token(std::string_view name, const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    if (same_word(name, token)) return true;
  }
  return false;
}

void add_meta_rules(std::string_view content, IndexRules& rules) {
  const char* const end = content.data() + content.size();
  for (std::string_view word = take_word(content); !word.empty(); word = take_word(content)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
      add_rule(word, rules);
    } else if (takes_value(word.substr(0, colon)) || colon + 1 == word.size()) {
      content = {word.data() + colon + 1, end};
      take_value(word.substr(0, colon), content, true, rules);
    }
  }
}

IndexRules read_robots_tag(std::string_view value, const std::vector<std::string>& tokens) {
  IndexRules rules;
  bool more = true;
  while (more) {
    const std::size_t end = value.find('\n');
    more = end != std::string_view::npos;
    add_tag_line(value.substr(0, end), tokens, rules);
    if (more) value.remove_prefix(end + 1);
  }
  return rules;
}

}  // namespace crawler
