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

/// Where each key was written, for checks that come after reading: in the last source that has it. Of a
/// section it is the first.
class Places {
 public:
  /// `file` is the first source.
  explicit Places(std::size_t file) : file_(file) {}
  void add(std::string path, Place place) { places_.insert_or_assign(std::move(path), place); }
  const std::map<std::string, Place, std::less<>>& all() const { return places_; }
  bool has(std::string_view path) const { return places_.contains(path); }
  /// Of the value of the key at `path`; of its section when it is not there; else the start of the first
  /// file.
  Place of(std::string_view path) const;

 private:
  std::size_t file_;
  std::map<std::string, Place, std::less<>> places_;
};

/// What a Reader reads.
struct ReadSource {
  std::size_t file = 0;      ///< as Problems knows it
  std::string folder;        ///< seed files are relative to it
  bool may_include = false;  ///< the key `include` is allowed
};

class Reader {
 public:
  /// Adds to what `config` and `places` have from sources read before: a value replaces the one before it,
  /// politeness.hosts are put together key by key, and seeds are added.
  Reader(Config& config, ReadSource source, Places& places, Problems& problems)
      : config_(config), source_(std::move(source)), places_(places), problems_(problems) {}

  /// A null node has no keys.
  void read(const YamlNode& root);
  /// The value of the key `include`; null when it is not there. Lives as long as what was read.
  const YamlNode* include() const { return include_; }

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
  ReadSource source_;
  Places& places_;
  Problems& problems_;
  const YamlNode* include_ = nullptr;
};

}  // namespace config
