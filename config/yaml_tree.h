#pragma once
// A YAML document as a plain tree in which every node knows its place. The only door to yaml-cpp, and
// narrower than it: one document, every value in one line, no anchors, aliases or tags, bounded depth and
// size, and nothing is converted.
#include "config/problems.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;          ///< a scalar in quotes: "5" is not the number 5
  Place place;                  ///< its first character; a key's place for a value that is not there
  std::string text;             ///< of a scalar
  std::vector<YamlNode> keys;   ///< of a map; keys[i] belongs to items[i], duplicates are kept
  std::vector<YamlNode> items;  ///< of a list or a map
};

struct YamlLimits {
  std::size_t octets = 4UL * 1024 * 1024;
  std::size_t nodes = 1'000'000;  ///< scalars, lists and maps
  std::size_t depth = 50;         ///< lists and maps inside each other
};

/// Reads one document. nullopt when it cannot be read; then at least one error was added, with its place.
/// A file without content is a null node. Never throws on content.
std::optional<YamlNode> read_yaml(std::string_view text, std::size_t file, const YamlLimits& limits,
                                  Problems& problems);

}  // namespace config
