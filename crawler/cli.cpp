#include "crawler/cli.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/time_text.h"
#include "config/load.h"
#include "crawler/cli_frontier.h"
#include "crawler/daemon.h"
#include "crawler/explain.h"
#include "crawler/robots_tool.h"
#include "crawler/store.h"

#include <CLI/CLI.hpp>
#include <sysexits.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace crawler {
namespace {

/// Thrown to end with a message and an exit code.
struct Exit {
  int code = EX_SOFTWARE;
  std::string message;
};

config::Config load_or_exit(const std::string& path) {
  config::Loaded loaded = config::load_file(path);
  for (const std::string& warning : loaded.warnings) std::cerr << "warning: " << warning << '\n';
  if (!loaded.errors.empty()) {
    for (const std::string& error : loaded.errors) std::cerr << error << '\n';
    throw Exit{EX_CONFIG, {}};
  }
  return std::move(loaded.config);
}

base::Level level_of(const std::string& word) {
  if (word == "trace") return base::Level::trace;
  if (word == "debug") return base::Level::debug;
  if (word == "warning") return base::Level::warning;
  if (word == "error") return base::Level::error;
  return base::Level::info;
}

int run(const std::string& path, bool until_idle, const std::string& run_for) {
  RunOptions options;
  options.until_idle = until_idle;
  if (!run_for.empty()) {
    options.run_for = base::parse_duration(run_for);
    if (!options.run_for) throw Exit{EX_USAGE, "--for: not a duration; write 90s, 10m or 1h30m"};
  }
  const config::Config config = load_or_exit(path);
  if (config.seeds.empty())
    throw Exit{EX_CONFIG, path + ": seeds: there is nothing to crawl; list at least one URL"};
  const auto format =
      config.log.format == config::LogFormat::json ? base::Log::Format::json : base::Log::Format::text;
  std::optional<base::Log> log;
  try {
    log.emplace(config.log.file, format, level_of(config.log.level));
  } catch (const std::runtime_error& failure) {
    throw Exit{EX_CANTCREAT, "log.file: " + std::string(failure.what())};
  }
  options.reload = [path]() -> std::variant<config::Config, std::vector<std::string>> {
    config::Loaded loaded = config::load_file(path);
    if (!loaded.errors.empty()) return std::move(loaded.errors);
    return std::move(loaded.config);
  };
  return run_daemon(config, options, *log);
}

int check_config(const std::string& path) {
  const config::Config config = load_or_exit(path);
  std::cout << path << ": good, " << config.seeds.size()
            << (config.seeds.size() == 1 ? " seed\n" : " seeds\n");
  return EX_OK;
}

int explain(const std::string& path, const std::string& text, bool json) {
  const config::Config config = load_or_exit(path);
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
        "See crawld(8) and crawld.yaml(5).");
    add_run();
    add_config_commands();
    add_explain();
    add_robots();
    frontier_.emplace(app_, action_, load_or_exit);
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

  void add_config_option(CLI::App* command) {
    command->add_option("-c,--config", path_, "configuration file (YAML)")->required()->type_name("FILE");
  }

  void add_run() {
    CLI::App* command = add(app_, "run", "Crawl until told to stop");
    add_config_option(command);
    command->add_flag("--until-idle", until_idle_, "end when nothing is owed any more");
    command->add_option("--for", run_for_, "end after this long, such as 90s or 1h30m")
        ->type_name("DURATION");
    command->footer(
        "SIGTERM lets the requests under way end (20 s at most); a second SIGTERM cuts them off.\n"
        "Example: crawld run --config crawld.yaml --until-idle");
    command->callback([this] { action_ = [this] { return crawler::run(path_, until_idle_, run_for_); }; });
  }

  void add_config_commands() {
    CLI::App* check = add(app_, "check-config", "Read the configuration and name every error in it");
    add_config_option(check);
    check->footer("Exit code 78 when there is an error.\nExample: crawld check-config --config crawld.yaml");
    check->callback([this] { action_ = [this] { return check_config(path_); }; });

    CLI::App* dump = add(app_, "dump-config", "Write the configuration in force, defaults included");
    add_config_option(dump);
    dump->footer("Example: crawld dump-config --config crawld.yaml > all-keys.yaml");
    dump->callback([this] {
      action_ = [this] {
        std::cout << config::dump(load_or_exit(path_)) << std::flush;
        return std::cout ? EX_OK : EX_IOERR;
      };
    });
  }

  void add_explain() {
    CLI::App* command = add(app_, "explain", "Show every decision about one URL; fetches its robots.txt");
    add_config_option(command);
    command->add_option("URL", url_, "absolute http or https URL")->required();
    command->add_flag("--json", json_, "write JSON");
    command->footer(
        "Exit code 75 when robots.txt could not be had.\n"
        "Example: crawld explain --config crawld.yaml https://www.iana.org/about");
    command->callback([this] { action_ = [this] { return explain(path_, url_, json_); }; });
  }

  void add_robots() {
    CLI::App* robots = add(app_, "robots", "What a robots.txt means to crawld; no network");
    robots->require_subcommand(1);
    CLI::App* test = add(*robots, "test", "Which URLs may be fetched, by which rule, how fast");
    test->add_option("--robots", test_.path, "robots.txt to read, - for standard input")->type_name("FILE");
    test->add_option("--agent", test_.agents, "product token; several in order of preference")
        ->type_name("TOKEN")
        ->expected(1)
        ->take_all();
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

  CLI::App app_{"crawld, a polite web crawler"};
  std::function<int()> action_;
  std::string path_;
  std::string url_;
  std::string run_for_;
  bool until_idle_ = false;
  bool json_ = false;
  RobotsTest test_;
  std::optional<FrontierCommands> frontier_;
};

}  // namespace

int run_cli(int argc, char** argv) {
  try {
    return Commands().run(argc, argv);
  } catch (const Exit& exit) {
    if (!exit.message.empty()) std::cerr << "crawld: " << exit.message << '\n';
    return exit.code;
  } catch (const StoreError& failure) {
    std::cerr << "crawld: " << base::escaped(failure.what()) << '\n';
    return failure.code();
  } catch (const std::exception& failure) {
    std::cerr << "crawld: " << base::escaped(failure.what()) << '\n';
    return EX_SOFTWARE;
  }
}

}  // namespace crawler
