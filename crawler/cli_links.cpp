#include "crawler/cli_links.h"

#include "base/escape.h"
#include "crawler/links_tool.h"

#include <sysexits.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace crawler {
namespace {

/// Nothing when `text` is no URL, which is said.
std::optional<base::Url> read_base(const std::string& text) {
  auto url = base::Url::parse(text);
  if (url) return std::move(*url);
  std::cerr << "crawld: --base: " << base::escaped(text) << ": " << url.error().message()
            << "; write an absolute http or https URL\n";
  return std::nullopt;
}

/// Nothing when the file cannot be read.
std::optional<std::string> read_file(const std::string& path) {
  std::ostringstream body;
  if (path == "-") {
    body << std::cin.rdbuf();
    return body.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  body << file.rdbuf();
  return file.bad() ? std::nullopt : std::optional(body.str());
}

}  // namespace

LinkCommands::LinkCommands(CLI::App& app, std::function<int()>& action) : action_(action) {
  add_links(app);
  add_url(app);
}

void LinkCommands::add_links(CLI::App& app) {
  CLI::App* command = app.add_subcommand("links", "What a page leads to; no network");
  command->add_option("FILE", file_, "the page, - for standard input")->required();
  command->add_option("--base", base_, "where it was found")->required()->type_name("URL");
  command->add_option("--type", type_, "its Content-Type (by its look)")->type_name("TYPE");
  command->add_flag("--embeds", embeds_, "also what a browser fetches to show it");
  command->add_flag("--json", json_, "write JSON");
  command->footer("Example: crawld links page.html --base https://www.iana.org/about --type text/html");
  command->callback([this] { action_ = [this] { return links(); }; });
}

void LinkCommands::add_url(CLI::App& app) {
  CLI::App* command = app.add_subcommand("url", "The normal form of URLs; no network");
  command->add_option("URL", urls_, "absolute, or relative to --base");
  command->add_option("--base", base_, "the document in which they stand")->type_name("URL");
  command->add_flag("--jsonl", lines_, "read cases from standard input, one JSON object a line");
  command->footer(
      "Examples:\n"
      "  crawld url HTTPS://WWW.IANA.ORG:443/./a\n"
      "  crawld url --base https://www.iana.org/a/b ../c\n"
      "  crawld url --jsonl < cases.jsonl");
  command->callback([this] { action_ = [this] { return url(); }; });
}

int LinkCommands::links() const {
  auto base = read_base(base_);
  if (!base) return EX_DATAERR;
  auto body = read_file(file_);
  if (!body) {
    std::cerr << "crawld: " << base::escaped(file_) << ": cannot be read\n";
    return EX_NOINPUT;
  }
  return answer_links({std::move(*body), std::move(*base), type_, {{"crawld"}, embeds_}, json_}, std::cout);
}

int LinkCommands::url() const {
  if (lines_) return answer_url_lines(std::cin, std::cout, std::cerr);
  if (urls_.empty()) {
    std::cerr << "crawld: url: give at least one URL, or --jsonl\n";
    return EX_USAGE;
  }
  std::optional<base::Url> base;
  if (!base_.empty() && !(base = read_base(base_))) return EX_DATAERR;
  return answer_urls(urls_, base, std::cout, std::cerr);
}

}  // namespace crawler
