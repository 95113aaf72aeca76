#include "base/log.h"

#include "base/escape.h"
#include "base/time_text.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <stdexcept>

namespace base {
namespace {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::trace: return "trace";
    case Level::debug: return "debug";
    case Level::info: return "info";
    case Level::warning: return "warning";
    case Level::error: return "error";
  }
  return "?";
}

}  // namespace

std::string Line::as_text(WallTime at) const {
  std::string out = rfc3339(at);
  out.append(" ").append(to_string(level_)).append(" ").append(event_);
  for (const Field& field : fields_) {
    out.append(" ").append(field.key).append("=");
    if (field.kind == Kind::text) {
      out.append("\"").append(escaped(field.value)).append("\"");
    } else {
      out.append(field.value);
    }
  }
  return out;
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

Log::Log(const std::string& file, Format format, Level least) : format_(format), least_(least) {
  spdlog::sink_ptr sink;
  try {
    if (file.empty()) {
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    } else {
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
    }
  } catch (const spdlog::spdlog_ex& failure) {
    throw std::runtime_error(failure.what());
  }
  logger_ = std::make_shared<spdlog::logger>("crawld", sink);
  logger_->set_pattern("%v");
  logger_->set_level(spdlog::level::trace);
  logger_->flush_on(
      spdlog::level::trace);  // each line tells of a request that was made: it must outlive a kill
  logger_->set_error_handler([](const std::string&) {});
}

Log::Log(std::vector<std::string>& lines, Format format, Level least)
    : lines_(&lines), format_(format), least_(least) {}

Log::~Log() = default;

void Log::write(const Line& line, WallTime at) {
  if (!wants(line.level())) return;
  std::string text = format_ == Format::json ? line.as_json(at) : line.as_text(at);
  if (lines_ != nullptr) {
    lines_->push_back(std::move(text));
  } else {
    logger_->log(spdlog::level::info, spdlog::string_view_t(text));
  }
}

}  // namespace base
