#pragma once
// The seeds of a crawl: URLs in the configuration, and files that list some.
#include "config/config.h"
#include "config/problems.h"
#include "config/yaml_tree.h"

#include <cstddef>
#include <string>
#include <vector>

namespace config {

struct SeedLimits {
  std::size_t seeds = 10'000'000;
  std::size_t files = 10'000;                      ///< that the patterns match together
  std::size_t text_octets = 1024UL * 1024 * 1024;  ///< of a file with one URL a line
  std::size_t yaml_octets = 64UL * 1024 * 1024;    ///< of a file that is a YAML list
  std::size_t line_octets = 64UL * 1024;           ///< of a line of text without its comment
};

/// Reads the value of `seeds:`, a list whose items are URLs, `{url: URL, weight: 4}` or `file: pattern`. A
/// pattern is one of glob(3), relative to `folder`; it has to match. Files that end in .yaml or .yml are YAML
/// lists of the same without files, others have one `URL` or `URL weight=4` a line; blank lines are skipped,
/// and `#` at the start of a line or after a blank begins a comment. Weights are 1 to kSeedWeightMax, 1 when
/// none is written.
/// Adds to `seeds` what is good, each URL once, with the weight of its first place, in the order of writing
/// with files sorted by name. At a limit it adds an error and reads no further.
void read_seeds(const YamlNode& list, const std::string& folder, std::vector<Seed>& seeds, Problems& problems,
                const SeedLimits& limits = {});

}  // namespace config
