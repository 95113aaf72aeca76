#include "crawler/reload.h"

#include "config/keys.h"

#include <algorithm>
#include <array>

namespace crawler {

bool taken_up_by_reload(std::string_view path) {
  constexpr std::array<std::string_view, 4> kSections{"scope.", "traps.", "recrawl.", "log.levels."};
  return path == "seeds" || path == "log.level" ||
         std::any_of(kSections.begin(), kSections.end(),
                     [&](std::string_view section) { return path.starts_with(section); });
}

std::vector<std::string_view> keys_for_restart(const config::Config& started, const config::Config& fresh) {
  std::vector<std::string_view> keys = config::changed_keys(started, fresh);
  std::erase_if(keys, taken_up_by_reload);
  return keys;
}

}  // namespace crawler
