// dump(): the table of keys, written out.
#include "base/time_text.h"
#include "config/addresses.h"
#include "config/keys.h"
#include "config/load.h"
#include "config/values.h"

#include <fmt/format.h>

#include <type_traits>

namespace config {
namespace {

/// A YAML text in double quotes.
std::string yaml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (octet < 0x20 || octet == 0x7F) {
      result += fmt::format("\\x{:02X}", octet);
    } else {
      result += c;
    }
  }
  return result + '"';
}

template <class List, class Text>
std::string yaml_list(const List& list, Text text) {
  std::string result = "[";
  for (const auto& item : list)
    result += fmt::format("{}{}", result.size() == 1 ? "" : ", ", yaml_text(text(item)));
  return result + "]";
}

/// The value in `slot`; an empty text for an optional that is not set.
struct ValueText {
  const Spec& spec;

  std::string operator()(const std::string* v) const {
    return spec.kind == Kind::choice ? *v : yaml_text(*v);
  }
  std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(const std::uint32_t* v) const { return fmt::format("{}", *v); }
  std::string operator()(const std::uint64_t* v) const {
    return spec.kind == Kind::size ? size_text(*v) : fmt::format("{}", *v);
  }
  std::string operator()(const double* v) const { return real_text(*v); }
  std::string operator()(const std::optional<double>* v) const { return *v ? real_text(**v) : ""; }
  std::string operator()(const Duration* v) const { return base::duration_text(*v); }
  std::string operator()(const std::optional<Duration>* v) const {
    if (*v) return base::duration_text(**v);
    return spec.kind == Kind::duration_or_off ? "off" : "";
  }
  std::string operator()(const std::vector<std::string>* v) const {
    return yaml_list(*v, [](const std::string& text) { return text; });
  }
  std::string operator()(const std::vector<base::Cidr>* v) const {
    return yaml_list(*v, [](const base::Cidr& range) { return range.text(); });
  }
  std::string operator()(const std::vector<Nameserver>* v) const { return yaml_list(*v, nameserver_text); }
  std::string operator()(const std::vector<Seed>* v) const {
    std::string result = v->empty() ? "[]" : "";
    for (const Seed& seed : *v) {
      const std::string url = yaml_text(seed.url.text());
      result += seed.weight == 1 ? fmt::format("\n  - {}", url)
                                 : fmt::format("\n  - {{url: {}, weight: {}}}", url, seed.weight);
    }
    return result;
  }
  std::string operator()(const std::map<std::string, HostOverride, std::less<>>* v) const {
    std::string result = v->empty() ? "{}" : "";
    for (const auto& [name, host] : *v)
      result += fmt::format("\n    {}: {}", yaml_text(name), host_text(host));
    return result;
  }
  template <class Enum>
  requires std::is_enum_v<Enum> std::string operator()(const Enum* v) const {
    return std::string(spec.choices[static_cast<std::size_t>(*v)]);
  }

  static std::string host_text(HostOverride host) {
    std::string result = "{";
    for (const auto& key : host_keys()) {
      const std::string value = std::visit(ValueText{key.spec}, key.slot(host));
      if (!value.empty())
        result += fmt::format("{}{}: {}", result.size() == 1 ? "" : ", ", key.spec.path, value);
    }
    return result + "}";
  }
};

std::string indent(std::string_view section) {
  std::size_t depth = section.empty() ? 0 : 1;
  for (const char c : section) depth += c == '.' ? 1 : 0;
  return std::string(2 * depth, ' ');
}

/// The heads of `section` and of the sections around it that `open` is not in.
std::string section_heads(std::string_view section, std::string_view open) {
  if (section.empty() || open == section || (open.starts_with(section) && open[section.size()] == '.'))
    return {};
  const std::string_view around = parent_of(section);
  return section_heads(around, open) + fmt::format("{}{}:\n", indent(around), last_part(section));
}

}  // namespace

std::string dump(const Config& config) {
  Config copy = config;  // slots point to what may be written to
  std::string result;
  std::string_view open;
  for (const auto& key : keys()) {
    const std::string_view section = parent_of(key.spec.path);
    result += section_heads(section, open);
    open = section;
    const std::string value = std::visit(ValueText{key.spec}, key.slot(copy));
    const bool below = value.starts_with('\n');
    result += fmt::format("{}{}:{}{}\n", indent(section), last_part(key.spec.path), below ? "" : " ", value);
  }
  return result;
}

}  // namespace config
