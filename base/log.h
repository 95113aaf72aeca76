#pragma once
// The log: one line an event, stable keys, as text, as JSON or into the journal, safe whatever strangers put
// into it.
#include "base/log_events.h"
#include "base/log_journal.h"
#include "base/time.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spdlog {
class logger;
}

namespace base {

class RotatingFile;

/// One event and its fields, in the order in which they will stand. Keys are literals of ours, in lower case.
class Line {
 public:
  Line(Level level, std::string_view event) : level_(level), event_(event) {}
  /// Text from anywhere: quoted, escaped and capped when written.
  Line& text(std::string_view key, std::string_view value) {
    return add(key, std::string(value), Kind::text);
  }
  /// One of our own words, such as a fate: written as it is.
  Line& word(std::string_view key, std::string_view value) {
    return add(key, std::string(value), Kind::word);
  }
  Line& number(std::string_view key, std::int64_t value) {
    return add(key, std::to_string(value), Kind::number);
  }

  Level level() const { return level_; }
  void set_level(Level level) { level_ = level; }
  std::string_view event() const { return event_; }
  /// `TIME level event key=value key="value"`
  std::string as_text(WallTime at) const;
  /// `{"time":…,"level":…,"event":…,"key":value}`
  std::string as_json(WallTime at) const;
  /// MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, MESSAGE_ID of some, CRAWLD_EVENT, and CRAWLD_KEY of each field: a
  /// datagram for journald, which has the time itself.
  std::string as_journal() const;

 private:
  enum class Kind { text, word, number };
  struct Field {
    std::string_view key;
    std::string value;
    Kind kind = Kind::text;
  };
  Line& add(std::string_view key, std::string value, Kind kind) {
    fields_.push_back({key, std::move(value), kind});
    return *this;
  }
  /// `event key=value key="value"`
  std::string words() const;
  static std::string printable(const Field& field);

  Level level_;
  std::string_view event_;
  std::vector<Field> fields_;
};

/// `<6>`: what the journal reads as a priority at the beginning of a line of standard error (sd-daemon(3)).
std::string priority_prefix(Level level);

/// Where lines go. Thread-safe. A full disk or a journal that does not take them never stops the crawl: what
/// cannot be written is dropped and counted.
class Log {
 public:
  enum class Format { text, json, journald };
  struct Options {
    std::string file{};  ///< empty: standard error
    Format format = Format::text;
    Level least = Level::info;            ///< of every module
    std::uint64_t max_file_size = 0;      ///< octets after which `file` is rotated, see RotatingFile
    std::uint32_t max_files = 0;          ///< rotated ones that are kept; 0: `file` is never rotated
    bool visits = true;                   ///< false: lines of single requests that are info become debug
    bool prefixes = false;                ///< lines on standard error begin with priority_prefix()
    std::string journal{kJournalSocket};  ///< where Format::journald sends to
    /// Takes lines, without their ends, that would go to standard error; from any thread. Empty: they go.
    std::function<void(std::string_view)> standard_error{};
  };
  /// Throws std::runtime_error when the file cannot be opened, or there is no journal.
  explicit Log(const Options& options);
  Log(const std::string& file, Format format, Level least)
      : Log(Options{.file = file, .format = format, .least = least}) {}
  /// Lines go to `lines` (tests, which read them when the writers are done).
  Log(std::vector<std::string>& lines, Format format, Level least);
  ~Log();

  /// Whether a line of this level and event would be written.
  bool wants(Level level, std::string_view event) const;
  void write(const Line& line, WallTime at);

  /// Of one module, or of all.
  void set_level(std::optional<Module> module, Level level);
  /// By module.
  std::array<Level, kModules> levels() const;
  /// The file may have been renamed: goes on in one of the old name. False: it does not write to a file.
  bool reopen();

  /// Since the start: lines by level, and of them those that could not be written.
  std::array<std::uint64_t, kLevels> written() const;
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  Level effective(Level level, Module module) const;
  std::string formatted(const Line& line, WallTime at) const;

  const Options options_;
  std::shared_ptr<RotatingFile> file_;
  std::shared_ptr<spdlog::logger> logger_;
  std::vector<std::string>* lines_ = nullptr;
  std::array<std::atomic<Level>, kModules> levels_{};
  std::array<std::atomic<std::uint64_t>, kLevels> written_{};
  std::atomic<std::uint64_t> dropped_ = 0;
};

}  // namespace base
