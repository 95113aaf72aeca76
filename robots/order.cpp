#include "robots/order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace robots {
namespace {

constexpr std::size_t kFew = 128;  ///< are sorted faster by comparing them

/// One pass by the octet at `shift`; those that share it keep their order.
void sort_by_octet(const std::vector<Keyed>& from, std::vector<Keyed>& to, unsigned shift) {
  std::array<std::uint32_t, 257> begin{};
  for (const Keyed& one : from) ++begin[(one.key >> shift & 0xFFU) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (const Keyed& one : from) to[begin[one.key >> shift & 0xFFU]++] = one;
}

}  // namespace

void sort_by_key(std::vector<Keyed>& all) {
  if (std::ranges::is_sorted(all, {}, &Keyed::key)) return;
  if (all.size() <= kFew) {
    std::ranges::sort(all, {}, [](const Keyed& one) { return std::tuple(one.key, one.item); });
    return;
  }
  std::uint64_t differ = 0;
  for (const Keyed& one : all) differ |= one.key ^ all.front().key;
  std::vector<Keyed> other(all.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xFFU) == 0) continue;
    sort_by_octet(all, other, shift);
    all.swap(other);
  }
}

}  // namespace robots
