#include "crawler/cli_frontier.h"

#include "base/clock.h"
#include "base/escape.h"
#include "crawler/cli_config.h"
#include "crawler/frontier_tool.h"
#include "crawler/opening.h"

#include <sysexits.h>

#include <fstream>
#include <iostream>
#include <optional>

namespace crawler {
namespace {

/// Nothing when `text` is no URL, which is said.
std::optional<base::Url> read_url(const std::string& text) {
  auto url = base::Url::parse(text);
  if (url) return std::move(*url);
  std::cerr << "crawld: " << base::escaped(text) << ": " << url.error().message()
            << "; write an absolute http or https URL\n";
  return std::nullopt;
}

int refuse_file(const std::string& path, int code) {
  std::cerr << "crawld: " << base::escaped(path)
            << (code == EX_NOINPUT ? ": cannot be read\n" : ": cannot be written\n");
  return code;
}

void tell(const Carried& carried, bool json) {
  if (json) {
    std::cout << "{\"origins\":" << carried.origins << ",\"urls\":" << carried.urls
              << ",\"lines\":" << carried.lines << "}\n";
  } else {
    std::cout << carried.origins << " origins, " << carried.urls << " URLs\n";
  }
}

}  // namespace

FrontierCommands::FrontierCommands(CLI::App& app, std::function<int()>& action, Load load)
    : action_(action), load_(std::move(load)) {
  CLI::App* frontier = app.add_subcommand("frontier", "What the crawl has found, visited and still owes");
  frontier->require_subcommand(1);
  add(*frontier, "stats", "How much there is, and how the last run ended", &FrontierCommands::stats)
      ->footer("Example: crawld frontier stats --config crawld.yaml");
  add_list(*frontier);
  add_carriers(*frontier);
  add(*frontier, "verify", "Compare everything with everything", &FrontierCommands::verify)
      ->footer("Exit code 65 when there are problems.\nExample: crawld frontier verify --config crawld.yaml");
  add_forget(*frontier);
}

CLI::App* FrontierCommands::add(CLI::App& parent, const std::string& name, const std::string& about,
                                int (FrontierCommands::*run)() const) {
  CLI::App* command = parent.add_subcommand(name, about);
  add_config_options(*command, sources_);
  command->add_flag("--json", json_, "write JSON");
  command->callback([this, run] { action_ = [this, run] { return (this->*run)(); }; });
  return command;
}

void FrontierCommands::add_list(CLI::App& parent) {
  CLI::App* command = add(parent, "list", "Origins, or what is known of one", &FrontierCommands::list);
  command->add_option("--origin", origin_, "only this one, with its URLs; any URL of it will do")
      ->type_name("URL");
  CLI::Option* owed = command->add_flag("--owed", owed_, "only what is owed");
  command->add_flag("--done", done_, "only what is done with")->excludes(owed);
  command->add_option("--limit", limit_, "lines (100); 0: all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->footer(
      "Examples:\n"
      "  crawld frontier list --config crawld.yaml --owed --limit 0\n"
      "  crawld frontier list --config crawld.yaml --origin https://www.iana.org/");
}

void FrontierCommands::add_carriers(CLI::App& parent) {
  CLI::App* out = add(parent, "export", "Write everything as JSON lines", &FrontierCommands::carry_out);
  out->add_option("--output", file_, "where to, instead of standard output")->type_name("FILE");
  out->footer("Example: crawld frontier export --config crawld.yaml --output frontier.jsonl");
  CLI::App* in = add(parent, "import", "Make a new frontier from an export", &FrontierCommands::carry_in);
  in->add_option("--input", file_, "where from, instead of standard input")->type_name("FILE");
  in->footer("Example: crawld frontier import --config crawld.yaml --input frontier.jsonl");
}

void FrontierCommands::add_forget(CLI::App& parent) {
  CLI::App* command =
      add(parent, "forget", "Drop URLs as if they had never been found", &FrontierCommands::forget);
  auto* what = command->add_option_group("what");
  what->add_option("--origin", origin_, "all URLs of this origin; any URL of it will do")->type_name("URL");
  what->add_option("--url", url_, "this one")->type_name("URL");
  what->require_option(1);
  command->footer(
      "Not while crawld runs. Seeds are offered again at the next start.\n"
      "Example: crawld frontier forget --config crawld.yaml --origin https://www.iana.org/");
}

int FrontierCommands::stats() const {
  const config::Storage storage = this->storage();
  const std::string directory = frontier_directory(storage);
  const Store store = open_to_read(storage);
  return show_stats(store, directory, store_owner(directory), present_in(store, base::machine_now()), json_,
                    std::cout, std::cerr);
}

int FrontierCommands::list() const {
  ListQuestion question{{}, owed_, done_, limit_, json_};
  if (!origin_.empty()) {
    const auto url = read_url(origin_);
    if (!url) return EX_DATAERR;
    question.origin = url->origin();
  }
  const Store store = open_to_read(storage());
  return list_frontier(store, question, present_in(store, base::machine_now()), std::cout, std::cerr);
}

int FrontierCommands::verify() const {
  const config::Storage storage = this->storage();
  const Store store = open_to_read(storage);
  const auto live = [directory = frontier_directory(storage)] { return store_owner(directory).has_value(); };
  return verify_frontier(store, live, json_, std::cout);
}

int FrontierCommands::carry_out() const {
  const Store store = open_to_read(storage());
  Carried carried;
  if (file_.empty()) return export_frontier(store, std::cout, std::cerr, carried);
  std::ofstream out(file_, std::ios::binary | std::ios::trunc);
  if (!out) return refuse_file(file_, EX_CANTCREAT);
  const int code = export_frontier(store, out, std::cerr, carried);
  out.close();
  if (!out) return refuse_file(file_, EX_IOERR);
  if (code == EX_OK) tell(carried, json_);
  return code;
}

int FrontierCommands::carry_in() const {
  const config::Storage storage = this->storage();
  std::ifstream file;
  if (!file_.empty()) {
    file.open(file_, std::ios::binary);
    if (!file) return refuse_file(file_, EX_NOINPUT);
  }
  Carried carried;
  const int code = import_frontier(storage, file_.empty() ? std::cin : file,
                                   file_.empty() ? "standard input" : file_, std::cerr, carried);
  if (code == EX_OK) tell(carried, json_);
  return code;
}

int FrontierCommands::forget() const {
  const auto url = read_url(url_.empty() ? origin_ : url_);
  if (!url) return EX_DATAERR;
  Store store = open_to_change(storage());
  return url_.empty() ? forget_origin(store, url->origin(), json_, std::cout, std::cerr)
                      : forget_url(store, *url, json_, std::cout, std::cerr);
}

}  // namespace crawler
