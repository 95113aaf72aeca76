#include "crawler/yield.h"

#include "base/hash.h"
#include "crawler/codec.h"

#include <algorithm>
#include <array>
#include <limits>

namespace crawler {
namespace {

/// Of 100 pages, so many repeated ones brake.
constexpr std::uint64_t kBrakePercent = 90;
/// Below a braked prefix nearly nothing is visited: what is speaks for others, and counts for so many.
constexpr std::uint32_t kProbeWeight = 5;
/// Counts are halved at so many times brake_after.
constexpr std::uint64_t kWindow = 4;
/// A folder gives its parent at most this share of brake_after.
constexpr std::uint32_t kParentShare = 4;

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(base::stable_hash(text));
}

/// The prefixes of a target, the nearest first; the last is the origin.
struct Prefixes {
  static constexpr std::size_t kFoldersMax = 2;
  std::array<std::string_view, kFoldersMax + 2> all;
  std::size_t size = 0;

  explicit Prefixes(std::string_view target) {
    const std::size_t mark = target.find('?');
    if (mark != std::string_view::npos) all[size++] = target.substr(0, mark + 1);
    const std::string_view path = target.substr(0, mark);
    std::array<std::size_t, kFoldersMax + 1> ends{};
    std::size_t found = 0;
    for (std::size_t at = 0; found < ends.size() && (at = path.find('/', at)) != std::string_view::npos;) {
      ends[found++] = ++at;
    }
    while (found > 0) all[size++] = path.substr(0, ends[--found]);
  }
  auto begin() const { return all.begin(); }
  auto end() const { return all.begin() + size; }
};

}  // namespace

bool Yield::Count::braked(std::uint32_t brake_after) const {
  return enough(brake_after) && std::uint64_t{repeated} * 100 >= std::uint64_t{pages} * kBrakePercent;
}

void Yield::Count::add(bool is_repeated, std::uint32_t brake_after) {
  const std::uint32_t weight = braked(brake_after) ? kProbeWeight : 1;
  pages += weight;
  if (is_repeated) repeated += weight;
  // More than once when the operator has lowered brake_after.
  while (pages >= kWindow * brake_after) {
    pages /= 2;
    repeated /= 2;
  }
}

template <class Self>
auto Yield::find(Self& self, std::string_view prefix) -> decltype(&self.origin_) {
  if (prefix == "/") return &self.origin_;
  const std::uint32_t hash = hash_of(prefix);
  for (auto& row : self.prefixes_) {
    if (row.hash == hash) return &row.count;
  }
  return nullptr;
}

/// The count of `prefix`, a new one if there is room. Only repeated pages begin one, so that an origin
/// without them has no table.
Yield::Count* Yield::take(std::string_view prefix, bool repeated, std::uint32_t brake_after) {
  Count* known = find(*this, prefix);
  if (known != nullptr || !repeated) return known;
  if (prefixes_.size() == kPrefixesMax) {
    for (Prefix& other : prefixes_) {
      if (other.count.braked(brake_after) || other.count.repeated == 0) continue;
      --other.count.pages;
      --other.count.repeated;
    }
    std::erase_if(prefixes_, [](const Prefix& p) { return p.count.repeated * 2ULL <= p.count.pages; });
    return nullptr;
  }
  return &prefixes_.emplace_back(Prefix{hash_of(prefix), {}}).count;
}

void Yield::note(std::string_view target, bool repeated, std::uint32_t brake_after) {
  if (brake_after == 0) return;
  for (const std::string_view prefix : Prefixes(target)) {
    Count* count = take(prefix, repeated, brake_after);
    if (count == nullptr) continue;
    const bool told_enough = std::uint64_t{count->repeated} * kParentShare >= brake_after;
    count->add(repeated, brake_after);
    if (repeated && told_enough) return;
  }
}

std::optional<Yield::Brake> Yield::brake_of(std::string_view target, std::uint32_t brake_after) const {
  for (const std::string_view prefix : Prefixes(target)) {
    const Count* count = find(*this, prefix);
    if (count == nullptr || !count->enough(brake_after)) continue;
    if (!count->braked(brake_after)) return std::nullopt;
    return Brake{std::string(prefix), count->pages, count->repeated};
  }
  return std::nullopt;
}

bool Yield::admit_query(std::string_view path, std::uint64_t most) {
  const std::uint32_t hash = hash_of(path);
  const auto row = std::find_if(paths_.begin(), paths_.end(), [&](const Path& p) { return p.hash == hash; });
  if (row != paths_.end()) return row->queries < most && ++row->queries > 0;
  if (paths_.size() < kPathsMax) {
    paths_.push_back({hash, 1});
    return most > 0;
  }
  for (Path& other : paths_) --other.queries;
  std::erase_if(paths_, [](const Path& p) { return p.queries == 0; });
  return most > 0;
}

std::string Yield::encode() const {
  std::string octets;
  Encoder out(octets);
  const auto hash = [&](std::uint32_t value) {
    out.u16(static_cast<std::uint16_t>(value >> 16U)).u16(static_cast<std::uint16_t>(value & 0xffffU));
  };
  out.count(origin_.pages).count(origin_.repeated).count(prefixes_.size()).count(paths_.size());
  for (const Prefix& prefix : prefixes_) {
    hash(prefix.hash);
    out.count(prefix.count.pages).count(prefix.count.repeated);
  }
  for (const Path& path : paths_) {
    hash(path.hash);
    out.count(path.queries);
  }
  return octets;
}

std::optional<Yield> Yield::decode(std::string_view octets) {
  Decoder in(octets);
  bool good = true;
  const auto hash = [&] {
    const std::uint32_t high = in.u16();
    return high << 16U | in.u16();
  };
  const auto count = [&](std::uint64_t pages, std::uint64_t repeated) {
    good = good && pages <= std::numeric_limits<std::uint32_t>::max() / 2 && repeated <= pages;
    return Count{static_cast<std::uint32_t>(pages), static_cast<std::uint32_t>(repeated)};
  };
  Yield yield;
  const std::uint64_t pages = in.count();
  const std::uint64_t repeated = in.count();
  yield.origin_ = count(pages, repeated);
  const std::uint64_t prefixes = in.count();
  const std::uint64_t paths = in.count();
  if (prefixes > kPrefixesMax || paths > kPathsMax) return std::nullopt;
  for (std::uint64_t i = 0; i < prefixes; ++i) {
    const std::uint32_t key = hash();
    const std::uint64_t below = in.count();
    yield.prefixes_.push_back({key, count(below, in.count())});
  }
  for (std::uint64_t i = 0; i < paths; ++i) {
    const std::uint32_t key = hash();
    yield.paths_.push_back({key, in.count()});
    good = good && yield.paths_.back().queries > 0;
  }
  return good && in.done() ? std::optional(std::move(yield)) : std::nullopt;
}

}  // namespace crawler
