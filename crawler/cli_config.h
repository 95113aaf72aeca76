#pragma once
// The command line of `crawld check-config`, `dump-config` and `schema`, and what all commands share that
// read a configuration.
#include "config/load.h"

#include <CLI/CLI.hpp>
#include <sysexits.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace crawler {

/// Thrown to end with a message and an exit code.
struct Exit {
  int code = EX_SOFTWARE;
  std::string message;
};

/// Adds --config and --set to `command`; `sources` gets what they say, and the environment of this process.
/// Returns --config.
CLI::Option* add_config_options(CLI::App& command, config::Sources& sources, bool required = true);

/// The configuration; warnings and errors go to standard error. Throws Exit when there is an error.
config::Config load_or_exit(const config::Sources& sources);

/// The configuration, or each of its errors.
std::variant<config::Config, std::vector<std::string>> load_again(const config::Sources& sources);

/// Must outlive the parsing and the action.
class ConfigCommands {
 public:
  /// Adds `check-config`, `dump-config` and `schema` to `app`; parsing one of them sets `action`.
  ConfigCommands(CLI::App& app, std::function<int()>& action);
  ConfigCommands(const ConfigCommands&) = delete;
  ConfigCommands& operator=(const ConfigCommands&) = delete;

 private:
  int check();
  int dump() const;

  config::Sources sources_;
  bool json_ = false;
  bool origin_ = false;
  bool strict_ = false;
};

}  // namespace crawler
