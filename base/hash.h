#pragma once
// Hashes of octets that strangers choose.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace base {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// The same on every machine and in every run: for what is written down, such as partitions.
std::uint64_t stable_hash(std::string_view octets);

/// Keyed with a secret of this process, so that nobody outside can craft collisions: for tables in memory.
std::uint64_t secret_hash(std::string_view octets);

/// 128 bits under `key`: for the set of seen URLs. Equal keys give equal hashes across runs.
Hash128 keyed_hash(std::string_view octets, std::uint64_t key);

/// For unordered containers keyed by remote strings; looks up string_view without a copy.
struct SecretHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view octets) const { return secret_hash(octets); }
};

template <class V>
using StringMap = std::unordered_map<std::string, V, SecretHash, std::equal_to<>>;
using StringSet = std::unordered_set<std::string, SecretHash, std::equal_to<>>;

}  // namespace base

template <>
struct std::hash<base::Hash128> {
  std::size_t operator()(const base::Hash128& h) const noexcept { return h.low; }
};
