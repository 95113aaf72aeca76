#pragma once
// When the machine has another public suffix list: some registrable domains are other ones then, and their
// origins belong to other partitions.
#include "crawler/store.h"

#include <cstdint>

namespace crawler {

/// Moves every origin whose partition has changed, with all its rows. A pass over all origins. May be cut off
/// at any instant and done again. Returns how many were moved.
std::uint64_t repartition(Store& store);

}  // namespace crawler
