#include "config/overrides.h"

#include "config/keys.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace config {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end != text.npos) text.remove_prefix(end + separator.size());
  }
  return parts;
}

bool is_yaml(const std::string& key) {
  const Key<Config>* known = find_key(key);
  if (known == nullptr) return is_section(key);
  switch (known->spec.kind) {
    case Kind::tokens:
    case Kind::ranges:
    case Kind::nameservers:
    case Kind::addresses:
    case Kind::host_patterns:
    case Kind::parameters:
    case Kind::media_types:
    case Kind::statuses:
    case Kind::hosts:
    case Kind::seeds: return true;
    default: return false;
  }
}

/// A key in a map, around `value`.
YamlNode map_of(const std::string& key, YamlNode value) {
  YamlNode name;
  name.kind = YamlNode::Kind::scalar;
  name.place = value.place;
  name.text = key;
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  map.place = value.place;
  map.keys.push_back(std::move(name));
  map.items.push_back(std::move(value));
  return map;
}

}  // namespace

std::string Override::key() const {
  return fmt::format("{}", fmt::join(path, "."));
}

Override of_option(std::string_view setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  const std::string_view key = setting.substr(0, equals);
  Override made{fmt::format("--set {}", key), split(key, "."),
                std::string(setting.substr(std::min(equals + 1, setting.size())))};
  constexpr std::string_view kHosts = "politeness.hosts.";
  const std::size_t last = key.rfind('.');
  if (key.starts_with(kHosts) && last > kHosts.size()) {
    const std::string host(key.substr(kHosts.size(), last - kHosts.size()));
    made.path = {"politeness", "hosts", host, std::string(key.substr(last + 1))};
  }
  return made;
}

Override of_environment(std::string_view variable) {
  const std::size_t equals = std::min(variable.find('='), variable.size());
  const std::string_view name = variable.substr(0, equals);
  return {fmt::format("environment {}", name), split(name.substr(kEnvironmentPrefix.size()), "__"),
          std::string(variable.substr(std::min(equals + 1, variable.size())))};
}

std::optional<YamlNode> tree_of(const Override& override, Problems& problems) {
  const std::string key = override.key();
  const std::size_t file = problems.add_setting(override.name, key);
  YamlNode value;
  if (is_yaml(key)) {
    auto read = read_yaml(override.text, file, {}, problems);
    if (!read) return std::nullopt;
    value = std::move(*read);
  } else {
    value.kind = YamlNode::Kind::scalar;
    value.text = override.text;
  }
  value.place = {file, 1, 1};
  for (auto part = override.path.rbegin(); part != override.path.rend(); ++part) {
    value = map_of(*part, std::move(value));
  }
  return value;
}

std::vector<std::string> process_environment() {
  std::vector<std::string> found;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with(kEnvironmentPrefix)) found.emplace_back(*variable);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace config
