#include "robots/matcher.h"

#include <algorithm>
#include <bit>
#include <cstring>
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

std::size_t common_octets(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The eight octets of `text` at `from` as a number; where it is shorter, as if NULs followed, which are in
/// no canonical text. Texts that differ there are ordered as these numbers are.
std::uint64_t key_of(std::string_view text, std::size_t from) {
  std::uint64_t key = 0;
  if (std::endian::native == std::endian::little && text.size() >= from + 8) {
    std::memcpy(&key, text.data() + from, 8);
    return __builtin_bswap64(key);
  }
  for (std::size_t i = from; i < from + 8; ++i)
    key = key << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return key;
}

}  // namespace

struct Matcher::Search {
  std::string_view target;
  std::uint32_t best = kNone;
  bool asks = false;  ///< first whether all octets of a star rule are there
  std::optional<OctetSet> octets;
  std::size_t tried = 0;
  std::optional<SegmentIndex::Walk> walk;

  bool may_match(const Wild& wild, std::string_view text) {
    if (target.size() < wild.least) return false;
    if (asks || wild.glob) {
      if (!octets) octets.emplace().add(target);
      if (!octets->covers(wild.needs)) return false;
    }
    return target.ends_with(wild.tail.of(text));
  }
};

Matcher::Matcher(const std::vector<Entry>& entries, std::vector<UnitSet> sets) : sets_(std::move(sets)) {
  const std::vector<Keyed> order = order_by_head(entries);
  nodes_.reserve(entries.size());
  keys_.reserve(entries.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    const std::string_view head = entries[order[begin].item].pattern.head;
    while (end < order.size() && order[end].key == order[begin].key &&
           entries[order[end].item].pattern.head == head) {
      ++end;
    }
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
  keys_.shrink_to_fit();
  wilds_.shrink_to_fit();
  segments_.shrink_to_fit();
  tokens_.shrink_to_fit();
}

/// The ranks of `entries` by head; those that share one, as they are ranked. Sets common_ and makes room for
/// the heads.
std::vector<Keyed> Matcher::order_by_head(const std::vector<Entry>& entries) {
  std::size_t octets = 0;
  if (!entries.empty()) common_ = entries.front().pattern.head.size();
  for (const Entry& entry : entries) {
    common_ = common_octets(entry.pattern.head, entries.front().pattern.head.substr(0, common_));
    octets += entry.pattern.head.size();
  }
  text_.reserve(octets);
  std::vector<Keyed> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries)
    order.push_back({key_of(entry.pattern.head, common_), static_cast<std::uint32_t>(order.size())});
  sort_by_key(order);
  const auto precedes = [&entries](const Keyed& a, const Keyed& b) {
    const int order_of_heads = entries[a.item].pattern.head.compare(entries[b.item].pattern.head);
    return order_of_heads != 0 ? order_of_heads < 0 : a.item < b.item;
  };
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end =
        std::find_if(begin, order.end(), [&](const Keyed& one) { return one.key != begin->key; });
    if ((begin->key & 0xFFU) != 0) std::sort(begin, end, precedes);  // the heads go on behind the key
    begin = end;
  }
  return order;
}

Slice Matcher::keep(std::string_view octets) {
  const Slice slice{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(octets.size())};
  text_ += octets;
  return slice;
}

/// Files the entries `ranks`, which share a head that is greater than those before.
void Matcher::add_node(const std::vector<Entry>& entries, std::span<const Keyed> ranks) {
  Node node;
  node.head = keep(entries[ranks.front().item].pattern.head);
  const std::string_view head = node.head.of(text_);
  if (!nodes_.empty()) node.parent = static_cast<std::uint32_t>(nodes_.size() - 1);
  while (node.parent != kNone && !head.starts_with(nodes_[node.parent].head.of(text_))) {
    node.parent = nodes_[node.parent].parent;
  }
  node.first_wild = static_cast<std::uint32_t>(wilds_.size());
  for (const auto [key, rank] : ranks) {
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
  keys_.push_back(ranks.front().key);
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
    for (const std::string_view middle : pattern.middles) {
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
  if (nodes_.empty() || !target.starts_with(nodes_.front().head.of(text_).substr(0, common_))) return kNone;
  const std::uint64_t key = key_of(target, common_);
  const auto first = std::ranges::lower_bound(keys_, key);
  const bool shared = first != keys_.end() && *first == key;
  const auto last = shared ? std::upper_bound(first, keys_.end(), key) : first;
  const auto same = std::span(nodes_).subspan(static_cast<std::size_t>(first - keys_.begin()),
                                              static_cast<std::size_t>(last - first));
  const auto above =
      std::ranges::upper_bound(same, target, {}, [this](const Node& n) { return n.head.of(text_); });
  const auto not_greater = same.data() - nodes_.data() + (above - same.begin());
  if (not_greater == 0) return kNone;
  auto node = static_cast<std::uint32_t>(not_greater - 1);
  const std::size_t common = common_octets(nodes_[node].head.of(text_), target);
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
  search.asks = wilds_.size() > kUnasked;
  search.best = nodes_[node].prefix;
  if (nodes_[node].head.size == target.size()) search.best = std::min(search.best, nodes_[node].exact);
  for (std::uint32_t n = node; n != kNone; n = nodes_[n].wild_parent) try_stars(nodes_[n], search);
  if (search.walk) search.best = search.walk->run(target, search.best);
  if (!tokens_.empty()) find_glob(node, search);
  return search.best;
}

std::size_t Matcher::octets() const {
  return text_.capacity() + nodes_.capacity() * sizeof(Node) + keys_.capacity() * sizeof(std::uint64_t) +
         wilds_.capacity() * sizeof(Wild) + segments_.capacity() * sizeof(Slice) +
         tokens_.capacity() * sizeof(Token) + sets_.capacity() * sizeof(UnitSet) +
         (index_ ? index_->octets() : 0);
}

}  // namespace robots
