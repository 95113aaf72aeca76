#include "base/log.h"

#include "base/escape.h"
#include "base/rotating_file.h"
#include "base/time_text.h"
#include "base/unix_datagram.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <system_error>

namespace base {
namespace {

// Where lines end. Each of these throws for a line that it could not write whole, and when it returns the
// line is with the system: it outlives a kill.

std::string_view text_of(const spdlog::details::log_msg& message) {
  return {message.payload.data(), message.payload.size()};
}

class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string line = std::string(text_of(message)) + '\n';
    std::size_t written = 0;
    while (written < line.size()) {
      const ssize_t more = ::write(STDERR_FILENO, line.data() + written, line.size() - written);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) spdlog::throw_spdlog_ex("standard error", errno);
      written += static_cast<std::size_t>(more);
    }
  }
  void flush_() override {}
};

class GivenSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit GivenSink(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override { take_(text_of(message)); }
  void flush_() override {}

 private:
  std::function<void(std::string_view)> take_;
};

class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FileSink(std::shared_ptr<RotatingFile> file) : file_(std::move(file)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::uint64_t before = file_->dropped();
    file_->append(std::string(text_of(message)) + '\n');
    file_->flush();
    if (file_->dropped() != before) spdlog::throw_spdlog_ex("the log file takes no line");
  }
  void flush_() override {}

 private:
  std::shared_ptr<RotatingFile> file_;
};

class JournalSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit JournalSink(std::string address) : socket_(std::move(address)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (!socket_.send(text_of(message))) spdlog::throw_spdlog_ex("the journal takes no entry");
  }
  void flush_() override {}

 private:
  UnixDatagram socket_;
};

}  // namespace

std::string Line::printable(const Field& field) {
  return field.kind == Kind::text ? escaped(field.value) : field.value;
}

std::string Line::words() const {
  std::string out(event_);
  for (const Field& field : fields_) {
    const std::string_view quote = field.kind == Kind::text ? "\"" : "";
    out.append(" ").append(field.key).append("=").append(quote).append(printable(field)).append(quote);
  }
  return out;
}

std::string Line::as_text(WallTime at) const {
  return rfc3339(at).append(" ").append(to_string(level_)).append(" ").append(words());
}

std::string Line::as_json(WallTime at) const {
  std::string out = "{\"time\":\"" + rfc3339(at) + "\"";
  out.append(",\"level\":\"").append(to_string(level_)).append("\",\"event\":\"").append(event_).append("\"");
  for (const Field& field : fields_) {
    out.append(",\"").append(field.key).append("\":");
    out += field.kind == Kind::number ? field.value : json_quoted(field.value);
  }
  return out + "}";
}

Log::Log(const Options& options) : options_(options) {
  set_level(std::nullopt, options.least);
  std::shared_ptr<spdlog::sinks::sink> sink;
  if (options.format == Format::journald) {
    if (::access(options.journal.c_str(), W_OK) != 0) {
      throw std::runtime_error("no journal: " + options.journal + ": " +
                               std::generic_category().message(errno));
    }
    sink = std::make_shared<JournalSink>(options.journal);
  } else if (options.file.empty() && options.standard_error) {
    sink = std::make_shared<GivenSink>(options.standard_error);
  } else if (options.file.empty()) {
    sink = std::make_shared<StderrSink>();
  } else {
    const std::uint64_t size =
        options.max_files > 0 ? options.max_file_size : std::numeric_limits<std::uint64_t>::max();
    file_ = std::make_shared<RotatingFile>(options.file, size, options.max_files);
    sink = std::make_shared<FileSink>(file_);
  }
  logger_ = std::make_shared<spdlog::logger>("crawld", std::move(sink));
  logger_->set_level(spdlog::level::trace);
  logger_->set_error_handler(
      [this](const std::string&) { dropped_.fetch_add(1, std::memory_order_relaxed); });
}

Log::Log(std::vector<std::string>& lines, Format format, Level least)
    : options_{.format = format, .least = least}, lines_(&lines) {
  set_level(std::nullopt, least);
}

Log::~Log() = default;

Level Log::effective(Level level, Module module) const {
  return level == Level::info && !options_.visits && per_request(module) ? Level::debug : level;
}

bool Log::wants(Level level, std::string_view event) const {
  const Module module = event_of(event).module;
  return effective(level, module) >=
         levels_[static_cast<std::size_t>(module)].load(std::memory_order_relaxed);
}

std::string Log::formatted(const Line& line, WallTime at) const {
  if (options_.format == Format::journald) return line.as_journal();
  std::string text = options_.format == Format::json ? line.as_json(at) : line.as_text(at);
  return options_.prefixes ? priority_prefix(line.level()) + text : text;
}

void Log::write(const Line& line, WallTime at) {
  if (!wants(line.level(), line.event())) return;
  const Level level = effective(line.level(), event_of(line.event()).module);
  written_[static_cast<std::size_t>(level)].fetch_add(1, std::memory_order_relaxed);
  std::string text;
  if (level == line.level()) {
    text = formatted(line, at);
  } else {
    Line lowered = line;
    lowered.set_level(level);
    text = formatted(lowered, at);
  }
  if (lines_ != nullptr) {
    lines_->push_back(std::move(text));
  } else {
    logger_->log(spdlog::level::info, spdlog::string_view_t(text));
  }
}

void Log::set_level(std::optional<Module> module, Level level) {
  for (const Module each : kAllModules) {
    if (module && each != *module) continue;
    levels_[static_cast<std::size_t>(each)].store(level, std::memory_order_relaxed);
  }
}

std::array<Level, kModules> Log::levels() const {
  std::array<Level, kModules> out{};
  for (std::size_t i = 0; i < kModules; ++i) out[i] = levels_[i].load(std::memory_order_relaxed);
  return out;
}

bool Log::reopen() {
  if (file_) file_->reopen();
  return file_ != nullptr;
}

std::array<std::uint64_t, kLevels> Log::written() const {
  std::array<std::uint64_t, kLevels> out{};
  for (std::size_t i = 0; i < kLevels; ++i) out[i] = written_[i].load(std::memory_order_relaxed);
  return out;
}

}  // namespace base
