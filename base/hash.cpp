#include "base/hash.h"

#include <xxhash.h>

#include <random>

namespace base {
namespace {

std::uint64_t process_secret() {
  static const std::uint64_t secret = [] {
    std::random_device device;
    const std::uint64_t high = device();
    const std::uint64_t low = device();
    return (high << 32U) ^ low;
  }();
  return secret;
}

}  // namespace

std::uint64_t stable_hash(std::string_view octets) {
  return XXH3_64bits(octets.data(), octets.size());
}

std::uint64_t secret_hash(std::string_view octets) {
  return XXH3_64bits_withSeed(octets.data(), octets.size(), process_secret());
}

Hash128 keyed_hash(std::string_view octets, std::uint64_t key) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(octets.data(), octets.size(), key);
  return {hash.high64, hash.low64};
}

}  // namespace base
