#pragma once
// Values that come from no file: `--set politeness.default_interval=5s` and environment variables like
// `CRAWLD__politeness__default_interval=5s`.
#include "config/problems.h"
#include "config/yaml_tree.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// What names of environment variables that set a key begin with; the parts of the key follow, with `__`
/// between them.
inline constexpr std::string_view kEnvironmentPrefix = "CRAWLD__";

/// One value and whose it is.
struct Override {
  std::string name;               ///< for messages: `--set KEY` or `environment NAME`
  std::vector<std::string> path;  ///< the parts of the key
  std::string text;

  std::string key() const;  ///< the parts with points between them
};

/// Of `KEY=VALUE`, as it follows --set. A key of one host is `politeness.hosts.HOST.KEY`; the points of HOST
/// belong to it.
Override of_option(std::string_view setting);
/// Of `CRAWLD__a__b=VALUE`.
Override of_environment(std::string_view variable);

/// The document that has this key alone, for a Reader. The value of a section, a list, of seeds and
/// politeness.hosts is YAML, best in flow style; that of every other key is the text as it stands. nullopt,
/// with an error, when it cannot be read.
std::optional<YamlNode> tree_of(const Override& override, Problems& problems);

/// The environment of this process as far as it is for crawld, sorted: `CRAWLD__…=…`.
std::vector<std::string> process_environment();

}  // namespace config
