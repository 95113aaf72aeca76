#pragma once
// robots.txt matching once more, slowly and without cleverness: every character is a string, and a table says
// which part of the pattern matches which part of the target. For comparison with robots::Rules.
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace naive {

inline bool is_unreserved(char c) {
  const auto octet = static_cast<unsigned char>(c);
  return octet < 0x80 &&
         (std::isalnum(octet) != 0 || std::string_view("-._~").find(c) != std::string_view::npos);
}
inline bool is_reserved(char c) {
  return c != '\0' && std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}

inline std::string encoded(unsigned octet) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'%', kDigits[octet / 16], kDigits[octet % 16]};
}

/// The text cut into characters: `a`, `/`, `%C3`.
inline std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto hex = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (c == '%' && hex(i + 1) && hex(i + 2)) {
      const auto octet = static_cast<unsigned>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      out.push_back(is_unreserved(static_cast<char>(octet)) ? std::string(1, static_cast<char>(octet))
                                                            : encoded(octet));
      i += 2;
    } else if (is_unreserved(c) || is_reserved(c)) {
      out.emplace_back(1, c);
    } else {
      out.push_back(encoded(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

/// A character as a URL shows it.
inline std::string shown(const std::string& character, bool query) {
  if (character == "*") return "%2A";
  if (character == "$") return "%24";
  return character == "'" && query ? "%27" : character;
}

inline std::string canonical(std::string_view target) {
  std::string out;
  bool query = false;
  for (const std::string& character : characters(target)) {
    query = query || character == "?";
    out += shown(character, query);
  }
  return out;
}

struct Element {
  enum { octet, star, any, set } kind = octet;
  char c = 0;
  bool negated = false;
  std::vector<std::pair<std::string, std::string>> ranges;  ///< characters as written, first to last
};

struct Path {
  std::vector<Element> elements;
  bool anchored = false;
  std::size_t length = 0;
};

inline unsigned value_of(const std::string& character) {
  return character.size() == 3 ? static_cast<unsigned>(std::stoi(character.substr(1), nullptr, 16))
                               : static_cast<unsigned char>(character[0]);
}

inline bool in_range(const std::string& character, const std::string& first, const std::string& last) {
  if (first == last) {
    return character == first || character == shown(first, false) || character == shown(first, true);
  }
  const unsigned value = value_of(character);
  if (value < value_of(first) || value > value_of(last)) return false;
  const bool both_encoded = first.size() == 3 && last.size() == 3;
  if (!is_reserved(static_cast<char>(value))) return true;
  if (both_encoded) return character.size() == 3;
  const std::string plain(1, static_cast<char>(value));
  return character == plain || character == shown(plain, false) || character == shown(plain, true);
}

inline void add_literal(const std::string& character, bool& query, Path& path) {
  query = query || character == "?";
  for (const char c : shown(character, query)) path.elements.push_back({Element::octet, c, false, {}});
}

inline Path version1(std::string_view value) {
  Path path;
  bool query = false;
  const bool anchored = value.ends_with('$');
  if (anchored) value.remove_suffix(1);
  for (const std::string& character : characters(value)) {
    path.length += character.size();
    if (character == "*") {
      path.elements.push_back({Element::star, 0, false, {}});
    } else {
      add_literal(character, query, path);
    }
  }
  path.anchored = anchored;
  if (anchored) ++path.length;
  return path;
}

/// The set that opens at `at`, which moves behind it.
inline std::optional<Element> read_set(const std::vector<std::string>& all, std::size_t& at) {
  Element set{Element::set, 0, false, {}};
  std::size_t i = at + 1;
  if (i < all.size() && (all[i] == "!" || all[i] == "%5E")) {
    set.negated = true;
    ++i;
  }
  const auto take = [&] {
    if (all[i] == "%5C" && i + 1 < all.size()) ++i;
    return all[i++];
  };
  for (std::size_t first = i; i < all.size();) {
    if (all[i] == "]" && i != first) {
      at = i + 1;
      return set;
    }
    const std::string low = take();
    std::string high = low;
    if (i + 1 < all.size() && all[i] == "-" && all[i + 1] != "]") {
      ++i;
      high = take();
    }
    set.ranges.emplace_back(low, high);
  }
  return std::nullopt;
}

/// Octets that each character of `text` is written with.
inline std::vector<std::size_t> written_sizes(std::string_view text) {
  std::vector<std::size_t> out;
  const std::vector<std::string> all = characters(text);
  for (std::size_t i = 0; i < text.size();) {
    const bool triplet = text[i] == '%' && all[out.size()] != "%25";
    out.push_back(triplet || text.substr(i, 3) == "%25" ? 3 : 1);
    i += out.back();
  }
  return out;
}

/// `value` has no `%5C`, no `%5E` and no unreserved character written as `%XX`: what stands for itself and
/// what is a sign would look alike here.
inline Path version2(std::string_view value) {
  Path path;
  path.anchored = true;
  bool query = false;
  const std::vector<std::string> all = characters(value);
  const std::vector<std::size_t> sizes = written_sizes(value);
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t begin = i;
    if (all[i] == "$" && i + 1 == all.size()) {
      ++path.length;
      break;
    }
    if (all[i] == "*") {
      path.elements.push_back({Element::star, 0, false, {}});
    } else if (all[i] == "?") {
      path.elements.push_back({Element::any, 0, false, {}});
    } else if (all[i] == "%5C" && i + 1 < all.size()) {
      ++path.length;
      ++i;
      add_literal(all[i], query, path);
      path.length += all[i].size();
      ++i;
      continue;
    } else if (std::optional<Element> set; all[i] == "[" && (set = read_set(all, i))) {
      path.elements.push_back(*set);
      for (std::size_t k = begin; k < i; ++k) path.length += sizes[k];
      continue;
    } else {
      add_literal(all[i], query, path);
    }
    path.length += all[i].size();
    ++i;
  }
  return path;
}

/// The table: reached[j] after i elements says whether they match the first j octets.
inline bool matches(const Path& path, const std::string& target) {
  std::string reached(target.size() + 1, 0);
  std::string next = reached;
  reached[0] = 1;
  for (const Element& element : path.elements) {
    next.assign(next.size(), 0);
    for (std::size_t j = 0; j <= target.size(); ++j) {
      if (element.kind == Element::star && ((j > 0 && next[j - 1] != 0) || reached[j] != 0)) next[j] = 1;
      if (reached[j] == 0 || element.kind == Element::star || j == target.size()) continue;
      if (element.kind == Element::octet) {
        if (target[j] == element.c) next[j + 1] = 1;
        continue;
      }
      const bool inside = (j >= 1 && target[j - 1] == '%') || (j >= 2 && target[j - 2] == '%');
      if (inside) continue;
      const std::string character = target.substr(j, target[j] == '%' ? 3 : 1);
      bool member = element.kind == Element::any;
      for (const auto& [first, last] : element.ranges) member = member || in_range(character, first, last);
      if (member != element.negated) next[j + character.size()] = 1;
    }
    reached.swap(next);
  }
  return path.anchored ? reached.back() != 0 : reached.find(1) != std::string::npos;
}

struct Rule {
  bool allow = false;
  std::string value;
};

/// A group of rules, each beginning with `/` or `*` and none longer than kRuleOctetsMax.
class Group {
 public:
  Group(const std::vector<Rule>& rules, bool in_version2) {
    for (const Rule& rule : rules) {
      Path path = in_version2 ? version2(rule.value) : version1(rule.value);
      if (in_version2 && !rule.allow && rule.value == "/") path.anchored = false;
      rules_.emplace_back(std::move(path), rule.allow);
    }
  }

  bool allows(std::string_view target) const {
    const std::string text = canonical(target);
    if (text == "/robots.txt") return true;
    std::optional<std::pair<std::size_t, bool>> best;  // length, allow
    for (const auto& [path, allow] : rules_) {
      const std::pair<std::size_t, bool> one{path.length, allow};
      if ((!best || *best < one) && matches(path, text)) best = one;
    }
    return !best || best->second;
  }

 private:
  std::vector<std::pair<Path, bool>> rules_;
};

}  // namespace naive
