#include "config/load.h"

#include "config/checks.h"
#include "config/file.h"
#include "config/file_pattern.h"
#include "config/include.h"
#include "config/overrides.h"
#include "config/problems.h"
#include "config/reader.h"
#include "config/yaml_tree.h"

#include <optional>
#include <utility>

namespace config {
namespace {

class Loader {
 public:
  void file(const std::string& path) {
    const std::size_t file = problems_.add_file(path);
    const auto text = read_file(path, YamlLimits{}.octets, file, problems_);
    if (text) main_text(*text, {file, folder_of(path), true});
  }

  void text(std::string_view yaml, const std::string& name, const std::string& folder) {
    main_text(yaml, {problems_.add_file(name), folder, false});
  }

  /// The first source.
  void main_text(std::string_view text, const ReadSource& source) {
    const auto root = read_yaml(text, source.file, {}, problems_);
    if (!root) return;
    read_main_ = true;
    if (root->kind == YamlNode::Kind::null) problems_.error({source.file, 1, 1}, "", "the file is empty");
    const YamlNode* include = read(*root, source);
    if (include == nullptr) return;
    for (const std::string& path : included_files(*include, source.folder, problems_)) included(path);
  }

  void overridden(const Override& override) {
    const auto root = tree_of(override, problems_);
    if (root) read(*root, {root->place.file, "", false});
  }

  Loaded finish(bool try_files) {
    // Without the main file everything would seem to be missing.
    if (read_main_) check_whole(config_, places_, problems_);
    if (read_main_ && try_files) check_files(config_, places_, problems_);
    Loaded loaded{std::move(config_), problems_.errors(), problems_.warnings(), problems_.told(),
                  problems_.left_out()};
    for (const auto& [path, place] : places_.all()) loaded.origins.emplace(path, problems_.where(place));
    return loaded;
  }

 private:
  void included(const std::string& path) {
    const std::size_t file = problems_.add_file(path);
    if (const std::string why = why_unreadable(path); !why.empty()) {
      return problems_.error({file, 0, 0}, "", "cannot be read: " + why);
    }
    const auto text = read_file(path, YamlLimits{}.octets, file, problems_);
    if (!text) return;
    const auto root = read_yaml(*text, file, {}, problems_);
    if (root) read(*root, {file, folder_of(path), false});
  }

  const YamlNode* read(const YamlNode& root, const ReadSource& source) {
    Reader reader(config_, source, places_, problems_);
    reader.read(root);
    return reader.include();
  }

  Config config_;
  Problems problems_;
  Places places_{0};
  bool read_main_ = false;
};

}  // namespace

Loaded load(const Sources& sources) {
  Loader loader;
  loader.file(sources.file);
  for (const std::string& variable : sources.environment) loader.overridden(of_environment(variable));
  for (const std::string& setting : sources.settings) loader.overridden(of_option(setting));
  return loader.finish(sources.try_files);
}

Loaded load_file(const std::string& path) {
  return load({path});
}

Loaded load_text(std::string_view yaml, const std::string& name, const std::string& folder) {
  Loader loader;
  loader.text(yaml, name, folder);
  return loader.finish(false);
}

}  // namespace config
