#include "robots/matcher.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace robots {
namespace {

/// Octets of canonical text (all below 0x80) as bits.
class OctetSet {
 public:
  void add(std::string_view octets) {
    for (const char c : octets) {
      const auto octet = static_cast<unsigned char>(c);
      words[octet / 64U] |= std::uint64_t{1} << (octet % 64U);
    }
  }
  bool covers(const std::array<std::uint64_t, 2>& needs) const {
    return (needs[0] & ~words[0]) == 0 && (needs[1] & ~words[1]) == 0;
  }
  std::array<std::uint64_t, 2> words{};
};

}  // namespace

struct Matcher::Search {
  std::string_view target;
  std::uint32_t best = kNone;
  std::optional<OctetSet> octets;
  std::size_t tried = 0;
  std::optional<SegmentIndex::Walk> walk;

  bool may_match(const Wild& wild, std::string_view text) {
    if (target.size() < wild.least) return false;
    if (!octets) octets.emplace().add(target);
    return octets->covers(wild.needs) && target.ends_with(wild.tail.of(text));
  }
};

Matcher::Matcher(const std::vector<Entry>& entries, std::vector<UnitSet> sets) : sets_(std::move(sets)) {
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t rank) { return std::string_view(entries[rank].pattern.head); });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    const std::string& head = entries[order[begin]].pattern.head;
    while (end < order.size() && entries[order[end]].pattern.head == head) ++end;
    add_node(entries, std::span(order).subspan(begin, end - begin));
    begin = end;
  }

  const auto stars = static_cast<std::size_t>(std::ranges::count(wilds_, false, &Wild::glob));
  const bool long_ones =
      std::ranges::any_of(segments_, [](const Slice& s) { return s.size > kShortSegment; });
  if (!segments_.empty() && (stars > kFewStarRules || long_ones)) {
    index_ = std::make_unique<const SegmentIndex>(text_, segments_, stars);
  }
  text_.shrink_to_fit();
  nodes_.shrink_to_fit();
  wilds_.shrink_to_fit();
  segments_.shrink_to_fit();
  tokens_.shrink_to_fit();
}

Slice Matcher::keep(std::string_view octets) {
  const Slice slice{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(octets.size())};
  text_ += octets;
  return slice;
}

/// Files the entries `ranks`, which share a head that is greater than those before.
void Matcher::add_node(const std::vector<Entry>& entries, std::span<const std::uint32_t> ranks) {
  Node node;
  node.head = keep(entries[ranks.front()].pattern.head);
  const std::string_view head = node.head.of(text_);
  if (!nodes_.empty()) node.parent = static_cast<std::uint32_t>(nodes_.size() - 1);
  while (node.parent != kNone && !head.starts_with(nodes_[node.parent].head.of(text_))) {
    node.parent = nodes_[node.parent].parent;
  }
  node.first_wild = static_cast<std::uint32_t>(wilds_.size());
  for (const std::uint32_t rank : ranks) {
    switch (entries[rank].pattern.shape) {
      case Shape::prefix: node.prefix = std::min(node.prefix, rank); break;
      case Shape::exact: node.exact = std::min(node.exact, rank); break;
      case Shape::stars:
      case Shape::glob: add_wild(entries[rank], rank); break;
    }
  }
  node.last_wild = static_cast<std::uint32_t>(wilds_.size());
  if (node.parent != kNone) {
    const Node& parent = nodes_[node.parent];
    node.prefix = std::min(node.prefix, parent.prefix);
    node.wild_parent = parent.first_wild == parent.last_wild ? parent.wild_parent : node.parent;
  }
  nodes_.push_back(node);
}

void Matcher::add_wild(const Entry& entry, std::uint32_t rank) {
  const Pattern& pattern = entry.pattern;
  Wild wild;
  wild.rank = rank;
  wild.allow = entry.allow;
  wild.glob = pattern.shape == Shape::glob;
  wild.head_size = static_cast<std::uint32_t>(pattern.head.size());
  wild.tail = keep(pattern.tail);
  wild.least = wild.head_size + wild.tail.size;
  OctetSet needs;
  needs.add(pattern.tail);
  if (wild.glob) {
    wild.first = static_cast<std::uint32_t>(tokens_.size());
    for (const Token token : pattern.tokens) {
      tokens_.push_back(token);
      if (token != kStar) ++wild.least;
      const char octet = static_cast<char>(token);
      if (token < kStar) needs.add(std::string_view(&octet, 1));
    }
    wild.last = static_cast<std::uint32_t>(tokens_.size());
  } else {
    wild.first = static_cast<std::uint32_t>(segments_.size());
    for (const std::string& middle : pattern.middles) {
      segments_.push_back(keep(middle));
      wild.least += segments_.back().size;
      needs.add(middle);
    }
    wild.last = static_cast<std::uint32_t>(segments_.size());
  }
  wild.needs = needs.words;
  wilds_.push_back(wild);
}

/// The node of the longest head that `target` begins with. It is the last head not greater than the target,
/// or one of its parents: whatever lies between a head and a target that begins with it, begins with it too.
std::uint32_t Matcher::find_node(std::string_view target) const {
  const auto above =
      std::ranges::upper_bound(nodes_, target, {}, [this](const Node& n) { return n.head.of(text_); });
  if (above == nodes_.begin()) return kNone;
  auto node = static_cast<std::uint32_t>(above - nodes_.begin() - 1);
  const std::string_view head = nodes_[node].head.of(text_);
  const auto common = static_cast<std::size_t>(std::ranges::mismatch(head, target).in1 - head.begin());
  while (node != kNone && nodes_[node].head.size > common) node = nodes_[node].parent;
  return node;
}

/// Leftmost places in order; the tail has been compared.
bool Matcher::matches_stars(const Wild& wild, std::string_view target) const {
  const std::string_view middle = target.substr(0, target.size() - wild.tail.size);
  std::size_t at = wild.head_size;
  for (std::uint32_t i = wild.first; i < wild.last; ++i) {
    at = middle.find(segments_[i].of(text_), at);
    if (at == std::string_view::npos) return false;
    at += segments_[i].size;
  }
  return true;
}

void Matcher::try_stars(const Node& node, Search& search) const {
  for (std::uint32_t i = node.first_wild; i < node.last_wild; ++i) {
    const Wild& wild = wilds_[i];
    if (wild.rank >= search.best) return;
    if (wild.glob || !search.may_match(wild, text_)) continue;
    if (index_ && wild.first != wild.last && search.tried > kTriedOctetsMax) {
      if (!search.walk) search.walk.emplace(*index_);
      search.walk->add(wild.rank, wild.first, wild.last, wild.head_size,
                       search.target.size() - wild.tail.size);
      continue;
    }
    search.tried += search.target.size();
    if (matches_stars(wild, search.target)) search.best = wild.rank;
  }
}

void Matcher::try_globs(const Node& node, GlobText& glob_text, Search& search) const {
  for (std::uint32_t i = node.first_wild; i < node.last_wild; ++i) {
    const Wild& wild = wilds_[i];
    if (wild.rank >= search.best) return;
    if (!wild.glob || !search.may_match(wild, text_)) continue;
    const auto tokens = std::span(tokens_).subspan(wild.first, wild.last - wild.first);
    const GlobMatch match = glob_text.match(tokens, wild.head_size, sets_);
    if (match == GlobMatch::yes || (match == GlobMatch::spent && !wild.allow)) search.best = wild.rank;
  }
}

/// Apart from find(), because a GlobText is large and few files need one.
void Matcher::find_glob(std::uint32_t node, Search& search) const {
  GlobText glob_text(search.target);
  for (; node != kNone; node = nodes_[node].wild_parent) try_globs(nodes_[node], glob_text, search);
}

std::uint32_t Matcher::find(std::string_view target) const {
  const std::uint32_t node = find_node(target);
  if (node == kNone) return kNone;
  Search search;
  search.target = target;
  search.best = nodes_[node].prefix;
  if (nodes_[node].head.size == target.size()) search.best = std::min(search.best, nodes_[node].exact);
  for (std::uint32_t n = node; n != kNone; n = nodes_[n].wild_parent) try_stars(nodes_[n], search);
  if (search.walk) search.best = search.walk->run(target, search.best);
  if (!tokens_.empty()) find_glob(node, search);
  return search.best;
}

std::size_t Matcher::octets() const {
  return text_.capacity() + nodes_.capacity() * sizeof(Node) + wilds_.capacity() * sizeof(Wild) +
         segments_.capacity() * sizeof(Slice) + tokens_.capacity() * sizeof(Token) +
         sets_.capacity() * sizeof(UnitSet) + (index_ ? index_->octets() : 0);
}

}  // namespace robots
