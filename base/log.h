#pragma once
// The log: one line an event, stable keys, text or JSON, safe whatever strangers put into it.
#include "base/time.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace spdlog {
class logger;
}

namespace base {

enum class Level { trace, debug, info, warning, error };

/// One event and its fields, in the order in which they will stand. Keys are literals of ours.
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
  /// `TIME level event key=value key="value"`
  std::string as_text(WallTime at) const;
  /// `{"time":…,"level":…,"event":…,"key":value}`
  std::string as_json(WallTime at) const;

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

  Level level_;
  std::string_view event_;
  std::vector<Field> fields_;
};

/// Where lines go. Thread-safe. A full disk never stops the crawl: what cannot be written is dropped.
class Log {
 public:
  enum class Format { text, json };
  /// `file` empty: standard error. Throws std::runtime_error when the file cannot be opened.
  Log(const std::string& file, Format format, Level least);
  /// Lines go to `lines` (tests, which read them when the writers are done).
  Log(std::vector<std::string>& lines, Format format, Level least);
  ~Log();

  bool wants(Level level) const { return level >= least_; }
  void write(const Line& line, WallTime at);

 private:
  std::shared_ptr<spdlog::logger> logger_;
  std::vector<std::string>* lines_ = nullptr;
  Format format_;
  Level least_;
};

}  // namespace base
