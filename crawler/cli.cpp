#include "crawler/cli.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/time_text.h"
#include "crawler/cli_config.h"
#include "crawler/cli_frontier.h"
#include "crawler/cli_links.h"
#include "crawler/cli_live.h"
#include "crawler/cli_report.h"
#include "crawler/cli_warc.h"
#include "crawler/completion.h"
#include "crawler/daemon.h"
#include "crawler/explain.h"
#include "crawler/log_setup.h"
#include "crawler/progress.h"
#include "crawler/robots_tool.h"
#include "crawler/store.h"

#include <CLI/CLI.hpp>
#include <sysexits.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace crawler {
namespace {

int run(const config::Sources& sources, bool until_idle, const std::string& run_for, bool no_progress) {
  RunOptions options;
  options.until_idle = until_idle;
  if (!run_for.empty()) {
    options.run_for = base::parse_duration(run_for);
    if (!options.run_for) throw Exit{EX_USAGE, "--for: not a duration; write 90s, 10m or 1h30m"};
  }
  const config::Config config = load_or_exit(sources);
  if (config.seeds.empty())
    throw Exit{EX_CONFIG, sources.file + ": seeds: there is nothing to crawl; list at least one URL"};
  std::optional<Progress> progress;  // the log, which comes second, writes through it
  base::Log::Options log_to = log_options(config.log, base::stderr_is_journal());
  if (!no_progress && log_to.file.empty() && Progress::possible(STDERR_FILENO)) {
    options.progress = &progress.emplace(STDERR_FILENO);
    log_to.standard_error = [&progress](std::string_view line) { progress->line(line); };
  }
  std::optional<base::Log> log;
  try {
    log.emplace(log_to);
  } catch (const std::runtime_error& failure) {
    throw Exit{EX_CANTCREAT,
               (config.log.file.empty() ? "log.format: " : "log.file: ") + std::string(failure.what())};
  }
  apply_levels(*log, config.log);
  options.reload = [sources] { return load_again(sources); };
  return run_daemon(config, options, *log);
}

int explain(const config::Sources& sources, const std::string& text, bool json) {
  const config::Config config = load_or_exit(sources);
  const auto url = base::Url::parse(text);
  if (!url) {
    throw Exit{EX_DATAERR,
               base::escaped(text) + ": " + url.error().message() + "; write an absolute http or https URL"};
  }
  return explain_url(config, *url, json, std::cout);
}

std::string read_all(const std::string& path) {
  std::ostringstream body;
  if (path == "-") {
    body << std::cin.rdbuf();
    return body.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Exit{EX_NOINPUT, path + ": cannot be read"};
  body << file.rdbuf();
  return body.str();
}

struct RobotsTest {
  std::string path;
  std::vector<std::string> agents;
  std::vector<std::string> urls;
  std::string at;
  bool json = false;
  bool lines = false;
};

int robots_test(const RobotsTest& asked) {
  if (asked.lines) return answer_robots_lines(std::cin, std::cout, std::cerr);
  if (asked.path.empty() || asked.agents.empty() || asked.urls.empty()) {
    throw Exit{EX_USAGE, "robots test: give --robots FILE, --agent TOKEN and at least one URL, or --jsonl"};
  }
  base::WallTime at = base::SystemClock().now().wall;
  if (!asked.at.empty()) {
    const auto parsed = base::parse_rfc3339(asked.at);
    if (!parsed) throw Exit{EX_USAGE, "--at: not an RFC 3339 time; write 2026-11-21T18:30:00Z"};
    at = *parsed;
  }
  return answer_robots({read_all(asked.path), asked.agents, asked.urls, at, asked.json}, std::cout,
                       std::cerr);
}

/// The command line; parsing it sets `action`.
class Commands {
 public:
  Commands() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "crawld " CRAWLD_VERSION);
    app_.footer(
        "Examples:\n"
        "  crawld check-config --config /etc/crawld/crawld.yaml\n"
        "  crawld run --config crawld.yaml --until-idle\n"
        "  crawld explain --config crawld.yaml https://www.iana.org/about\n"
        "  crawld robots test --robots robots.txt --agent crawld https://www.iana.org/private/\n"
        "  crawld frontier list --config crawld.yaml --origin https://www.iana.org/\n"
        "  crawld warc verify archive/*.warc.gz\n"
        "See crawld(8) and crawld.yaml(5).");
    add_run();
    config_.emplace(app_, action_);
    add_explain();
    add_robots();
    frontier_.emplace(app_, action_, load_or_exit);
    links_.emplace(app_, action_);
    live_.emplace(app_, action_, load_or_exit);
    warc_.emplace(app_, action_);
    report_.emplace(app_, action_, load_or_exit);
    add_completion();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& failure) {
      return app_.exit(failure) == 0 ? EX_OK : EX_USAGE;
    }
    return action_();
  }

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about) {
    return parent.add_subcommand(name, about);
  }

  void add_run() {
    CLI::App* command = add(app_, "run", "Crawl until told to stop");
    add_config_options(*command, sources_);
    command->add_flag("--until-idle", until_idle_, "end when nothing is owed any more");
    command->add_option("--for", run_for_, "end after this long, such as 90s or 1h30m")
        ->type_name("DURATION");
    command->add_flag("--no-progress", no_progress_, "no block under the log in a terminal");
    command->footer(
        "SIGTERM lets the requests under way end (20 s at most); a second SIGTERM cuts them off.\n"
        "Example: crawld run --config crawld.yaml --until-idle");
    command->callback(
        [this] { action_ = [this] { return crawler::run(sources_, until_idle_, run_for_, no_progress_); }; });
  }

  void add_explain() {
    CLI::App* command = add(app_, "explain", "Show every decision about one URL; fetches its robots.txt");
    add_config_options(*command, sources_);
    command->add_option("URL", url_, "absolute http or https URL")->required();
    command->add_flag("--json", json_, "write JSON");
    command->footer(
        "Exit code 75 when robots.txt could not be had.\n"
        "Example: crawld explain --config crawld.yaml https://www.iana.org/about");
    command->callback([this] { action_ = [this] { return explain(sources_, url_, json_); }; });
  }

  void add_robots() {
    CLI::App* robots = add(app_, "robots", "What a robots.txt means to crawld; no network");
    robots->require_subcommand(1);
    CLI::App* test = add(*robots, "test", "Which URLs may be fetched, by which rule, how fast");
    test->add_option("--robots", test_.path, "robots.txt to read, - for standard input")->type_name("FILE");
    test->add_option("--agent", test_.agents, "product token; several in order of preference")
        ->type_name("TOKEN")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);  // what follows the token is a URL
    test->add_option("--at", test_.at, "instant for the interval (now)")->type_name("RFC3339");
    test->add_flag("--json", test_.json, "write JSON");
    test->add_flag("--jsonl", test_.lines, "read cases from standard input, one JSON object a line");
    test->add_option("URL", test_.urls, "URLs to check");
    test->footer(
        "Examples:\n"
        "  crawld robots test --robots robots.txt --agent crawld https://www.iana.org/a?b=1\n"
        "  crawld robots test --robots robots.txt --agent crawld --at 2026-11-21T18:30:00Z --json "
        "https://www.iana.org/\n"
        "  crawld robots test --jsonl < cases.jsonl");
    test->callback([this] { action_ = [this] { return robots_test(test_); }; });

    CLI::App* pace = add(*robots, "pace", "Which interval is in force");
    pace->add_flag("--jsonl", test_.lines, "read cases from standard input, one JSON object a line")
        ->required();
    pace->footer("Example: crawld robots pace --jsonl < rates.jsonl");
    pace->callback([this] { action_ = [] { return answer_pace_lines(std::cin, std::cout, std::cerr); }; });
  }

  void add_completion() {
    CLI::App* command = add(app_, "completion", "Write what a shell needs to complete commands of crawld");
    command->add_option("SHELL", shell_, "which shell")
        ->required()
        ->check(CLI::IsMember(completion_shells()));
    command->footer(
        "Examples:\n"
        "  crawld completion bash > /usr/share/bash-completion/completions/crawld\n"
        "  crawld completion zsh > /usr/share/zsh/vendor-completions/_crawld\n"
        "  crawld completion fish > ~/.config/fish/completions/crawld.fish");
    command->callback([this] {
      action_ = [this] {
        std::cout << completion(app_, shell_) << std::flush;
        return std::cout ? EX_OK : EX_IOERR;
      };
    });
  }

  CLI::App app_{"crawld, a polite web crawler"};
  std::function<int()> action_;
  config::Sources sources_;
  std::string url_;
  std::string shell_;
  std::string run_for_;
  bool until_idle_ = false;
  bool no_progress_ = false;
  bool json_ = false;
  RobotsTest test_;
  std::optional<ConfigCommands> config_;
  std::optional<FrontierCommands> frontier_;
  std::optional<LinkCommands> links_;
  std::optional<LiveCommands> live_;
  std::optional<WarcCommands> warc_;
  std::optional<ReportCommands> report_;
};

}  // namespace

int run_cli(int argc, char** argv) {
  try {
    return Commands().run(argc, argv);
  } catch (const Exit& exit) {
    if (!exit.message.empty()) std::cerr << "crawld: " << exit.message << '\n';
    return exit.code;
  } catch (const StartError& failure) {
    std::cerr << "crawld: " << base::escaped(failure.what()) << '\n';
    return failure.code();
  } catch (const std::exception& failure) {
    std::cerr << "crawld: " << base::escaped(failure.what()) << '\n';
    return EX_SOFTWARE;
  }
}

}  // namespace crawler
