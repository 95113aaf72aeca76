#include "robots/pattern.h"

#include "robots/rules.h"

#include <algorithm>
#include <optional>

namespace robots {
namespace {

/// Collects the tokens of one path, and its length.
class Writer {
 public:
  explicit Writer(std::string_view value) { written_.tokens.reserve(std::min(value.size(), kRuleOctetsMax)); }
  void star() {
    if (written_.tokens.empty() || written_.tokens.back() != kStar) written_.tokens.push_back(kStar);
    ++written_.length;
  }
  void sign(Token token, std::size_t octets_written) {
    written_.tokens.push_back(token);
    written_.length += octets_written;
  }
  void unit(Unit unit) {
    // Counted as written: a `$` is one octet, although it is compared as `%24`.
    written_.length += octets_of(unit);
    query_ = query_ || unit == '?';
    char text[3];
    const char* const end = write_unit(literal(unit, query_), text);
    for (const char* c = text; c != end; ++c) written_.tokens.push_back(static_cast<Token>(*c));
  }
  /// A sign that says nothing, but counts.
  void count(std::size_t octets_written) { written_.length += octets_written; }

  Written finish(bool anchored) {
    written_.anchored = anchored;
    return std::move(written_);
  }
  /// Only what was read so far counts as pattern; the rest still counts as length, so that a Disallow that is
  /// cut loses to no Allow that it would have beaten.
  Written stop(std::size_t octets_left) {
    written_.length += octets_left;
    written_.complete = false;
    return std::move(written_);
  }

 private:
  Written written_;
  bool query_ = false;
};

/// The plain unit that an octet of a range stands for.
Unit member(unsigned value, bool encoded) {
  const char octet = static_cast<char>(value);
  std::size_t position = 0;
  const Unit plain = read_unit(std::string_view(&octet, 1), position);
  if (!encoded || plain >= kEncoded) return plain;
  std::string text;  // reserved characters differ from their encoded form, unreserved ones do not
  append_unit(static_cast<Unit>(kEncoded | value), text);
  position = 0;
  return read_unit(text, position);
}

/// `unit` in whichever form a target shows it: `'` has another one in a query.
void add_literal(Unit unit, UnitSet& set) {
  set.add(literal(unit, false));
  set.add(literal(unit, true));
}

void add_range(Unit low, Unit high, UnitSet& set) {
  const bool encoded = low >= kEncoded && high >= kEncoded;
  for (unsigned value = low & 0xFFU; value <= (high & 0xFFU); ++value)
    add_literal(member(value, encoded), set);
}

/// The character of a set at `position`, a `\` before it or not. `position` < text.size().
Unit take_member(std::string_view text, std::size_t& position) {
  if (text[position] == '\\' && position + 1 < text.size()) ++position;
  return read_unit(text, position);
}

/// The set that opens at `position`, which then is behind its `]`. Nothing when it does not end.
std::optional<UnitSet> take_set(std::string_view text, std::size_t& position) {
  std::size_t i = position + 1;
  const bool negated = i < text.size() && (text[i] == '!' || text[i] == '^');
  if (negated) ++i;
  UnitSet set;
  for (bool first = true; i < text.size(); first = false) {
    if (text[i] == ']' && !first) {
      position = i + 1;
      if (negated)
        std::ranges::transform(set.words, set.words.begin(), [](std::uint64_t word) { return ~word; });
      return set;
    }
    const Unit low = take_member(text, i);
    if (i + 1 < text.size() && text[i] == '-' && text[i + 1] != ']') {
      ++i;
      add_range(low, take_member(text, i), set);
    } else {
      add_literal(low, set);
    }
  }
  return std::nullopt;
}

std::string_view take_octets(const std::vector<Token>& tokens, std::size_t& position, Pool& pool) {
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(position);
  const auto end = std::find_if(begin, tokens.end(), [](Token token) { return token >= kStar; });
  const auto size = static_cast<std::size_t>(end - begin);
  char* const octets = pool.room(size);
  std::transform(begin, end, octets, [](Token token) { return static_cast<char>(token); });
  position += size;
  return {octets, size};
}

}  // namespace

std::optional<Token> Pool::token(const UnitSet& set) {
  if (const auto known = tokens_.find(set); known != tokens_.end()) return known->second;
  if (sets_.size() >= kSetsMax) return std::nullopt;
  const auto token = static_cast<Token>(kSet + sets_.size());
  tokens_.emplace(set, token);
  sets_.push_back(set);
  return token;
}

Written read_version1(std::string_view value) {
  Writer out(value);
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t begin = i;
    if (value[i] == '$' && i + 1 == value.size() && i < kRuleOctetsMax) {
      out.count(1);
      return out.finish(true);
    }
    const Unit unit = read_unit(value, i);
    if (i > kRuleOctetsMax) return out.stop(value.size() - begin);
    unit == '*' ? out.star() : out.unit(unit);
  }
  return out.finish(false);
}

Written read_version2(std::string_view value, Pool& pool) {
  Writer out(value);
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t begin = i;
    if (value[i] == '$' && i + 1 == value.size() && i < kRuleOctetsMax) {
      out.count(1);
      break;
    }
    std::optional<UnitSet> set;
    if (value[i] == '[') set = take_set(value, i);
    const bool escaped = value[begin] == '\\' && begin + 1 < value.size();
    if (escaped) ++i;
    Unit unit = 0;
    if (!set) unit = read_unit(value, i);
    if (i > kRuleOctetsMax) return out.stop(value.size() - begin);
    if (set) {
      const auto token = pool.token(*set);
      if (!token) return out.stop(value.size() - begin);
      out.sign(*token, i - begin);
    } else if (escaped) {
      out.count(1);
      out.unit(unit);
    } else if (unit == '*') {
      out.star();
    } else if (unit == '?') {
      out.sign(kAny, 1);
    } else {
      out.unit(unit);
    }
  }
  return out.finish(true);
}

Pattern make_pattern(const Written& written, Pool& pool) {
  Pattern pattern;
  std::size_t position = 0;
  pattern.head = take_octets(written.tokens, position, pool);
  if (position == written.tokens.size()) {
    pattern.shape = written.anchored ? Shape::exact : Shape::prefix;
    return pattern;
  }
  if (std::ranges::any_of(written.tokens, [](Token token) { return token > kStar; })) {
    pattern.shape = Shape::glob;
    pattern.tokens.assign(written.tokens.begin() + static_cast<std::ptrdiff_t>(position),
                          written.tokens.end());
    if (!written.anchored && pattern.tokens.back() != kStar) pattern.tokens.push_back(kStar);
    return pattern;
  }
  const bool anchored = written.anchored && written.tokens.back() != kStar;
  while (position < written.tokens.size()) {
    ++position;  // a star
    const std::string_view octets = take_octets(written.tokens, position, pool);
    if (!octets.empty()) pattern.middles.push_back(octets);
  }
  if (anchored) {
    pattern.tail = pattern.middles.back();
    pattern.middles.pop_back();
  }
  pattern.shape = pattern.middles.empty() && pattern.tail.empty() ? Shape::prefix : Shape::stars;
  return pattern;
}

}  // namespace robots
