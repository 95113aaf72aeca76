#pragma once
// The command line of `crawld links` and `crawld url`.
#include "base/url.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// Must outlive the parsing and the action.
class LinkCommands {
 public:
  /// Adds `links` and `url` to `app`; parsing one of them sets `action`.
  LinkCommands(CLI::App& app, std::function<int()>& action);
  LinkCommands(const LinkCommands&) = delete;
  LinkCommands& operator=(const LinkCommands&) = delete;

 private:
  void add_links(CLI::App& app);
  void add_url(CLI::App& app);
  int links() const;
  int url() const;

  std::function<int()>& action_;
  std::string file_;
  std::string base_;
  std::string type_;
  std::vector<std::string> urls_;
  bool embeds_ = false;
  bool json_ = false;
  bool lines_ = false;
};

}  // namespace crawler
