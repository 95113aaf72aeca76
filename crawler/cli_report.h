#pragma once
// The command line of `crawld report …`.
#include "config/load.h"
#include "crawler/report.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace crawler {

/// Must outlive the parsing and the action.
class ReportCommands {
 public:
  /// Reads a configuration, or throws what ends the program.
  using Load = std::function<config::Config(const config::Sources& sources)>;

  /// Adds `report` to `app`; parsing one of its commands sets `action`.
  ReportCommands(CLI::App& app, std::function<int()>& action, Load load);
  ReportCommands(const ReportCommands&) = delete;
  ReportCommands& operator=(const ReportCommands&) = delete;

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about,
                std::function<int()> run);
  void add_source(CLI::App* command);
  void add_limit(CLI::App* command);
  void add_host(CLI::App& parent);
  void add_tally(CLI::App& parent, const std::string& name, const std::string& about, Tallied what);
  void add_seeds(CLI::App& parent);

  int host() const;
  int seeds() const;
  void check_source() const;
  LogFiles open_log() const;

  std::function<int()>& action_;
  Load load_;
  config::Sources sources_;
  std::vector<std::string> logs_;
  std::string host_;
  std::string since_;
  std::string until_;
  std::uint64_t limit_ = 100;
  bool json_ = false;
};

}  // namespace crawler
