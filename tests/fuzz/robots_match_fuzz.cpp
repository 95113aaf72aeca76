// Rules against the naive matcher. Lines: `1` or `2` for the version, `A…` and `D…` for rules, the last one
// is the target.
#include "robots/rules.h"
#include "tests/support/naive_match.h"

#include <algorithm>
#include <cstdlib>

namespace {

constexpr std::size_t kRules = 12;
constexpr std::size_t kRuleOctets = 60;
constexpr std::size_t kTargetOctets = 200;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back().push_back(c);
    }
  }
  return lines;
}

/// Whether `value` comes through the reader of lines unchanged, and is a rule.
bool is_plain(std::string_view value) {
  const auto ends = [](char c) { return c == '\0' || c == '\r' || c == '#'; };
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; };
  return !value.empty() && value.size() <= kRuleOctets && (value[0] == '/' || value[0] == '*') &&
         std::ranges::none_of(value, ends) && !blank(value.back());
}

/// Whether the naive reader of version 2.0 can tell signs from characters here.
bool is_clear(std::string_view value) {
  for (std::size_t i = 0; i + 2 < value.size(); ++i) {
    if (value[i] != '%') continue;
    const std::vector<std::string> read = naive::characters(value.substr(i, 3));
    if (read.size() == 1 && (read[0].size() == 1 || read[0] == "%5C" || read[0] == "%5E")) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> lines = lines_of({reinterpret_cast<const char*>(data), size});
  if (lines.size() < 3 || lines.size() > kRules + 2 || lines.back().size() > kTargetOctets) return 0;
  const bool version2 = lines[0] == "2";
  std::string text = version2 ? "User-agent: *\nRobot-version: 2.0\n" : "User-agent: *\n";
  std::vector<naive::Rule> rules;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const bool allow = lines[i].starts_with('A');
    const std::string value = lines[i].substr(std::min<std::size_t>(1, lines[i].size()));
    if (!is_plain(value) || (version2 && !is_clear(value))) return 0;
    rules.push_back({allow, value});
    text += (allow ? "Allow: " : "Disallow: ") + value + "\n";
  }
  const std::string target = "/" + lines.back();
  const std::vector<std::string> tokens{"crawld"};
  const bool found = robots::Rules::parse(text, tokens, {}).check(target).allowed;
  if (found != naive::Group(rules, version2).allows(target)) std::abort();
  return 0;
}
