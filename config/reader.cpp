#include "config/reader.h"

#include "config/addresses.h"
#include "config/ascii.h"
#include "config/identity.h"
#include "config/seeds.h"
#include "config/suggest.h"
#include "config/values.h"

#include <fmt/format.h>

#include <type_traits>

namespace config {
namespace {

std::string_view kind_name(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::scalar: return "a single value";
    case YamlNode::Kind::list: return "a list";
    case YamlNode::Kind::map: return "keys with values";
  }
  return "something else";
}

std::string_view expected_of(Kind kind) {
  switch (kind) {
    case Kind::text:
    case Kind::user_agent: return "a text";
    case Kind::contact: return "a URL or mail address";
    case Kind::choice: return "a word";
    case Kind::boolean: return "true or false";
    case Kind::count:
    case Kind::real: return "a number";
    case Kind::duration: return "a duration like 10s";
    case Kind::duration_or_off: return "a duration like 10s, or off";
    case Kind::size: return "a size like 64KiB";
    case Kind::tokens: return "a list of product tokens";
    case Kind::ranges: return "a list of address ranges";
    case Kind::nameservers: return "a list of name servers";
    case Kind::addresses: return "a list of addresses";
    case Kind::host_patterns: return "a list of host names";
    case Kind::parameters: return "a list of names of parameters";
    case Kind::media_types: return "a list of media types";
    case Kind::statuses: return "a list of statuses";
    case Kind::file_name:
    case Kind::input_file: return "a text";
    case Kind::proxy: return "a URL of a proxy";
    case Kind::hosts: return "host names with their keys";
    case Kind::seeds: return "a list of URLs and files";
  }
  return "something else";
}

/// Of the lists whose items are texts in one form only; null for other kinds.
Reading<std::string> (*word_reader(Kind kind))(std::string_view) {
  switch (kind) {
    case Kind::host_patterns: return read_host_pattern;
    case Kind::parameters: return read_parameter;
    case Kind::media_types: return read_media_type;
    case Kind::statuses: return read_status;
    default: return nullptr;
  }
}

std::string join(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

void store_count(const Slot& slot, std::uint64_t number) {
  if (auto* const* narrow = std::get_if<std::uint32_t*>(&slot)) {
    **narrow = static_cast<std::uint32_t>(number);  // the bounds in the table fit
  } else {
    *std::get<std::uint64_t*>(slot) = number;
  }
}

void store_real(const Slot& slot, double number) {
  if (auto* const* optional = std::get_if<std::optional<double>*>(&slot)) {
    **optional = number;
  } else {
    *std::get<double*>(slot) = number;
  }
}

void store_duration(const Slot& slot, std::optional<Duration> duration) {
  if (auto* const* optional = std::get_if<std::optional<Duration>*>(&slot)) {
    **optional = duration;
  } else {
    *std::get<Duration*>(slot) = duration.value();
  }
}

void store_choice(const Slot& slot, std::size_t index, std::span<const std::string_view> choices) {
  std::visit(
      [&](auto* place) {
        using Value = std::remove_pointer_t<decltype(place)>;
        if constexpr (std::is_enum_v<Value>) {
          *place = static_cast<Value>(index);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          *place = choices[index];
        }
      },
      slot);
}

}  // namespace

Place Places::of(std::string_view path) const {
  for (; !path.empty(); path = parent_of(path)) {
    if (const auto found = places_.find(path); found != places_.end()) return found->second;
  }
  return {file_, 1, 1};
}

bool Reader::is_kind(const YamlNode& node, YamlNode::Kind wanted, const std::string& path,
                     std::string_view expected) {
  if (node.kind == wanted) return true;
  if (node.kind == YamlNode::Kind::null) {
    problems_.error(node.place, path, "has no value: give it one, or remove the key to keep its default");
    return false;
  }
  std::string_view hint;
  if (wanted == YamlNode::Kind::list && node.kind == YamlNode::Kind::scalar)
    hint = ": write [ and ] around it";
  problems_.error(node.place, path,
                  fmt::format("must be {}, not {}{}", expected, kind_name(node.kind), hint));
  return false;
}

bool Reader::new_key(const YamlNode& key, const std::string& path, std::string_view name, Names& seen) {
  const auto [first, is_new] = seen.emplace(name, key.place.line);
  if (is_new) return true;
  problems_.error(key.place, path, fmt::format("written twice, first in line {}", first->second));
  return false;
}

std::string Reader::unknown_key(std::string_view section, std::string_view key) const {
  return problems_.full() ? std::string() : "unknown key" + hint_for_unknown_key(section, key);
}

void Reader::read(const YamlNode& root) {
  if (root.kind != YamlNode::Kind::null) section(root, "");
}

void Reader::section(const YamlNode& node, const std::string& path) {
  if (!is_kind(node, YamlNode::Kind::map, path, "keys with values")) return;
  Names seen;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& key = node.keys[i];
    if (key.kind != YamlNode::Kind::scalar) {
      problems_.error(key.place, path, fmt::format("a key must be a word, not {}", kind_name(key.kind)));
      continue;
    }
    const std::string below = join(path, key.text);
    if (!new_key(key, below, key.text, seen)) continue;
    const YamlNode& item = node.items[i];
    const bool word = key.text.find('.') == std::string::npos;
    if (below == kIncludeKey && source_.may_include) {
      include_ = &item;
    } else if (below == kIncludeKey) {
      problems_.error(key.place, below, "only the file that crawld is started with may include others");
    } else if (const Key<Config>* known = word ? find_key(below) : nullptr) {
      places_.add(below, item.place);
      value(known->spec, below, known->slot(config_), item);
    } else if (word && is_section(below)) {
      if (!places_.has(below)) places_.add(below, key.place);
      section(item, below);
    } else {
      problems_.error(key.place, below, unknown_key(path, key.text));
    }
  }
}

void Reader::hosts(const YamlNode& node, const Spec& spec, Politeness& politeness) {
  const std::string path(spec.path);
  if (!is_kind(node, YamlNode::Kind::map, path, expected_of(spec.kind))) return;
  if (node.keys.size() > static_cast<std::size_t>(spec.bounds.high)) {
    problems_.error(node.place, path, fmt::format("more than {} hosts", spec.bounds.high));
    return;
  }
  Names seen;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& key = node.keys[i];
    if (key.kind != YamlNode::Kind::scalar) {
      problems_.error(key.place, path,
                      fmt::format("a host name is needed here, not {}", kind_name(key.kind)));
      continue;
    }
    const Reading<std::string> name = read_host(key.text);
    if (!name.wrong.empty()) {
      problems_.error(key.place, path, name.wrong);
      continue;
    }
    const std::string below = join(path, name.value);
    if (!new_key(key, below, name.value, seen)) continue;
    const bool another = !politeness.hosts.contains(name.value);
    if (another && politeness.hosts.size() >= static_cast<std::size_t>(spec.bounds.high)) {
      problems_.error(key.place, path,
                      fmt::format("more than {} hosts, all files together", spec.bounds.high));
      return;
    }
    places_.add(below, key.place);
    host(node.items[i], below, politeness.hosts[name.value]);
  }
}

void Reader::host(const YamlNode& node, const std::string& path, HostOverride& host) {
  if (!is_kind(node, YamlNode::Kind::map, path, "keys with values")) return;
  Names seen;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& key = node.keys[i];
    if (key.kind != YamlNode::Kind::scalar) {
      problems_.error(key.place, path, fmt::format("a key must be a word, not {}", kind_name(key.kind)));
      continue;
    }
    const std::string below = join(path, key.text);
    if (!new_key(key, below, key.text, seen)) continue;
    const Key<HostOverride>* known = find_host_key(key.text);
    if (known == nullptr) {
      problems_.error(key.place, below, unknown_key(kHostSection, key.text));
      continue;
    }
    places_.add(below, node.items[i].place);
    value(known->spec, below, known->slot(host), node.items[i]);
  }
}

void Reader::value(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node) {
  switch (spec.kind) {
    case Kind::tokens:
    case Kind::ranges:
    case Kind::addresses:
    case Kind::host_patterns:
    case Kind::parameters:
    case Kind::media_types:
    case Kind::statuses:
    case Kind::nameservers: return list(spec, path, slot, node);
    case Kind::hosts: return hosts(node, spec, config_.politeness);
    case Kind::seeds:
      if (node.kind == YamlNode::Kind::scalar) {
        problems_.error(node.place, path,
                        fmt::format("must be a list: write \"- \" in front of {}", in_quotes(node.text)));
      } else if (is_kind(node, YamlNode::Kind::list, path, expected_of(spec.kind))) {
        read_seeds(node, source_.folder, config_.seeds, problems_);
      }
      return;
    default:
      if (is_kind(node, YamlNode::Kind::scalar, path, expected_of(spec.kind))) scalar(spec, path, slot, node);
  }
}

void Reader::scalar(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node) {
  const std::string& text = node.text;
  const bool bare = spec.kind == Kind::boolean || spec.kind == Kind::count || spec.kind == Kind::real;
  if (bare && node.quoted) {
    problems_.error(node.place, path, fmt::format("must be {} without quotes", expected_of(spec.kind)));
    return;
  }
  const auto take = [&](auto reading, auto store) {
    if (reading.wrong.empty()) {
      store(std::move(reading.value));
    } else {
      problems_.error(node.place, path, reading.wrong);
    }
  };
  const auto take_text = [&](std::string s) { *std::get<std::string*>(slot) = std::move(s); };
  switch (spec.kind) {
    case Kind::boolean: return take(read_boolean(text), [&](bool b) { *std::get<bool*>(slot) = b; });
    case Kind::count:
      return take(read_count(text, spec.bounds), [&](std::uint64_t n) { store_count(slot, n); });
    case Kind::real: return take(read_real(text, spec.bounds), [&](double d) { store_real(slot, d); });
    case Kind::size:
      return take(read_size(text, spec.bounds), [&](std::uint64_t n) { store_count(slot, n); });
    case Kind::duration:
    case Kind::duration_or_off:
      return take(read_duration(text, spec.bounds, spec.kind == Kind::duration_or_off),
                  [&](std::optional<Duration> d) { store_duration(slot, d); });
    case Kind::choice:
      return take(read_choice(text, spec.choices),
                  [&](std::size_t i) { store_choice(slot, i, spec.choices); });
    case Kind::contact: return take(read_contact(text, spec.bounds), take_text);
    case Kind::user_agent: return take(read_user_agent(text, spec.bounds), take_text);
    case Kind::file_name: return take(read_file_name(text, spec.bounds), take_text);
    case Kind::proxy:
      return take(read_proxy(text), [&](Proxy proxy) { *std::get<Proxy*>(slot) = std::move(proxy); });
    default: return take(read_text(text, spec.bounds), take_text);
  }
}

template <class T, class Read, class Name>
void Reader::items(const Spec& spec, const std::string& path, const YamlNode& node, std::vector<T>& to,
                   Read read_item, Name name) {
  const auto [low, high] = spec.bounds;
  const auto count = static_cast<std::int64_t>(node.items.size());
  if (count < low || count > high) {
    problems_.error(node.place, path,
                    fmt::format("must have between {} and {} items, not {}", low, high, count));
    return;
  }
  to.clear();
  Names seen;
  for (const YamlNode& item : node.items) {
    if (!is_kind(item, YamlNode::Kind::scalar, path, "a list of single values")) continue;
    auto reading = read_item(item.text);
    if (!reading.wrong.empty()) {
      problems_.error(item.place, path, reading.wrong);
      continue;
    }
    const auto [first, is_new] = seen.emplace(name(reading.value), item.place.line);
    if (is_new) {
      to.push_back(std::move(reading.value));
    } else {
      problems_.error(
          item.place, path,
          fmt::format("{} is in the list twice, first in line {}", in_quotes(item.text), first->second));
    }
  }
}

void Reader::list(const Spec& spec, const std::string& path, const Slot& slot, const YamlNode& node) {
  if (!is_kind(node, YamlNode::Kind::list, path, expected_of(spec.kind))) return;
  if (spec.kind == Kind::tokens) {
    items(spec, path, node, *std::get<std::vector<std::string>*>(slot), read_token,
          [](const std::string& token) { return ascii_lower(token); });
  } else if (spec.kind == Kind::ranges) {
    items(spec, path, node, *std::get<std::vector<base::Cidr>*>(slot), read_range,
          [](const base::Cidr& range) { return range.text(); });
  } else if (spec.kind == Kind::addresses) {
    items(spec, path, node, *std::get<std::vector<base::IpAddress>*>(slot), read_address,
          [](const base::IpAddress& address) { return address.text(); });
  } else if (const auto read_word = word_reader(spec.kind)) {
    items(spec, path, node, *std::get<std::vector<std::string>*>(slot), read_word,
          [](const std::string& word) { return word; });
  } else {
    items(spec, path, node, *std::get<std::vector<Nameserver>*>(slot), read_nameserver, nameserver_text);
  }
}

}  // namespace config
