#pragma once
// Sorting by number, for the rules of a file: there may be 25,000 of them.
#include <cstdint>
#include <vector>

namespace robots {

/// An item under the number that it is sorted by.
struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t item = 0;
};

/// Sorts by key; equal keys by item, if the items come in rising order. Linear for many.
void sort_by_key(std::vector<Keyed>& all);

}  // namespace robots
