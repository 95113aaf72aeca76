#include "robots/groups.h"

#include <algorithm>

namespace robots {
namespace {

/// A run of User-agent records and what stands under it. Other groups' records may lie between its
/// User-agents.
struct Section {
  std::size_t begin = 0;
  std::size_t end = 0;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool is_token(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '-';
}

/// The robot that a User-agent value names: its leading token, `*` for everyone, or nobody.
std::string_view named(std::string_view value) {
  if (value.starts_with('*'))
    return value.size() > 1 && is_token(value[1]) ? std::string_view{} : value.substr(0, 1);
  return value.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(value, is_token) - value.begin()));
}

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Whether a record of this kind ends the run of User-agent records before it.
bool ends_run(Key key, config::Grouping grouping) {
  switch (key) {
    case Key::allow:
    case Key::disallow: return true;
    case Key::crawl_delay:
    case Key::request_rate:
    case Key::robot_version:
    case Key::visit_time: return grouping == config::Grouping::section;
    case Key::user_agent:
    case Key::sitemap:
    case Key::ignored: return false;
  }
  return false;
}

std::vector<Section> sections_of(const std::vector<Record>& records, config::Grouping grouping) {
  std::vector<Section> sections;
  bool in_run = false;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].key == Key::user_agent && !in_run) {
      sections.push_back({i, i});
      in_run = true;
    } else if (ends_run(records[i].key, grouping)) {
      in_run = false;
    }
    if (!sections.empty()) sections.back().end = i + 1;
  }
  return sections;
}

/// Whom the file's best group for us names: a token of ours, `*`, or nobody.
std::string choose_name(const std::vector<Record>& records, std::span<const std::string> tokens) {
  std::size_t best = tokens.size() + 1;
  for (const Record& record : records) {
    if (record.key != Key::user_agent) continue;
    const std::string_view name = named(record.value);
    if (name == "*") best = std::min(best, tokens.size());
    const auto found =
        std::ranges::find_if(tokens, [name](const std::string& token) { return same(token, name); });
    if (found != tokens.end()) best = std::min(best, static_cast<std::size_t>(found - tokens.begin()));
  }
  if (best < tokens.size()) return tokens[best];
  return best == tokens.size() ? "*" : "";
}

bool is_version2(std::string_view value) {
  return value == "2" || value == "2.0" || value == "2.0.0";
}

/// Adds the records of one section of ours.
void add_section(std::span<const Record> records, const config::Robots& options, Group& group,
                 Warnings& warnings) {
  bool version2 = false;
  bool after_agent = false;
  for (const Record& record : records) {
    switch (record.key) {
      case Key::user_agent: after_agent = true; continue;
      case Key::sitemap:
      case Key::ignored: continue;  // they belong to no section
      case Key::robot_version:
        if (after_agent && options.version2) {
          version2 = is_version2(record.value);
        } else if (options.version2) {
          warnings.add(record.line, "Robot-version is not the first record of its section: ignored");
        }
        break;
      default: group.members.push_back({record, version2});
    }
    after_agent = false;
  }
}

}  // namespace

Group choose_group(const std::vector<Record>& records, std::span<const std::string> tokens,
                   const config::Robots& options, Warnings& warnings) {
  Group group;
  group.name = choose_name(records, tokens);
  group.members.reserve(records.size());
  const std::vector<Section> sections = sections_of(records, options.grouping);
  const std::size_t first = sections.empty() ? records.size() : sections.front().begin;
  for (const Record& record : std::span(records).first(first)) {
    if (record.key == Key::crawl_delay) {
      group.before.push_back(record);
    } else if (record.key != Key::sitemap && record.key != Key::ignored) {
      warnings.add(record.line, "before the first User-agent: ignored");
    }
  }
  for (const Section& section : sections) {
    const auto part = std::span(records).subspan(section.begin, section.end - section.begin);
    const bool ours = std::ranges::any_of(part, [&](const Record& record) {
      return record.key == Key::user_agent && !group.name.empty() && same(named(record.value), group.name);
    });
    if (ours) add_section(part, options, group, warnings);
  }
  return group;
}

}  // namespace robots
