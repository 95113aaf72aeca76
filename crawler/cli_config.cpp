#include "crawler/cli_config.h"

#include "base/escape.h"
#include "config/overrides.h"
#include "config/schema.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace crawler {
namespace {

int written(const std::string& text) {
  std::cout << text << std::flush;
  return std::cout ? EX_OK : EX_IOERR;
}

/// JSON for people too: indented, names in the order in which they came.
std::string indented(const std::string& json) {
  return nlohmann::ordered_json::parse(json).dump(2) + "\n";
}

/// Refuses what has no key or no value.
std::string check_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals == 0 || equals == std::string::npos ? "write it as KEY=VALUE" : "";
}

void tell(const config::Loaded& loaded) {
  for (const std::string& warning : loaded.warnings) std::cerr << "warning: " << warning << '\n';
  for (const std::string& error : loaded.errors) std::cerr << error << '\n';
}

nlohmann::ordered_json json_of(const config::Told& told) {
  const auto or_null = [](std::size_t n) {
    return n == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(n);
  };
  return {{"severity", told.is_error ? "error" : "warning"},
          {"file", told.source},
          {"line", or_null(told.line)},
          {"column", or_null(told.column)},
          {"key", told.key},
          {"message", told.message}};
}

std::string json_of(const std::string& file, const config::Loaded& loaded, bool good) {
  auto problems = nlohmann::ordered_json::array();
  for (const config::Told& told : loaded.told) problems.push_back(json_of(told));
  const nlohmann::ordered_json answer = {{"file", file},
                                         {"good", good},
                                         {"seeds", loaded.config.seeds.size()},
                                         {"problems", std::move(problems)},
                                         {"problems_left_out", loaded.left_out}};
  return answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

CLI::Option* add_config_options(CLI::App& command, config::Sources& sources, bool required) {
  CLI::Option* const file = command.add_option("-c,--config", sources.file, "configuration file (YAML)");
  file->required(required)->type_name("FILE");
  command
      .add_option("--set", sources.settings, "one key more, over the file and the environment; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)  // what follows is an argument of the command
      ->check(CLI::Validator(check_setting, "", "setting"));
  sources.environment = config::process_environment();
  return file;
}

config::Config load_or_exit(const config::Sources& sources) {
  config::Loaded loaded = config::load(sources);
  tell(loaded);
  if (!loaded.errors.empty()) throw Exit{EX_CONFIG, {}};
  return std::move(loaded.config);
}

std::variant<config::Config, std::vector<std::string>> load_again(const config::Sources& sources) {
  config::Loaded loaded = config::load(sources);
  if (!loaded.errors.empty()) return std::move(loaded.errors);
  return std::move(loaded.config);
}

ConfigCommands::ConfigCommands(CLI::App& app, std::function<int()>& action) {
  CLI::App* check = app.add_subcommand("check-config", "Read the configuration and name every error in it");
  add_config_options(*check, sources_);
  check->add_flag("--strict-warnings", strict_, "a warning counts as an error");
  check->add_flag("--json", json_, "write JSON");
  check->footer(
      "Also tries to read the files that keys name. Exit code 78 when there is an error.\n"
      "Example: crawld check-config --config crawld.yaml");
  check->callback([this, &action] { action = [this] { return this->check(); }; });

  CLI::App* dump = app.add_subcommand("dump-config", "Write the configuration in force, defaults included");
  add_config_options(*dump, sources_);
  dump->add_flag("--origin", origin_, "say of each value where it comes from");
  dump->add_flag("--json", json_, "write JSON");
  dump->footer(
      "Examples:\n"
      "  crawld dump-config --config crawld.yaml > all-keys.yaml\n"
      "  crawld dump-config --config crawld.yaml --set threads=2 --origin");
  dump->callback([this, &action] { action = [this] { return this->dump(); }; });

  CLI::App* schema = app.add_subcommand("schema", "Write a JSON Schema of the configuration, for editors");
  schema->footer(
      "Draft-07. In the first line of crawld.yaml: # yaml-language-server: $schema=crawld.schema.json\n"
      "Example: crawld schema > crawld.schema.json");
  schema->callback([&action] { action = [] { return written(indented(config::schema())); }; });
}

int ConfigCommands::check() {
  sources_.try_files = true;
  const config::Loaded loaded = config::load(sources_);
  const bool good = loaded.errors.empty() && (!strict_ || loaded.warnings.empty());
  int code = EX_OK;
  if (json_) {
    code = written(json_of(sources_.file, loaded, good));
  } else {
    tell(loaded);
    const std::size_t seeds = loaded.config.seeds.size();
    if (good) {
      code = written(base::escaped(sources_.file) + ": good, " + std::to_string(seeds) +
                     (seeds == 1 ? " seed\n" : " seeds\n"));
    }
  }
  return good ? code : EX_CONFIG;
}

int ConfigCommands::dump() const {
  config::Loaded loaded = config::load(sources_);
  tell(loaded);
  if (!loaded.errors.empty()) return EX_CONFIG;
  const config::Origins* origins = origin_ ? &loaded.origins : nullptr;
  return written(json_ ? indented(config::dump_json(loaded.config, origins))
                       : config::dump(loaded.config, origins));
}

}  // namespace crawler
