#pragma once
// YAML -> Config, strict: all errors of a file at once, each with its place and what to do.
#include "config/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace config {

/// What reading a configuration gave. `errors` is empty exactly when `config` may be used.
/// Each error is one line: `file:line:col: path.to.key: what is wrong (did you mean …?)`.
/// Warnings have the same form (a hard minimum of zero).
struct Loaded {
  Config config;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
};

/// Reads `path` and the seed files that it names (relative to its folder). Never throws on content.
Loaded load_file(const std::string& path);

/// The same for text in memory; `name` stands for the file in messages, seed files are relative to `folder`.
Loaded load_text(std::string_view yaml, const std::string& name, const std::string& folder);

/// The effective configuration as YAML that load_text() reads back to the same Config.
std::string dump(const Config& config);

}  // namespace config
