#include "config/key_tree.h"

namespace config {

KeyTree key_tree() {
  KeyTree root;
  for (const auto& key : keys()) {
    KeyTree* at = &root;
    for (std::string_view rest = key.spec.path; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('.'));
      rest.remove_prefix(rest.size() > part.size() ? part.size() + 1 : part.size());
      // Keys of a section stand together, so it can only be the last branch.
      if (at->below.empty() || at->below.back().name != part) at->below.push_back({part, nullptr, {}});
      at = &at->below.back();
    }
    at->key = &key;
  }
  return root;
}

}  // namespace config
