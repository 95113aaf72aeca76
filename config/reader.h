#pragma once
// Walks a YAML tree along the table of keys and fills a Config. Strict: a key is known, written once, and its
// value is of the right type, unit and size; everything else becomes an error with its place.
#include "config/config.h"
#include "config/keys.h"
#include "config/problems.h"
#include "config/yaml_tree.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace config {

/// Where each key of a file was written, for checks that come after reading.
class Places {
 public:
  explicit Places(std::size_t file) : file_(file) {}
  void add(std::string path, Place place) { places_.emplace(std::move(path), place); }
  bool has(std::string_view path) const { return places_.contains(path); }
  /// Of the value of the key at `path`; of its section when it is not there; else the start of the file.
  Place of(std::string_view path) const;

 private:
  std::size_t file_;
  std::map<std::string, Place, std::less<>> places_;
};

class Reader {
 public:
  /// Keys that are not in the file keep what `config` has. Seed files are relative to `folder`.
  Reader(Config& config, std::size_t file, std::string folder, Problems& problems)
      : config_(config), file_(file), folder_(std::move(folder)), problems_(problems), places_(file) {}

  void read(const YamlNode& root);
  const Places& places() const { return places_; }

 private:
  using Names = std::map<std::string, std::size_t, std::less<>>;  ///< a map's keys so far and their lines

  /// False, with an error, when the key is no word or was already there.
  bool new_key(const YamlNode& key, const std::string& path, std::string_view name, Names& seen);
  std::string unknown_key(std::string_view section, std::string_view key) const;
  void section(const YamlNode& node, const std::string& path);
  void hosts(const YamlNode& node, const Spec& spec, Politeness& politeness);
  void host(const YamlNode& node, const std::string& path, HostOverride& host);

  void value(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node);
  void scalar(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node);
  void list(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node);
  template <class T, class Read, class Name>
  void items(const Spec& spec, const std::string& path, const YamlNode& node, std::vector<T>& to,
             Read read_item, Name name);
  bool is_kind(const YamlNode& node, YamlNode::Kind wanted, const std::string& path,
               std::string_view expected);

  Config& config_;
  std::size_t file_;
  std::string folder_;
  Problems& problems_;
  Places places_;
};

}  // namespace config
