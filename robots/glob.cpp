#include "robots/glob.h"

#include <algorithm>
#include <bit>

namespace robots {
namespace {

static_assert(kCanonicalOctetsMax <= 0xFFFF, "places of a target fit into 16 bits");

}  // namespace

GlobText::GlobText(std::string_view text) : text_(text) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    const Unit unit = read_unit(text, end);
    unit_at_[i] = unit;
    units_.add(unit);
    unit_end_[unit] = static_cast<std::uint16_t>(i + 1);
    for (; i < end; ++i) octet_end_[static_cast<unsigned char>(text[i])] = static_cast<std::uint16_t>(i + 1);
  }
}

/// Whether a unit of `set` still begins at or behind `begin`.
bool GlobText::has_member_later(const UnitSet& set, std::size_t begin) const {
  for (std::size_t word = 0; word < set.words.size(); ++word) {
    for (std::uint64_t bits = set.words[word] & units_.words[word]; bits != 0; bits &= bits - 1) {
      if (unit_end_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))] > begin) return true;
    }
  }
  return false;
}

/// Whether each token of `segment` still occurs at or behind `begin`: the cheap way to say no.
bool GlobText::has_later(std::span<const Token> segment, std::size_t begin, std::span<const UnitSet> sets) {
  constexpr std::size_t kStepsOfSet = 16;
  std::size_t steps = 1;
  const bool all = std::ranges::all_of(segment, [&](Token token) {
    steps += token < kSet ? 1 : kStepsOfSet;
    if (token < kStar) return octet_end_[token] > begin;
    return token == kAny ? begin < text_.size() : has_member_later(sets[token - kSet], begin);
  });
  return spend(steps) && all;
}

/// Where a match of `segment` that begins at `begin` ends.
std::size_t GlobText::run(std::span<const Token> segment, std::size_t begin, std::span<const UnitSet> sets) {
  std::size_t steps = 1;
  std::size_t end = begin;
  for (const Token token : segment) {
    ++steps;
    if (end >= text_.size()) {
      end = kNowhere;
    } else if (token < kStar) {
      end = static_cast<unsigned char>(text_[end]) == token ? end + 1 : kNowhere;
    } else {
      end = fits(token, end, sets) ? end + octets_of(unit_at_[end]) : kNowhere;
    }
    if (end == kNowhere) break;
  }
  return spend(steps) ? end : kNowhere;
}

/// Where a match of `segment` that ends at `end` begins.
std::size_t GlobText::run_back(std::span<const Token> segment, std::size_t end,
                               std::span<const UnitSet> sets) {
  if (!spend(segment.size() + 1)) return kNowhere;
  for (std::size_t i = segment.size(); i-- > 0;) {
    const Token token = segment[i];
    if (end == 0) return kNowhere;
    if (token < kStar) {
      if (static_cast<unsigned char>(text_[end - 1]) != token) return kNowhere;
      --end;
      continue;
    }
    if (end < text_.size() && unit_at_[end] == kInside) return kNowhere;
    end -= unit_at_[end - 1] == kInside ? 3U : 1U;
    if (!fits(token, end, sets)) return kNowhere;
  }
  return end;
}

/// The end of the leftmost match of `segment` at or behind `begin` that ends by `limit`. The leftmost
/// beginning is also the earliest end: of two runs over one segment, the later one never catches up.
std::size_t GlobText::find(std::span<const Token> segment, std::size_t begin, std::size_t limit,
                           std::span<const UnitSet> sets) {
  if (!has_later(segment, begin, sets)) return kNowhere;
  const Token first = segment.front();
  for (std::size_t at = begin; at < limit && !spent_; ++at) {
    const std::size_t from = at;
    if (first < kStar) {
      at = std::min(text_.find(static_cast<char>(first), at), limit);
    } else {
      while (at < limit && !fits(first, at, sets)) ++at;
    }
    // A place that is only passed over costs little.
    if (!spend((at - from) / (first < kStar ? 16 : 2)) || at == limit) return kNowhere;
    const std::size_t end = run(segment, at, sets);
    if (end != kNowhere) return end <= limit ? end : kNowhere;
  }
  return kNowhere;
}

GlobMatch GlobText::match(std::span<const Token> tokens, std::size_t begin, std::span<const UnitSet> sets) {
  const auto answer = [this](bool matched) {
    return spent_ ? GlobMatch::spent : matched ? GlobMatch::yes : GlobMatch::no;
  };
  const auto size_to_star = [](std::span<const Token> rest) {
    return static_cast<std::size_t>(std::ranges::find(rest, kStar) - rest.begin());
  };
  std::size_t size = size_to_star(tokens);
  std::size_t at = run(tokens.first(size), begin, sets);
  if (at == kNowhere || size == tokens.size()) return answer(at == text_.size());
  tokens = tokens.subspan(size);  // begins with a star

  std::size_t tail = tokens.size();
  while (tokens[tail - 1] != kStar) --tail;
  const std::size_t limit = run_back(tokens.subspan(tail), text_.size(), sets);
  if (limit == kNowhere || limit < at) return answer(false);
  tokens = tokens.first(tail - 1);  // what lies between the first and the last star, the first included

  while (!tokens.empty()) {
    tokens = tokens.subspan(1);
    size = size_to_star(tokens);
    if (size > 0) at = find(tokens.first(size), at, limit, sets);
    if (at == kNowhere) return answer(false);
    tokens = tokens.subspan(size);
  }
  return answer(true);
}

}  // namespace robots
