// dump(): the table of keys, written out as YAML.
#include "base/escape.h"
#include "config/key_tree.h"
#include "config/load.h"
#include "config/value_text.h"

#include <fmt/format.h>

namespace config {
namespace {

class Writer {
 public:
  Writer(const Config& config, const Origins* origins) : config_(config), origins_(origins) {}

  std::string whole() {
    for (const KeyTree& branch : key_tree().below) write(branch, 0);
    return std::move(text_);
  }

 private:
  void line(std::size_t depth, std::string_view text, const std::string& comment) {
    text_.append(2 * depth, ' ').append(text).append(comment).append("\n");
  }

  /// Where the value of the key at `path` comes from, as a comment.
  std::string origin(const std::string& path) const {
    if (origins_ == nullptr) return {};
    const auto found = origins_->find(path);
    return found == origins_->end() ? "  # default" : "  # " + found->second;
  }

  void write(const KeyTree& branch, std::size_t depth) {
    if (branch.key == nullptr) {
      line(depth, fmt::format("{}:", branch.name), "");
      for (const KeyTree& below : branch.below) write(below, depth + 1);
      return;
    }
    const Spec& spec = branch.key->spec;
    if (spec.kind == Kind::seeds) return seeds(depth);
    if (spec.kind == Kind::hosts) return hosts(depth);
    line(depth, fmt::format("{}: {}", branch.name, value_text(spec, branch.key->slot(config_))),
         origin(std::string(spec.path)));
  }

  void seeds(std::size_t depth) {
    if (config_.seeds.empty()) return line(depth, "seeds: []", origin("seeds"));
    line(depth, "seeds:", "");
    std::size_t written = 0;
    const std::size_t start = text_.size();
    for (const Seed& seed : config_.seeds) {
      const std::string url = quoted_text(seed.url.text());
      const std::string item = seed.weight == 1 ? fmt::format("- {}", url)
                                                : fmt::format("- {{url: {}, weight: {}}}", url, seed.weight);
      if (text_.size() - start + item.size() > kDumpedSeedsOctetsMax) break;
      line(depth + 1, item, origins_ == nullptr ? "" : "  # " + base::escaped(seed.where));
      ++written;
    }
    if (written == config_.seeds.size()) return;
    line(depth + 1,
         fmt::format("# {} more seeds are left out here; dump-config --json writes all of them",
                     config_.seeds.size() - written),
         "");
  }

  void hosts(std::size_t depth) {
    constexpr std::string_view kPath = "politeness.hosts";
    if (config_.politeness.hosts.empty()) return line(depth, "hosts: {}", origin(std::string(kPath)));
    line(depth, "hosts:", "");
    for (auto& [name, host] : config_.politeness.hosts) {
      const std::size_t before = text_.size();
      line(depth + 1, quoted_text(name) + ":", "");
      const std::size_t head = text_.size();
      for (const auto& key : host_keys()) {
        const std::string value = value_text(key.spec, key.slot(host));
        if (value.empty()) continue;
        line(depth + 2, fmt::format("{}: {}", key.spec.path, value),
             origin(fmt::format("{}.{}.{}", kPath, name, key.spec.path)));
      }
      if (text_.size() > head) continue;
      text_.resize(before);
      line(depth + 1, quoted_text(name) + ": {}", origin(fmt::format("{}.{}", kPath, name)));
    }
  }

  Config config_;  ///< a copy: slots point to what may be written to
  const Origins* origins_;
  std::string text_;
};

}  // namespace

std::string dump(const Config& config, const Origins* origins) {
  return Writer(config, origins).whole();
}

}  // namespace config
