#include "config/include.h"

#include "config/file_pattern.h"
#include "config/keys.h"

#include <fmt/format.h>

#include <set>

namespace config {

std::vector<std::string> included_files(const YamlNode& include, const std::string& folder,
                                        Problems& problems, const IncludeLimits& limits) {
  const std::vector<YamlNode> one{include};
  const std::vector<YamlNode>& patterns = include.kind == YamlNode::Kind::list ? include.items : one;
  const auto refuse = [&](const YamlNode& node, std::string_view why) {
    problems.error(node.place, kIncludeKey, why);
  };
  std::vector<std::string> files;
  if (patterns.size() > limits.patterns) {
    refuse(include, fmt::format("more than {} patterns", limits.patterns));
    return files;
  }
  std::set<std::string> seen;
  for (const YamlNode& pattern : patterns) {
    if (pattern.kind != YamlNode::Kind::scalar || pattern.text.empty()) {
      refuse(pattern, "must be the name of a file, a pattern like conf.d/*.yaml, or a list of those");
      continue;
    }
    if (pattern.text.find("://") != std::string::npos) {
      refuse(pattern, fmt::format("{} is a URL: only files can be included", in_quotes(pattern.text)));
      continue;
    }
    const MatchingFiles found = find_files(folder, pattern.text);
    if (!found.searched) {
      refuse(pattern, fmt::format("{} cannot be searched", in_quotes(pattern.text)));
    } else if (found.paths.empty() && !is_file_pattern(pattern.text)) {
      refuse(pattern, fmt::format("there is no file {}", in_quotes(pattern.text)));
    }
    for (const std::string& path : found.paths) {
      if (!seen.insert(path).second) continue;
      if (files.size() >= limits.files) {
        refuse(pattern, fmt::format("more than {} files", limits.files));
        return files;
      }
      files.push_back(path);
    }
  }
  return files;
}

}  // namespace config
