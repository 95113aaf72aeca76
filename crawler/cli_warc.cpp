#include "crawler/cli_warc.h"

#include "base/escape.h"

#include <sysexits.h>

#include <fstream>
#include <iostream>

namespace crawler {

WarcCommands::WarcCommands(CLI::App& app, std::function<int()>& action) : action_(action) {
  CLI::App* warc = app.add_subcommand("warc", "What is in WARC files, and whether it is in order");
  warc->require_subcommand(1);
  add_verify(*warc);
  add_cdxj(*warc);
  add_cat(*warc);
}

CLI::App* WarcCommands::add(CLI::App& parent, const std::string& name, const std::string& about,
                            int (WarcCommands::*run)() const) {
  CLI::App* command = parent.add_subcommand(name, about);
  command->callback([this, run] { action_ = [this, run] { return (this->*run)(); }; });
  return command;
}

void WarcCommands::add_verify(CLI::App& parent) {
  CLI::App* command =
      add(parent, "verify", "Compare records with their headers and digests", &WarcCommands::verify);
  command->add_option("FILE", paths_, ".warc, .warc.gz or .warc.zst; - for standard input")->required();
  command->add_flag("--json", json_, "write JSON");
  command->footer(
      "Exit code 65 when there are problems.\n"
      "Example: crawld warc verify archive/*.warc.gz");
}

void WarcCommands::add_cdxj(CLI::App& parent) {
  CLI::App* command = add(parent, "cdxj", "Write the index of the captures, sorted", &WarcCommands::cdxj);
  command->add_option("FILE", paths_, ".warc, .warc.gz or .warc.zst; - for standard input")->required();
  command->add_option("-o,--output", output_, "where to, instead of standard output")->type_name("FILE");
  command->footer("Example: crawld warc cdxj --output archive.cdxj archive/*.warc.gz");
}

void WarcCommands::add_cat(CLI::App& parent) {
  CLI::App* command = add(parent, "cat", "Write records as they are, unpacked", &WarcCommands::cat);
  command->add_option("FILE", question_.path, ".warc, .warc.gz or .warc.zst; - for standard input")
      ->required();
  command->add_option("--offset", question_.offset, "only the record that begins at this octet of the file")
      ->type_name("N");
  CLI::Option* headers =
      command->add_flag("--headers", question_.headers, "only the headers, those of HTTP too");
  command->add_flag("--payload", question_.payload, "only what came behind the headers, decoded")
      ->excludes(headers);
  command->footer("Example: crawld warc cat --offset 1733 --payload archive.warc.gz");
}

int WarcCommands::verify() const {
  return verify_warcs(paths_, json_, std::cout, std::cerr);
}

int WarcCommands::cdxj() const {
  if (output_.empty()) return index_warcs(paths_, std::cout, std::cerr);
  std::ofstream out(output_, std::ios::binary | std::ios::trunc);
  if (!out) {
    std::cerr << "crawld: " << base::escaped(output_) << ": cannot be written\n";
    return EX_CANTCREAT;
  }
  return index_warcs(paths_, out, std::cerr);
}

int WarcCommands::cat() const {
  if (question_.path == "-" && question_.offset) {
    std::cerr << "crawld: warc cat: --offset needs a file, not standard input\n";
    return EX_USAGE;
  }
  return show_warc(question_, std::cout, std::cerr);
}

}  // namespace crawler
