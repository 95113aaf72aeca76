#pragma once
// The command line of `crawld frontier …`.
#include "config/load.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace crawler {

/// Must outlive the parsing and the action.
class FrontierCommands {
 public:
  /// Reads a configuration, or throws what ends the program.
  using Load = std::function<config::Config(const config::Sources& sources)>;

  /// Adds `frontier` to `app`; parsing one of its commands sets `action`.
  FrontierCommands(CLI::App& app, std::function<int()>& action, Load load);
  FrontierCommands(const FrontierCommands&) = delete;
  FrontierCommands& operator=(const FrontierCommands&) = delete;

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about,
                int (FrontierCommands::*run)() const);
  void add_list(CLI::App& parent);
  void add_carriers(CLI::App& parent);
  void add_forget(CLI::App& parent);

  int stats() const;
  int list() const;
  int verify() const;
  int carry_out() const;
  int carry_in() const;
  int forget() const;
  config::Storage storage() const { return load_(sources_).storage; }

  std::function<int()>& action_;
  Load load_;
  config::Sources sources_;
  std::string origin_;
  std::string url_;
  std::string file_;
  std::uint64_t limit_ = 100;
  bool owed_ = false;
  bool done_ = false;
  bool json_ = false;
};

}  // namespace crawler
