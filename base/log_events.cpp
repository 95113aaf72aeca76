#include "base/log_events.h"

#include <algorithm>

namespace base {
namespace {

constexpr std::array<std::string_view, kLevels> kLevelWords{"trace", "debug", "info", "warning", "error"};
constexpr std::array<std::string_view, kModules> kModuleWords{"daemon", "visit",   "robots", "archive",
                                                              "store",  "summary", "admin"};

/// crawld(8) lists the ids.
constexpr Event kEvents[] = {
    {"start", Module::daemon, "75991e500dabe71604e630cc2b67ef5c"},
    {"ready", Module::daemon, "803c0b48fc11d2fe0523de0ed676a203"},
    {"reload", Module::daemon, "7af5cc9ca1eded9aeb828bcc923e7156"},
    {"reopen", Module::daemon},
    {"pause", Module::daemon, "f0a299acbe9d1c07f871a30fd1effe73"},
    {"resume", Module::daemon, "a3beaf9d6ccd06902eebabb70ab2ff0d"},
    {"drain", Module::daemon, "61d3f599b3504e0dadfead38506301eb"},
    {"insist", Module::daemon},
    {"stop", Module::daemon, "b86e0d6b11af2afc182bacc78aa0e277"},
    {"memory", Module::daemon, "11efde7b03e058b14faf5f7744fc2ac3"},
    {"bug", Module::daemon, "773105c70dbedf87954e7e892f2ee0f2"},
    {"watchdog", Module::daemon, "3a4187548ff4096d386b47756021d879"},
    {"violation", Module::daemon, "43f0c6bad25ac3acb6c5b7c2293b5dc4"},
    {"visit", Module::visit},
    {"robots", Module::robots},
    {"verdict", Module::robots},
    {"archive", Module::archive},
    {"store", Module::store, "713f39dcddd014a616ee6690b0f52bd4"},
    {"summary", Module::summary},
    {"admin", Module::admin},
    {"order", Module::admin, "96518e9211899e8c47ed21ab83b42a4a"},
};

/// The place of `word` in `words`, as an Enum.
template <class Enum, std::size_t kCount>
std::optional<Enum> find_word(const std::array<std::string_view, kCount>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view to_string(Level level) {
  return kLevelWords[static_cast<std::size_t>(level)];
}

std::string_view to_string(Module module) {
  return kModuleWords[static_cast<std::size_t>(module)];
}

std::optional<Level> level_of(std::string_view word) {
  return find_word<Level>(kLevelWords, word);
}

std::optional<Module> module_of(std::string_view word) {
  return find_word<Module>(kModuleWords, word);
}

Event event_of(std::string_view word) {
  for (const Event& event : kEvents) {
    if (event.word == word) return event;
  }
  return {word};
}

bool per_request(Module module) {
  return module == Module::visit || module == Module::robots;
}

}  // namespace base
