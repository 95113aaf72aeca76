#pragma once
// `crawld robots …`: what a robots.txt means to crawld, for site owners and for conformance runs. No network.
#include "base/time.h"
#include "config/config.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

struct RobotsQuestion {
  std::string body;                 ///< of robots.txt
  std::vector<std::string> agents;  ///< product tokens in order of preference
  std::vector<std::string> urls;
  base::WallTime at{};  ///< for the interval
  bool json = false;    ///< an array of objects instead of text
};

/// Answers for each URL: verdict, group, rule and line, interval at `at` and its reason. Returns an exit
/// code: 0, or 65 when a URL cannot be read.
int answer_robots(const RobotsQuestion& question, std::ostream& out, std::ostream& talk);

/// Reads lines {"id", "robots", "agent", "url", "mode"} and writes for each {"id", "allow", "crawl_delay",
/// "request_rates", "sitemaps", "rule", "line"}. `mode` holds keys of `robots.` in the configuration. A line
/// that cannot be read is named on `talk`, answered with {"id", "error"}, and makes the exit code 65.
int answer_robots_lines(std::istream& in, std::ostream& out, std::ostream& talk);

/// Reads lines {"id", "request_rates", "crawl_delay", "utc", "config"} and writes for each {"id",
/// "interval_s"}.
int answer_pace_lines(std::istream& in, std::ostream& out, std::ostream& talk);

}  // namespace crawler
