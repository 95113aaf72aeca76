#pragma once
// The command line of `crawld warc …`.
#include "crawler/warc_tool.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace crawler {

/// Must outlive the parsing and the action.
class WarcCommands {
 public:
  /// Adds `warc` to `app`; parsing one of its commands sets `action`.
  WarcCommands(CLI::App& app, std::function<int()>& action);
  WarcCommands(const WarcCommands&) = delete;
  WarcCommands& operator=(const WarcCommands&) = delete;

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about,
                int (WarcCommands::*run)() const);
  void add_verify(CLI::App& parent);
  void add_cdxj(CLI::App& parent);
  void add_cat(CLI::App& parent);

  int verify() const;
  int cdxj() const;
  int cat() const;

  std::function<int()>& action_;
  std::vector<std::string> paths_;
  WarcQuestion question_;
  std::string output_;
  bool json_ = false;
};

}  // namespace crawler
