#pragma once
// What may be in the log: each event has its module, whose level can be set, and some an id for the journal.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace base {

enum class Level : std::uint8_t { trace, debug, info, warning, error };
inline constexpr std::size_t kLevels = 5;

/// Parts of the log that have a level of their own. The list is closed: it is a part of the configuration.
enum class Module : std::uint8_t { daemon, visit, robots, archive, store, summary, admin };
inline constexpr std::size_t kModules = 7;
inline constexpr std::array<Module, kModules> kAllModules{Module::daemon,  Module::visit, Module::robots,
                                                          Module::archive, Module::store, Module::summary,
                                                          Module::admin};

std::string_view to_string(Level level);
std::string_view to_string(Module module);
/// Nothing for a word that is none.
std::optional<Level> level_of(std::string_view word);
std::optional<Module> module_of(std::string_view word);

struct Event {
  std::string_view word;
  Module module = Module::daemon;
  /// MESSAGE_ID of the journal (sd_journal_print(3)): 128 bits in 32 hexadecimal digits, never to be changed;
  /// empty for events that nobody waits for.
  std::string_view message_id{};
};

/// Of an event that is not in the table: one of the daemon, without an id.
Event event_of(std::string_view word);
/// True for what comes with each request: a busy crawl writes a hundred of these lines a second.
bool per_request(Module module);

}  // namespace base
