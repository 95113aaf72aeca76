#include "crawler/cli_report.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/time_text.h"
#include "base/url.h"
#include "crawler/cli_config.h"
#include "crawler/crawl_log_file.h"
#include "crawler/frontier_tool.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <filesystem>
#include <iostream>
#include <optional>

namespace crawler {
namespace {

/// A host as the log has it; also of a whole URL. Nothing when there is none, which is said.
std::optional<std::string> read_host(const std::string& text) {
  const bool whole = text.find("://") != text.npos;
  const auto url = base::Url::parse(whole ? text : "http://" + text + "/");
  if (url && (whole || url->path() == "/")) return std::string(url->host());
  std::cerr << "crawld: " << base::escaped(text) << ": not a host; write its name, such as www.iana.org\n";
  return std::nullopt;
}

/// False when `text` is no time, which is said. Empty: there is no bound.
bool read_bound(const char* option, const std::string& text, std::optional<base::WallTime>& into) {
  if (text.empty()) return true;
  into = base::parse_rfc3339(text);
  if (!into) std::cerr << "crawld: " << option << ": not an RFC 3339 time; write 2026-11-21T18:30:00Z\n";
  return into.has_value();
}

/// What the frontier of `storage` holds to be under way; nothing when there is none that can be read.
std::optional<UnderWay> marks_of(const config::Storage& storage, const std::string& host) {
  const std::string directory = frontier_directory(storage);
  if (!std::filesystem::exists(directory)) return std::nullopt;
  try {
    return under_way(open_to_read(storage), host, store_owner(directory).has_value());
  } catch (const StartError& failure) {
    std::cerr << "crawld: " << base::escaped(failure.what()) << "; what is under way is not known\n";
    return std::nullopt;
  }
}

LogFiles log_of(const config::Config& config) {
  return LogFiles::of_log(crawl_log_path(config), config.crawl_log.max_files);
}

}  // namespace

ReportCommands::ReportCommands(CLI::App& app, std::function<int()>& action, Load load)
    : action_(action), load_(std::move(load)) {
  CLI::App* report = app.add_subcommand("report", "What was asked for, when and why; from the crawl log");
  report->require_subcommand(1);
  add_host(*report);
  add_tally(*report, "status", "How many visits had which status", Tallied::status);
  add_tally(*report, "mime", "How many answers had which media type", Tallied::mime);
  add_tally(*report, "hosts", "Requests, octets and fates by host", Tallied::hosts);
  add_tally(*report, "fates", "What became of visits", Tallied::fates);
  add_tally(*report, "errors", "Why visits failed", Tallied::errors);
  add_seeds(*report);
}

CLI::App* ReportCommands::add(CLI::App& parent, const std::string& name, const std::string& about,
                              std::function<int()> run) {
  CLI::App* command = parent.add_subcommand(name, about);
  command->add_flag("--json", json_, "write JSON, an object a line");
  command->callback([this, run = std::move(run)] { action_ = run; });
  return command;
}

void ReportCommands::add_source(CLI::App* command) {
  CLI::Option* const config = add_config_options(*command, sources_, false);
  config->description("configuration file (YAML): its crawl log with all rotated files");
  command->add_option("--log", logs_, "crawl logs, in any order, instead")
      ->type_name("FILE")
      ->excludes(config);
}

void ReportCommands::add_limit(CLI::App* command) {
  command->add_option("--limit", limit_, "lines (100); 0: all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

void ReportCommands::add_host(CLI::App& parent) {
  CLI::App* command =
      add(parent, "host", "Every request to a host, and why it was in order", [this] { return host(); });
  command->add_option("NAME", host_, "the host, or any URL of it")->required();
  add_source(command);
  command->add_option("--since", since_, "requests that began then or later")->type_name("RFC3339");
  command->add_option("--until", until_, "requests that began before")->type_name("RFC3339");
  command->footer(
      "Exit code 65 when a gap was shorter than its interval.\n"
      "Example: crawld report host www.iana.org --config crawld.yaml --since 2026-11-21T00:00:00Z");
}

void ReportCommands::add_tally(CLI::App& parent, const std::string& name, const std::string& about,
                               Tallied what) {
  CLI::App* command = add(parent, name, about, [this, what] {
    LogFiles log = open_log();
    return report_tally(log, what, limit_, json_, std::cout, std::cerr);
  });
  add_source(command);
  add_limit(command);
  command->footer("Example: crawld report " + name + " --config crawld.yaml");
}

void ReportCommands::add_seeds(CLI::App& parent) {
  CLI::App* command = add(parent, "seeds", "What became of each seed", [this] { return seeds(); });
  add_config_options(*command, sources_);
  add_limit(command);
  command->footer("Example: crawld report seeds --config crawld.yaml --limit 0");
}

void ReportCommands::check_source() const {
  if (logs_.empty() && sources_.file.empty())
    throw Exit{EX_USAGE, "report: give --config FILE or --log FILE"};
}

LogFiles ReportCommands::open_log() const {
  check_source();
  return logs_.empty() ? log_of(load_(sources_)) : LogFiles::of_files(logs_);
}

int ReportCommands::host() const {
  HostQuestion question;
  question.json = json_;
  if (!read_bound("--since", since_, question.since) || !read_bound("--until", until_, question.until)) {
    return EX_USAGE;
  }
  check_source();
  const auto host = read_host(host_);
  if (!host) return EX_DATAERR;
  question.host = *host;
  if (!logs_.empty()) {
    LogFiles log = LogFiles::of_files(logs_);
    return report_host(log, question, std::nullopt, std::cout, std::cerr);
  }
  // Marks first: what ends meanwhile is then told twice, and never left out.
  const config::Config config = load_(sources_);
  const auto marks = marks_of(config.storage, *host);
  LogFiles log = log_of(config);
  return report_host(log, question, marks, std::cout, std::cerr);
}

int ReportCommands::seeds() const {
  const config::Config config = load_(sources_);
  const Store store = open_to_read(config.storage);
  return report_seeds(store, config, present_in(store, base::machine_now()), limit_, json_, std::cout,
                      std::cerr);
}

}  // namespace crawler
