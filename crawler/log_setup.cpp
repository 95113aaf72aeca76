#include "crawler/log_setup.h"

#include <unistd.h>

namespace crawler {
namespace {

using Format = base::Log::Format;

Format format_of(const config::Log& config, bool to_journal, const std::string& journal) {
  switch (config.format) {
    case config::LogFormat::text: return Format::text;
    case config::LogFormat::json: return Format::json;
    case config::LogFormat::journald: return Format::journald;
    case config::LogFormat::automatic: break;
  }
  // In a container standard error may be the journal of the machine around it, whose socket is not there.
  const bool reachable = to_journal && config.file.empty() && ::access(journal.c_str(), W_OK) == 0;
  return reachable ? Format::journald : Format::text;
}

base::Level level_or(const std::string& word, base::Level otherwise) {
  return base::level_of(word).value_or(otherwise);
}

}  // namespace

base::Log::Options log_options(const config::Log& config, bool to_journal) {
  base::Log::Options options;
  options.file = config.file;
  options.format = format_of(config, to_journal, options.journal);
  options.least = level_or(config.level, base::Level::info);
  options.max_file_size = config.max_file_size;
  options.max_files = config.max_files;
  const bool through_stderr = to_journal && config.file.empty() && options.format != Format::journald;
  options.prefixes = through_stderr;
  options.visits = config.visits == "on" ||
                   (config.visits == "auto" && !through_stderr && options.format != Format::journald);
  return options;
}

void apply_levels(base::Log& log, const config::Log& config) {
  const base::Level least = level_or(config.level, base::Level::info);
  const config::LogLevels& levels = config.levels;
  log.set_level(base::Module::daemon, level_or(levels.daemon, least));
  log.set_level(base::Module::visit, level_or(levels.visit, least));
  log.set_level(base::Module::robots, level_or(levels.robots, least));
  log.set_level(base::Module::archive, level_or(levels.archive, least));
  log.set_level(base::Module::store, level_or(levels.store, least));
  log.set_level(base::Module::summary, level_or(levels.summary, least));
  log.set_level(base::Module::admin, level_or(levels.admin, least));
}

}  // namespace crawler
