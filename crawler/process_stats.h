#pragma once
// What the system says of this process.
#include <cstdint>
#include <optional>

namespace crawler {

struct ProcessStats {
  double cpu_seconds = 0;
  std::uint64_t resident_octets = 0;
  std::uint64_t virtual_octets = 0;
  std::uint64_t open_descriptors = 0;
  std::uint64_t max_descriptors = 0;
  std::uint64_t threads = 0;
  double started = 0;  ///< seconds since 1970
};

/// From /proc/self; zeros where that does not tell. Any thread.
ProcessStats process_stats();

}  // namespace crawler
