#pragma once
// The table of keys as the tree that a YAML file has.
#include "config/keys.h"

#include <string_view>
#include <vector>

namespace config {

struct KeyTree {
  std::string_view name;             ///< the last part of the path; of the root nothing
  const Key<Config>* key = nullptr;  ///< null for a section
  std::vector<KeyTree> below;        ///< of a section, in the order of the table
};

/// The root, whose branches are the top-level keys and sections.
KeyTree key_tree();

}  // namespace config
