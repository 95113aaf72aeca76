#pragma once
// The command line of what speaks to a running crawld: `crawld status`, `hosts`, `host`, `seeds`, and the
// orders.
#include "config/load.h"
#include "crawler/live_ask.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// Must outlive the parsing and the action.
class LiveCommands {
 public:
  /// Reads a configuration, or throws what ends the program.
  using Load = std::function<config::Config(const config::Sources& sources)>;

  /// Adds the commands to `app`; parsing one of them sets `action`.
  LiveCommands(CLI::App& app, std::function<int()>& action, Load load);
  LiveCommands(const LiveCommands&) = delete;
  LiveCommands& operator=(const LiveCommands&) = delete;

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about,
                int (LiveCommands::*run)());
  void add_status(CLI::App& app);
  void add_hosts(CLI::App& app);
  void add_seeds(CLI::App& app);
  void add_host_orders(CLI::App& app);
  void add_other_orders(CLI::App& app);

  int status();
  int hosts();
  int host();
  int seeds_list();
  int seeds_add();
  int pause();
  int resume();
  int drain();
  int delay();
  int requeue();
  int reload();
  int log_level();

  std::string path() const;
  AdminClient client() const { return AdminClient(path()); }
  int guarded(int (LiveCommands::*run)());
  /// Both return an exit code: 74 when standard output takes no more.
  int show(const live::Json& answer, const std::function<std::vector<std::string>(std::size_t)>& lines) const;
  int done(const live::Json& answer) const;

  std::function<int()>& action_;
  Load load_;
  std::string socket_;
  config::Sources sources_;
  std::string host_;
  std::string url_;
  std::string state_;
  std::string filter_;
  std::string sort_;
  std::string until_;
  std::string duration_;
  std::vector<std::string> words_;  ///< URLs of seeds, or module and level
  std::uint32_t weight_ = 1;
  std::uint32_t limit_ = 100;
  bool descending_ = false;
  bool watch_ = false;
  bool ready_ = false;
  bool wait_ = false;
  bool json_ = false;
};

}  // namespace crawler
