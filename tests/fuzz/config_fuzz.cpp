// Any text: load_text() neither throws nor crashes, and its messages are lines that are safe to print. Where
// it finds no error, dump() is a text that means the same.
#include "config/load.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool safe_line(const std::string& line) {
  return line.starts_with("fuzz") && line.size() < 2000 && std::all_of(line.begin(), line.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F;
         });
}

/// Seed files are out of bounds here: a text could name any file of this machine.
bool may_read_files(std::string_view text) {
  return text.find("seeds") != text.npos && (text.find("file") != text.npos || text.find('\\') != text.npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (may_read_files(text)) return 0;
  const config::Loaded first = config::load_text(text, "fuzz", "/nonexistent");
  for (const std::string& line : first.errors) require(safe_line(line) || line.starts_with("... and "));
  for (const std::string& line : first.warnings) require(safe_line(line) || line.starts_with("... and "));
  if (!first.errors.empty()) return 0;

  require(!first.config.agent.contact.empty() && !first.config.agent.tokens.empty());
  require(safe_line("fuzz" + first.config.user_agent()));
  require(first.config.threads <= 256 && first.config.robots.max_redirects <= 10);
  const std::string written = config::dump(first.config);
  const config::Loaded again = config::load_text(written, "fuzz", "/nonexistent");
  require(again.errors.empty());
  require(config::dump(again.config) == written);
  require(again.config.seeds.size() == first.config.seeds.size());
  return 0;
}
