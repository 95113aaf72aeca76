#include "crawler/cli_live.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/time_text.h"
#include "crawler/admin_socket.h"
#include "crawler/cli_config.h"
#include "crawler/live_hosts.h"
#include "crawler/live_screen.h"
#include "crawler/live_status.h"
#include "crawler/live_text.h"
#include "crawler/live_watch.h"

#include <sysexits.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace crawler {
namespace {

using live::Json;

/// Rows of a question; the endpoint answers no more.
constexpr std::uint32_t kRowsMax = 1'000;

int refuse_usage(const std::string& why) {
  std::cerr << "crawld: " << why << '\n';
  return EX_USAGE;
}

int output_code() {
  std::cout.flush();
  return std::cout ? EX_OK : EX_IOERR;
}

Json keys_of_host(const std::string& host) {
  return host.empty() ? Json::object() : Json{{"host", host}};
}

/// `&key=value`, or nothing when there is no value.
std::string parameter(std::string_view key, std::string_view value) {
  return value.empty() ? "" : "&" + std::string(key) + "=" + query_value(value);
}

/// What a reload found wrong is a list.
int say(const live::Refused& refused) {
  std::cerr << "crawld: " << refused.what() << '\n';
  for (const Json& error : live::list(refused.body(), "errors")) {
    if (error.is_string()) std::cerr << base::escaped(error.get<std::string>()) << '\n';
  }
  return refused.code();
}

/// A variable of a shell that is not set must not mean "all".
CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "write a host's name, not nothing" : ""; }, "",
          ""};
}

}  // namespace

LiveCommands::LiveCommands(CLI::App& app, std::function<int()>& action, Load load)
    : action_(action), load_(std::move(load)) {
  add_status(app);
  add_hosts(app);
  add_seeds(app);
  add_host_orders(app);
  add_other_orders(app);
}

CLI::App* LiveCommands::add(CLI::App& parent, const std::string& name, const std::string& about,
                            int (LiveCommands::*run)()) {
  CLI::App* command = parent.add_subcommand(name, about);
  auto* socket =
      command->add_option("--socket", socket_, "where the running crawld listens")->type_name("PATH");
  CLI::Option* const config = add_config_options(*command, sources_, false);
  config->description("its configuration file (YAML)")->excludes(socket);
  command->add_flag("--json", json_, "write JSON");
  command->callback([this, run] { action_ = [this, run] { return guarded(run); }; });
  return command;
}

void LiveCommands::add_status(CLI::App& app) {
  CLI::App* command = add(app, "status", "What a running crawl does", &LiveCommands::status);
  CLI::Option* ready =
      command->add_flag("--ready", ready_, "only whether it is ready: exit code 0 or 1, for health checks");
  command->add_flag("--watch", watch_, "every second, until q or Ctrl-C")->excludes(ready);
  command->footer(
      "Examples:\n  crawld status --watch\n  crawld status --ready --socket /run/crawld/control.sock");
}

void LiveCommands::add_hosts(CLI::App& app) {
  CLI::App* hosts = add(app, "hosts", "Hosts of a running crawl", &LiveCommands::hosts);
  hosts
      ->add_option("--state", state_,
                   "only those that are ready, waiting, paused, blocked, in_flight, idle, asleep")
      ->type_name("STATE");
  hosts->add_option("--filter", filter_, "only those with this in their name")->type_name("TEXT");
  hosts
      ->add_option("--sort", sort_, "by origin, state, next, interval, owed, visits, latency, failures, last")
      ->type_name("KEY");
  hosts->add_flag("--descending", descending_, "the largest first");
  hosts->add_option("--limit", limit_, "lines (100)")->type_name("N")->check(CLI::Range(1U, kRowsMax));
  hosts->footer("Example: crawld hosts --state paused --sort owed --descending --limit 20");
  CLI::App* host = add(app, "host", "All that a running crawl knows of a host", &LiveCommands::host);
  host->add_option("NAME", host_, "its name")->required();
  host->footer("Example: crawld host www.iana.org");
}

void LiveCommands::add_seeds(CLI::App& app) {
  CLI::App* seeds = app.add_subcommand("seeds", "Seeds of a running crawl");
  seeds->require_subcommand(1);
  CLI::App* list =
      add(*seeds, "list", "Where the crawl began, and what became of it", &LiveCommands::seeds_list);
  list->add_option("--limit", limit_, "lines (100)")->type_name("N")->check(CLI::Range(1U, kRowsMax));
  list->footer("Example: crawld seeds list --limit 1000");
  CLI::App* more =
      add(*seeds, "add", "Adds seeds; they are kept, the file is not changed", &LiveCommands::seeds_add);
  more->add_option("URL", words_, "absolute http or https URLs")->required();
  more->add_option("--weight", weight_, "of each (1)")->type_name("N")->check(CLI::PositiveNumber);
  more->footer("Example: crawld seeds add https://www.iana.org/");
}

void LiveCommands::add_host_orders(CLI::App& app) {
  CLI::App* pause = add(app, "pause", "No requests to a host, or to all, from now on", &LiveCommands::pause);
  pause->add_option("HOST", host_, "its name; without: all")->check(not_empty());
  CLI::Option* until =
      pause->add_option("--until", until_, "an instant at which it goes on")->type_name("RFC3339");
  pause->add_option("--for", duration_, "how long, such as 90s or 12h")
      ->type_name("DURATION")
      ->excludes(until);
  pause->footer(
      "Holds until crawld resume; also in the next run.\nExample: crawld pause www.iana.org --for 12h");
  CLI::App* resume = add(app, "resume", "Takes a pause back", &LiveCommands::resume);
  resume->add_option("HOST", host_, "its name; without: all")->check(not_empty());
  resume->footer("Example: crawld resume www.iana.org");
  CLI::App* drain =
      add(app, "drain", "Lets visits end: of a host, or of all, and crawld ends", &LiveCommands::drain);
  drain->add_option("HOST", host_, "its name: pauses it, and waits until nothing of it is in flight")
      ->check(not_empty());
  drain->add_flag("--wait", wait_, "without a host: waits until crawld has ended");
  drain->footer("Exit code 75 when that takes more than ten minutes.\nExample: crawld drain --wait");
  CLI::App* delay = add(app, "delay", "Never ask a host faster than this", &LiveCommands::delay);
  delay->add_option("HOST", host_, "its name")->required();
  delay->add_option("DURATION", duration_, "such as 30s; 0 takes it back")->required();
  delay->footer("Slower rules of the site stay in force.\nExample: crawld delay www.iana.org 30s");
}

void LiveCommands::add_other_orders(CLI::App& app) {
  CLI::App* requeue =
      add(app, "requeue", "Visit a URL again as soon as its host may be asked", &LiveCommands::requeue);
  requeue->add_option("URL", url_, "absolute http or https URL")->required();
  requeue->footer("Example: crawld requeue https://www.iana.org/about");
  CLI::App* reload =
      add(app, "reload", "Reads the configuration again, as SIGHUP does", &LiveCommands::reload);
  reload->footer(
      "Exit code 65 when it is wrong; each error is shown, and nothing changes.\nExample: crawld reload");
  CLI::App* log = add(app, "log-level", "Shows or sets what is logged", &LiveCommands::log_level);
  log->add_option("WORD", words_,
                  "[MODULE] LEVEL: trace, debug, info, warning or error; without: shows the levels")
      ->type_name("")
      ->expected(0, 2);
  log->footer("Examples:\n  crawld log-level\n  crawld log-level visit debug");
}

std::string LiveCommands::path() const {
  if (!socket_.empty()) return socket_;
  const std::string found = find_admin_socket(sources_.file.empty() ? config::Config{} : load_(sources_));
  if (found.empty())
    throw Exit{EX_UNAVAILABLE, "admin.socket: off: this configuration has no admin endpoint"};
  return found;
}

int LiveCommands::guarded(int (LiveCommands::*run)()) {
  try {
    return (this->*run)();
  } catch (const live::Refused& refused) {
    const int code = say(refused);
    return ready_ ? 1 : code;
  } catch (const AdminError& failure) {
    std::cerr << "crawld: " << failure.what() << '\n';
    return ready_ ? 1 : failure.code();
  }
}

int LiveCommands::show(const Json& answer,
                       const std::function<std::vector<std::string>(std::size_t)>& lines) const {
  if (json_) {
    std::cout << answer.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
    return output_code();
  }
  const bool terminal = live::is_terminal(STDOUT_FILENO);
  for (const std::string& line :
       lines(terminal ? live::place_of(STDOUT_FILENO).columns : live::kWidthUnknown)) {
    std::cout << line << '\n';
  }
  return output_code();
}

int LiveCommands::done(const Json& answer) const {
  return show(answer,
              [&](std::size_t) { return std::vector{base::escaped(live::text(answer, "sentence"))}; });
}

int LiveCommands::status() {
  if (watch_) return live::watch(path(), json_);
  if (ready_) {
    const live::Readiness told = live::ask_ready(client());
    const std::string line = told.ready ? "ready" : "not ready: " + told.why;
    const int code = show(told.answer, [&](std::size_t) { return std::vector{line}; });
    return code != EX_OK ? code : told.ready ? 0 : 1;
  }
  const Json status = live::ask(client(), "/api/v1/status");
  const bool colour = live::is_terminal(STDOUT_FILENO) && live::place_of(STDOUT_FILENO).colour;
  return show(status, [&](std::size_t columns) {
    return live::status_lines(status, {std::size_t(-1), columns, colour});
  });
}

int LiveCommands::hosts() {
  std::string target = "/api/v1/hosts?limit=" + std::to_string(limit_);
  target += parameter("state", state_) + parameter("filter", filter_) + parameter("sort", sort_);
  if (descending_) target += "&order=desc";
  const Json answer = live::ask(client(), target);
  const int code = show(answer, [&](std::size_t columns) { return live::hosts_table(answer, columns); });
  const double shown = static_cast<double>(live::list(answer, "hosts").size());
  if (const double matched = live::number(answer, "matched").value_or(shown); !json_ && matched > shown) {
    std::cerr << live::count_text(shown) << " of " << live::count_text(matched)
              << " are shown; see --limit\n";
  }
  if (live::at(answer, "complete") == false) {
    std::cerr << "crawld: there are more hosts than crawld looks at for this list\n";
  }
  return code;
}

int LiveCommands::host() {
  const Json answer = live::ask(client(), "/api/v1/host?name=" + query_value(host_));
  return show(answer, [&](std::size_t columns) { return live::host_page(answer, columns); });
}

int LiveCommands::seeds_list() {
  const Json answer = live::ask(client(), "/api/v1/seeds?limit=" + std::to_string(limit_));
  const int code = show(answer, [&](std::size_t columns) { return live::seeds_table(answer, columns); });
  const double shown = static_cast<double>(live::list(answer, "seeds").size());
  if (const double total = live::number(answer, "total").value_or(shown); !json_ && total > shown) {
    std::cerr << live::count_text(shown) << " of " << live::count_text(total) << " are shown; see --limit\n";
  }
  return code;
}

/// Each of them: one that is refused does not hold up the others.
int LiveCommands::seeds_add() {
  const AdminClient client = this->client();
  int code = EX_OK;
  for (const std::string& url : words_) {
    try {
      const int shown =
          done(live::order(client, "/api/v1/seeds", {{"url", url}, {"weight", weight_}}).answer);
      if (shown != EX_OK) return shown;
    } catch (const live::Refused& refused) {
      std::cerr << base::escaped(url) << ": ";
      code = say(refused);
    }
  }
  return code;
}

int LiveCommands::pause() {
  Json keys = keys_of_host(host_);
  std::optional<base::WallTime> until;
  if (!until_.empty()) {
    until = base::parse_rfc3339(until_);
    if (!until) return refuse_usage("--until: not an RFC 3339 time; write 2026-11-21T18:30:00Z");
  }
  if (!duration_.empty()) {
    const base::WallTime now = base::SystemClock().now().wall;
    const auto length = base::parse_duration(duration_);
    if (!length || *length > base::WallTime::max() - now) {
      return refuse_usage("--for: not a duration; write 90s, 10m or 12h");
    }
    until = now + *length;
  }
  if (until) keys["until"] = base::rfc3339(*until);
  return done(live::order(client(), "/api/v1/pause", keys).answer);
}

int LiveCommands::resume() {
  return done(live::order(client(), "/api/v1/resume", keys_of_host(host_)).answer);
}

int LiveCommands::drain() {
  const AdminClient client = this->client();
  const live::Done told = live::order(client, "/api/v1/drain", keys_of_host(host_));
  const int code = done(told.answer);
  if (code != EX_OK || (host_.empty() && !wait_)) return code;
  const bool rests =
      host_.empty() ? live::wait_for_end(client, told.process) : live::wait_for_host(client, host_);
  if (!rests) {
    std::cerr << "crawld: waited in vain for ten minutes\n";
    return EX_TEMPFAIL;
  }
  std::cerr << (host_.empty() ? "crawld has ended" : "nothing of it is in flight") << '\n';
  return EX_OK;
}

int LiveCommands::delay() {
  const auto length = base::parse_duration(duration_);
  if (!length) return refuse_usage("not a duration; write 30s, 10m, or 0");
  const Json keys{{"host", host_}, {"seconds", std::chrono::duration<double>(*length).count()}};
  return done(live::order(client(), "/api/v1/delay", keys).answer);
}

int LiveCommands::requeue() {
  return done(live::order(client(), "/api/v1/requeue", {{"url", url_}}).answer);
}

int LiveCommands::reload() {
  return done(live::order(client(), "/api/v1/reload", Json::object()).answer);
}

int LiveCommands::log_level() {
  if (words_.empty()) {
    const Json answer = live::ask(client(), "/api/v1/log");
    return show(answer, [&](std::size_t columns) {
      live::Table table({{"MODULE"}, {"LEVEL"}});
      const Json& levels = live::at(answer, "levels");
      for (const auto& [module, level] : levels.items()) table.add({module, live::text(levels, module)});
      return table.lines(columns);
    });
  }
  Json keys{{"level", words_.back()}};
  if (words_.size() == 2) keys["module"] = words_.front();
  return done(live::order(client(), "/api/v1/log", keys).answer);
}

}  // namespace crawler
