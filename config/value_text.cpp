#include "config/value_text.h"

#include "base/time_text.h"
#include "config/addresses.h"
#include "config/values.h"

#include <fmt/format.h>

#include <type_traits>

namespace config {
namespace {

template <class List, class Text>
std::string list_text(const List& list, Text text) {
  std::string result = "[";
  for (const auto& item : list)
    result += fmt::format("{}{}", result.size() == 1 ? "" : ", ", quoted_text(text(item)));
  return result + "]";
}

struct ValueText {
  const Spec& spec;

  std::string operator()(const std::string* v) const {
    return spec.kind == Kind::choice ? *v : quoted_text(*v);
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
    return list_text(*v, [](const std::string& text) { return text; });
  }
  std::string operator()(const std::vector<base::Cidr>* v) const {
    return list_text(*v, [](const base::Cidr& range) { return range.text(); });
  }
  std::string operator()(const std::vector<base::IpAddress>* v) const {
    return list_text(*v, [](const base::IpAddress& address) { return address.text(); });
  }
  std::string operator()(const Proxy* v) const { return quoted_text(proxy_text(*v)); }
  std::string operator()(const std::vector<Nameserver>* v) const { return list_text(*v, nameserver_text); }
  std::string operator()(const std::vector<Seed>*) const { return {}; }
  std::string operator()(const std::map<std::string, HostOverride, std::less<>>*) const { return {}; }
  template <class Enum>
  requires std::is_enum_v<Enum> std::string operator()(const Enum* v) const {
    return std::string(spec.choices[static_cast<std::size_t>(*v)]);
  }
};

}  // namespace

std::string quoted_text(std::string_view text) {
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

std::string value_text(const Spec& spec, const Slot& slot) {
  return std::visit(ValueText{spec}, slot);
}

std::string value_json(const Spec& spec, const Slot& slot) {
  std::string text = value_text(spec, slot);
  const bool bare = spec.kind == Kind::boolean || spec.kind == Kind::count || spec.kind == Kind::real;
  const bool ready = bare || text.starts_with('"') || text.starts_with('[');
  return ready ? text : quoted_text(text);
}

}  // namespace config
