#include "config/load.h"

#include "config/checks.h"
#include "config/file.h"
#include "config/problems.h"
#include "config/reader.h"
#include "config/yaml_tree.h"

#include <utility>

namespace config {
namespace {

Loaded finish(Config config, const Problems& problems) {
  return {std::move(config), problems.errors(), problems.warnings()};
}

}  // namespace

Loaded load_file(const std::string& path) {
  Problems problems;
  const std::size_t file = problems.add_file(path);
  const auto text = read_file(path, YamlLimits{}.octets, file, problems);
  if (!text) return finish({}, problems);
  const std::size_t slash = path.rfind('/');
  // A file in the root keeps its "/": an empty folder is the working directory.
  const std::string folder = slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
  return load_text(*text, path, folder);
}

Loaded load_text(std::string_view yaml, const std::string& name, const std::string& folder) {
  Problems problems;
  const std::size_t file = problems.add_file(name);
  Config config;
  if (const auto root = read_yaml(yaml, file, YamlLimits{}, problems)) {
    Reader reader(config, file, folder, problems);
    reader.read(*root);
    check_whole(config, reader.places(), problems);
  }
  return finish(std::move(config), problems);
}

}  // namespace config
