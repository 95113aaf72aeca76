#include "config/schema.h"

#include "base/time_text.h"
#include "config/json_text.h"
#include "config/key_tree.h"
#include "config/value_text.h"
#include "config/values.h"

#include <fmt/format.h>

namespace config {
namespace {

constexpr std::string_view kPlain = R"(^[^\x00-\x1f\x7f]*$)";
constexpr std::string_view kFileName = R"(^[A-Za-z0-9_-][A-Za-z0-9._-]*$)";
constexpr std::string_view kToken = "^[A-Za-z_-]{1,64}$";
constexpr std::string_view kUserAgent = "^([!-~]([ -~]*[!-~])?)?$";
constexpr std::string_view kContact =
    R"(^([hH][tT][tT][pP][sS]?://[!#-'*-\[\]-~]+|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]+)$)";
/// Hosts at which nobody is reached.
constexpr std::string_view kNobody =
    R"(^([^@/]*@|[A-Za-z]+://)([^/?#]*\.)?(example(\.(com|org|net))?|localhost)\.?(:[0-9]*)?([/?#]|$))";
constexpr std::string_view kSize = "^(0|(0|[1-9][0-9]*)(B|KiB|KB|MiB|MB|GiB|GB|TiB|TB))$";
constexpr std::string_view kRange = "^([0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(/(0|[1-9][0-9]{0,2}))?$";
constexpr std::string_view kAddress = "^([0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$";
constexpr std::string_view kNameserver = R"(^([0-9.]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?$)";
constexpr std::string_view kHost = R"(^((\*\.)?[^\s/?#@\\*:\[\]]+|\[[0-9A-Fa-f:.]+\])$)";
constexpr std::string_view kHostOrAll = R"(^(\*|(\*\.)?[^\s/?#@\\*:\[\]]+|\[[0-9A-Fa-f:.]+\])$)";
constexpr std::string_view kParameter = "^(?=[!-~]{1,257}$)[^&=#*;+%]{1,256}\\*?$";
constexpr std::string_view kMediaType = R"(^[A-Za-z0-9!#$&^_.+-]+/(\*|[A-Za-z0-9!#$&^_.+-]+)$)";
constexpr std::string_view kStatus = "^[1-9]([0-9]{2}|[xX]{2})$";
constexpr std::string_view kProxy =
    R"(^((http|socks5)://([^:@]{1,255}@)?([^\s/?#@\\*:\[\]]+|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}/?)?$)";
constexpr std::string_view kUrl = R"(^[hH][tT][tT][pP][sS]?:[^\x00-\x20]+$)";

std::string number(std::int64_t n) {
  return fmt::format("{}", n);
}

JsonMembers type(std::string_view name) {
  return {{"type", json_string(name)}};
}

JsonMembers matching(std::string_view pattern) {
  return {{"type", json_string("string")}, {"pattern", json_string(pattern)}};
}

/// Octets are at least as many as characters.
JsonMembers text(std::string_view pattern, Bounds bounds) {
  JsonMembers members = matching(pattern);
  if (bounds.low > 0) members.emplace_back("minLength", number(bounds.low));
  members.emplace_back("maxLength", number(bounds.high));
  return members;
}

JsonMembers list(const std::string& item, Bounds bounds) {
  JsonMembers members = type("array");
  members.emplace_back("items", item);
  members.emplace_back("minItems", number(bounds.low));
  members.emplace_back("maxItems", number(bounds.high));
  members.emplace_back("uniqueItems", "true");
  return members;
}

JsonMembers list_of(std::string_view pattern, Bounds bounds) {
  return list(json_object(matching(pattern)), bounds);
}

JsonMembers any_of(const std::vector<std::string>& forms) {
  return {{"anyOf", json_array(forms)}};
}

/// A text with a unit, or 0, which needs none.
JsonMembers with_unit(std::string_view pattern, Bounds bounds, bool off_allowed) {
  std::vector<std::string> forms{json_object(matching(pattern))};
  if (bounds.low <= 0) forms.push_back(R"({"type":"integer","const":0})");
  if (off_allowed) forms.push_back(R"({"const":"off"})");
  return any_of(forms);
}

/// Each unit once, from large to small (base::parse_duration()).
std::string duration_pattern() {
  std::string pattern = "^(0|(?=[0-9])";
  for (const std::string_view unit : {"d", "h", "m", "s", "ms", "us", "ns"})
    pattern += fmt::format(R"(([0-9]+(\.[0-9]+)?{})?)", unit);
  return pattern + ")$";
}

JsonMembers numeric(std::string_view name, Bounds bounds) {
  JsonMembers members = type(name);
  members.emplace_back("minimum", number(bounds.low));
  members.emplace_back("maximum", number(bounds.high));
  return members;
}

JsonMembers choice(std::span<const std::string_view> choices) {
  std::vector<std::string> words;
  for (const std::string_view word : choices) words.push_back(json_string(word));
  return {{"type", json_string("string")}, {"enum", json_array(words)}};
}

std::string closed_object(const JsonMembers& properties, const std::vector<std::string>& required,
                          JsonMembers members = {}) {
  members.insert(members.end(), {{"type", json_string("object")},
                                 {"additionalProperties", "false"},
                                 {"properties", json_object(properties)}});
  if (!required.empty()) members.emplace_back("required", json_array(required));
  return json_object(members);
}

JsonMembers seeds(Bounds bounds) {
  const std::string url = json_object(matching(kUrl));
  const std::string weight = json_object(numeric("integer", {1, kSeedWeightMax}));
  const std::string file = json_object({{"type", json_string("string")}, {"minLength", "1"}});
  JsonMembers members = type("array");
  members.emplace_back(
      "items",
      json_object(any_of({url, closed_object({{"url", url}, {"weight", weight}}, {json_string("url")}),
                          closed_object({{"file", file}}, {json_string("file")})})));
  members.emplace_back("maxItems", number(bounds.high));
  return members;
}

std::string described(JsonMembers members, const Spec& spec, const std::string& default_value);

JsonMembers hosts(Bounds bounds) {
  JsonMembers properties;
  for (const auto& key : host_keys()) properties.emplace_back(key.spec.path, described({}, key.spec, ""));
  return {{"type", json_string("object")},
          {"propertyNames", json_object({{"pattern", json_string(kHost)}})},
          {"maxProperties", number(bounds.high)},
          {"additionalProperties", closed_object(properties, {})}};
}

JsonMembers form_of(const Spec& spec) {
  switch (spec.kind) {
    case Kind::text:
    case Kind::input_file: return text(kPlain, spec.bounds);
    case Kind::contact: {
      JsonMembers members = text(kContact, spec.bounds);
      members.emplace_back("not", json_object({{"pattern", json_string(kNobody)}}));
      return members;
    }
    case Kind::user_agent: return text(kUserAgent, spec.bounds);
    case Kind::choice: return choice(spec.choices);
    case Kind::boolean: return type("boolean");
    case Kind::count: return numeric("integer", spec.bounds);
    case Kind::real: return numeric("number", spec.bounds);
    case Kind::duration:
    case Kind::duration_or_off:
      return with_unit(duration_pattern(), spec.bounds, spec.kind == Kind::duration_or_off);
    case Kind::size: return with_unit(kSize, spec.bounds, false);
    case Kind::tokens: return list_of(kToken, spec.bounds);
    case Kind::ranges: return list_of(kRange, spec.bounds);
    case Kind::nameservers: return list_of(kNameserver, spec.bounds);
    case Kind::addresses: return list_of(kAddress, spec.bounds);
    case Kind::host_patterns: return list_of(kHostOrAll, spec.bounds);
    case Kind::parameters: return list_of(kParameter, spec.bounds);
    case Kind::media_types: return list(json_object(text(kMediaType, {0, 256})), spec.bounds);
    case Kind::statuses: {
      const std::string plain = json_object(numeric("integer", {100, 999}));
      return list(json_object(any_of({json_object(matching(kStatus)), plain})), spec.bounds);
    }
    case Kind::file_name: return text(kFileName, spec.bounds);
    case Kind::proxy: return text(kProxy, spec.bounds);
    case Kind::hosts: return hosts(spec.bounds);
    case Kind::seeds: return seeds(spec.bounds);
  }
  return {};
}

/// Bounds that draft-07 has no word for.
std::string bounds_text(const Spec& spec) {
  const auto& [low, high] = spec.bounds;
  const auto octets = [](std::int64_t n) { return size_text(static_cast<std::uint64_t>(n)); };
  if (spec.kind == Kind::size) return fmt::format(" ({} to {})", octets(low), octets(high));
  if (spec.kind != Kind::duration && spec.kind != Kind::duration_or_off) return {};
  return fmt::format(" ({} to {}{})", base::duration_text(Duration(low)), base::duration_text(Duration(high)),
                     spec.kind == Kind::duration_or_off ? ", or off" : "");
}

/// `default_value` is JSON; empty: there is none.
std::string described(JsonMembers members, const Spec& spec, const std::string& default_value) {
  members.emplace_back("description", json_string(std::string(spec.what) + bounds_text(spec)));
  if (!default_value.empty()) members.emplace_back("default", default_value);
  for (auto& member : form_of(spec)) members.push_back(std::move(member));
  return json_object(members);
}

std::string default_of(const Spec& spec, const Slot& slot) {
  if (spec.kind == Kind::contact) return {};
  if (spec.kind == Kind::seeds) return "[]";
  if (spec.kind == Kind::hosts) return "{}";
  return value_json(spec, slot);
}

JsonMembers properties_of(const KeyTree& section, Config& defaults) {
  JsonMembers properties;
  for (const KeyTree& branch : section.below) {
    const std::string name(branch.name);
    if (branch.key == nullptr) {
      std::vector<std::string> required;
      if (name == "agent") required.push_back(json_string("contact"));
      properties.emplace_back(name, closed_object(properties_of(branch, defaults), required));
    } else {
      const Spec& spec = branch.key->spec;
      properties.emplace_back(name, described({}, spec, default_of(spec, branch.key->slot(defaults))));
    }
  }
  return properties;
}

}  // namespace

std::string schema() {
  Config defaults;
  JsonMembers properties = properties_of(key_tree(), defaults);
  const std::string pattern = json_object({{"type", json_string("string")}, {"minLength", "1"}});
  JsonMembers include = any_of({pattern, json_object({{"type", json_string("array")}, {"items", pattern}})});
  include.emplace(include.begin(), "description",
                  json_string("further files, read after this one in this order"));
  properties.emplace(properties.begin(), kIncludeKey, json_object(include));
  return closed_object(properties, {json_string("agent")},
                       {{"$schema", json_string("http://json-schema.org/draft-07/schema#")},
                        {"title", json_string("crawld.yaml of crawld " CRAWLD_VERSION)}});
}

}  // namespace config
