#pragma once
// YAML -> Config, strict: all errors of all sources at once, each with its place and what to do.
#include "config/config.h"
#include "config/problems.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// Where a configuration comes from. Later ones win: defaults, `file`, the files that it includes, in their
/// order, `environment`, `settings`. Lists are replaced, politeness.hosts are put together key by key, seeds
/// are added.
struct Sources {
  std::string file;
  std::vector<std::string> environment{};  ///< `CRAWLD__politeness__default_interval=5s` (overrides.h)
  std::vector<std::string> settings{};     ///< `politeness.default_interval=5s`, in order
  bool try_files = false;  ///< it is also an error when a file that a key names cannot be read
};

/// Paths of keys, those of hosts included (`politeness.hosts.www.site.com.crawl_delay`), and where their
/// values were written, safe to print: `file:line:col`, `--set KEY`, `environment NAME`. Keys that have their
/// default are absent.
using Origins = std::map<std::string, std::string, std::less<>>;

/// What reading a configuration gave. `errors` is empty exactly when `config` may be used.
/// Each error is one line: `file:line:col: path.to.key: what is wrong (did you mean …?)`, or
/// `--set path.to.key: what is wrong`. Warnings have the same form (a hard minimum of zero).
struct Loaded {
  Config config;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::vector<Told> told{};  ///< the same, for programs
  std::size_t left_out = 0;  ///< errors and warnings that are not among `told`
  Origins origins{};
};

/// Reads everything, with the seed files that are named (relative to the folder of the file that names them,
/// else to the working directory). Never throws on content.
Loaded load(const Sources& sources);
Loaded load_file(const std::string& path);

/// The same for text in memory, which may not include; `name` stands for the file in messages, seed files are
/// relative to `folder`.
Loaded load_text(std::string_view yaml, const std::string& name, const std::string& folder);

/// Seeds that dump() writes, in octets; the reader takes 4 MiB. A comment says how many it leaves out.
inline constexpr std::size_t kDumpedSeedsOctetsMax = 2UL * 1024 * 1024;

/// The effective configuration as YAML that load_text() reads back to the same Config, but for seeds beyond
/// kDumpedSeedsOctetsMax. With `origins`, a comment says of each value where it comes from.
std::string dump(const Config& config, const Origins* origins = nullptr);
/// The same as JSON, with all seeds. With `origins`, each value is `{"value": …, "origin": …}`.
std::string dump_json(const Config& config, const Origins* origins = nullptr);

}  // namespace config
