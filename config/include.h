#pragma once
// Which files a configuration includes: `include: conf.d/*.yaml`.
#include "config/problems.h"
#include "config/yaml_tree.h"

#include <cstddef>
#include <string>
#include <vector>

namespace config {

struct IncludeLimits {
  std::size_t patterns = 100;
  std::size_t files = 1'000;  ///< that the patterns match together; each is read with YamlLimits
};

/// The files that `include` names, a pattern or a list of patterns (file_pattern.h), relative to `folder`:
/// pattern after pattern, those of one pattern sorted, each file once. A pattern may match nothing; a name
/// that is no pattern has to be there. Adds an error for what is wrong.
std::vector<std::string> included_files(const YamlNode& include, const std::string& folder,
                                        Problems& problems, const IncludeLimits& limits = {});

}  // namespace config
