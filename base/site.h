#pragma once
// The registrable domain of a host: the unit that one owner holds, and that stays on one shard.
#include <cstdint>
#include <string>
#include <string_view>

namespace base {

/// State on disk is keyed by partition, so this number is part of the format.
inline constexpr std::uint32_t kPartitions = 4096;

/// `www.example.co.uk` -> `example.co.uk` by the public suffix list with its private section
/// (`a.github.io` is its own site). An IP address, a single label or a public suffix is its own site.
/// The final dot of a fully qualified name is left out: the same owner. `host` is canonical, as Url::host()
/// gives it. Thread-safe.
std::string site_of(std::string_view host);

/// Which public suffix list this process uses: another text, other registrable domains.
std::string suffix_list();

/// Partition of a site, 0..kPartitions-1; stable across runs and machines.
std::uint32_t partition_of(std::string_view site);

}  // namespace base
