// dump_json(): the table of keys, written out as JSON.
#include "config/json_text.h"
#include "config/key_tree.h"
#include "config/load.h"
#include "config/value_text.h"

#include <fmt/format.h>

namespace config {
namespace {

class JsonWriter {
 public:
  JsonWriter(const Config& config, const Origins* origins) : config_(config), origins_(origins) {}

  std::string section(const KeyTree& section) {
    JsonMembers members;
    for (const KeyTree& branch : section.below) {
      members.emplace_back(branch.name, branch.key == nullptr ? this->section(branch) : value(*branch.key));
    }
    return json_object(members);
  }

 private:
  std::string with_origin(const std::string& path, std::string value) const {
    if (origins_ == nullptr) return value;
    const auto found = origins_->find(path);
    const std::string origin = found == origins_->end() ? "default" : found->second;
    return json_object({{"value", std::move(value)}, {"origin", json_string(origin)}});
  }

  std::string value(const Key<Config>& key) {
    if (key.spec.kind == Kind::seeds) return seeds();
    if (key.spec.kind == Kind::hosts) return hosts(std::string(key.spec.path));
    return with_origin(std::string(key.spec.path), value_json(key.spec, key.slot(config_)));
  }

  std::string seeds() const {
    std::vector<std::string> items;
    items.reserve(config_.seeds.size());
    for (const Seed& seed : config_.seeds) {
      JsonMembers members{{"url", json_string(seed.url.text())}, {"weight", fmt::format("{}", seed.weight)}};
      if (origins_ != nullptr) members.emplace_back("origin", json_string(seed.where));
      items.push_back(json_object(members));
    }
    return json_array(items);
  }

  std::string hosts(const std::string& path) {
    JsonMembers hosts;
    for (auto& [name, host] : config_.politeness.hosts) {
      JsonMembers members;
      for (const auto& key : host_keys()) {
        const Slot slot = key.slot(host);
        if (value_text(key.spec, slot).empty()) continue;
        members.emplace_back(key.spec.path, with_origin(fmt::format("{}.{}.{}", path, name, key.spec.path),
                                                        value_json(key.spec, slot)));
      }
      hosts.emplace_back(name, json_object(members));
    }
    return json_object(hosts);
  }

  Config config_;  ///< a copy: slots point to what may be written to
  const Origins* origins_;
};

}  // namespace

std::string dump_json(const Config& config, const Origins* origins) {
  return JsonWriter(config, origins).section(key_tree());
}

}  // namespace config
