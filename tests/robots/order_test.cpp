#include "robots/order.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace robots {
namespace {

/// `count` keys of which only the octets in `mask` differ.
std::vector<Keyed> some(std::size_t count, std::uint64_t mask, base::Random& random) {
  std::vector<Keyed> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({(random.below(1U << 30U) * 0x9E37'79B9'7F4A'7C15U) & mask, static_cast<std::uint32_t>(i)});
  return all;
}

TEST(Order, IsThatOfAStableSortHoweverManyThereAre) {
  base::Random random(1);
  for (const std::uint64_t mask :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{0xFF00'0000'0000'0001}, ~std::uint64_t{0}}) {
    for (const std::size_t count : {0U, 1U, 2U, 127U, 128U, 129U, 5'000U}) {
      std::vector<Keyed> all = some(count, mask, random);
      std::vector<Keyed> expected = all;
      std::ranges::stable_sort(expected, {}, &Keyed::key);
      sort_by_key(all);
      ASSERT_TRUE(std::ranges::equal(all, expected, {}, &Keyed::key, &Keyed::key)) << count;
      ASSERT_TRUE(std::ranges::equal(all, expected, {}, &Keyed::item, &Keyed::item)) << count;
    }
  }
}

}  // namespace
}  // namespace robots
