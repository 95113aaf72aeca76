// changed_keys(): the table of keys, compared.
#include "config/keys.h"

#include <algorithm>
#include <type_traits>

namespace config {
namespace {

template <class Value>
bool same(const Value& left, const Value& right) {
  if constexpr (std::is_same_v<Value, std::vector<Seed>>) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const Seed& a, const Seed& b) { return a.url == b.url && a.weight == b.weight; });
  } else {
    return left == right;
  }
}

}  // namespace

std::vector<std::string_view> changed_keys(const Config& left, const Config& right) {
  // Slots point to what may be written to; nothing is.
  auto& one = const_cast<Config&>(left);
  auto& other = const_cast<Config&>(right);
  std::vector<std::string_view> paths;
  for (const auto& key : keys()) {
    const Slot there = key.slot(other);
    const bool equal = std::visit(
        [&](const auto* value) {
          return same(*value, *std::get<std::remove_const_t<std::remove_pointer_t<decltype(value)>>*>(there));
        },
        key.slot(one));
    if (!equal) paths.push_back(key.spec.path);
  }
  return paths;
}

}  // namespace config
