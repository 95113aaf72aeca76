#include "config/suggest.h"

#include "config/ascii.h"
#include "config/keys.h"
#include "config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace config {
namespace {

/// A section and the name of a key or section inside it.
struct Name {
  std::string_view section;
  std::string_view name;
};

std::vector<Name> all_names() {
  std::vector<Name> names{{"", kIncludeKey}};
  std::string_view previous;
  for (const auto& key : keys()) {
    // Each section on the way that the key before did not have.
    for (std::size_t dot = key.spec.path.find('.'); dot != std::string_view::npos;
         dot = key.spec.path.find('.', dot + 1)) {
      const std::string_view section = key.spec.path.substr(0, dot);
      if (!previous.starts_with(key.spec.path.substr(0, dot + 1)))
        names.push_back({parent_of(section), last_part(section)});
    }
    names.push_back({parent_of(key.spec.path), last_part(key.spec.path)});
    previous = key.spec.path;
  }
  for (const auto& key : host_keys()) names.push_back({kHostSection, key.spec.path});
  return names;
}

char plain(char c) {
  return c == '-' || c == ' ' ? '_' : ascii_lower(c);
}

std::string full_path(const Name& name) {
  return name.section.empty() ? std::string(name.name) : fmt::format("{}.{}", name.section, name.name);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table; the oldest one is for swaps.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = plain(a[i - 1]) == plain(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kSuggestedOctetsMax) return {};
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best || distance >= candidate.size()) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

std::string did_you_mean(std::string_view suggestion) {
  return suggestion.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", suggestion);
}

std::string hint_for_unknown_key(std::string_view section, std::string_view key) {
  const std::vector<Name> names = all_names();
  if (key.empty() || key.size() > kSuggestedOctetsMax) return {};
  if (key.find('.') != std::string_view::npos) {
    for (const std::string& path : {std::string(key), full_path({section, key})}) {
      if (find_key(path) == nullptr && !is_section(path)) continue;
      return fmt::format(" (write \"{}\" indented under \"{}\")", last_part(path), parent_of(path));
    }
  }
  std::vector<std::string_view> siblings;
  for (const Name& name : names) {
    if (name.section == section) siblings.push_back(name.name);
  }
  const std::string_view sibling = nearest(key, siblings);
  if (!sibling.empty() && edit_distance(key, sibling) == 0) return did_you_mean(sibling);
  for (const Name& name : names) {
    if (edit_distance(key, name.name) != 0) continue;
    if (name.section.empty()) return fmt::format(" (\"{}\" belongs at the top level)", name.name);
    return fmt::format(" (\"{}\" belongs under \"{}\")", name.name, name.section);
  }
  if (!sibling.empty()) return did_you_mean(sibling);

  std::vector<std::string_view> everywhere;
  everywhere.reserve(names.size());
  for (const Name& name : names) everywhere.push_back(name.name);
  const std::string_view other = nearest(key, everywhere);
  const auto at = std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.name == other; });
  return at == names.end() ? std::string() : did_you_mean(full_path(*at));
}

}  // namespace config
