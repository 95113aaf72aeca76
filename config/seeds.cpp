#include "config/seeds.h"

#include "base/hash.h"
#include "config/file.h"
#include "config/suggest.h"
#include "config/text_check.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace config {
namespace {

constexpr std::string_view kPath = "seeds";
constexpr std::string_view kBlanks = " \t";

/// With the characters that glob(3) would read as a pattern made literal.
std::string glob_literal(const std::string& text) {
  std::string literal;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal;
}

class SeedReader {
 public:
  SeedReader(std::string folder, std::vector<Seed>& seeds, Problems& problems, const SeedLimits& limits)
      : folder_(std::move(folder)), seeds_(seeds), problems_(problems), limits_(limits) {
    for (const Seed& seed : seeds) seen_.insert(fingerprint(seed.url));
  }

  void list(const YamlNode& list, bool files_allowed) {
    for (const YamlNode& item : list.items) {
      if (full_) return;
      if (item.kind == YamlNode::Kind::scalar) {
        url(item.text, item.place);
      } else if (item.kind == YamlNode::Kind::map && files_allowed) {
        files(item);
      } else {
        const std::string_view form =
            files_allowed ? "each item must be a URL or \"file: pattern\"" : "each item must be a URL";
        problems_.error(item.place, kPath, form);
      }
    }
  }

 private:
  struct HashHash {
    std::size_t operator()(const base::Hash128& hash) const noexcept { return hash.low; }
  };
  // Equal 128 bits count as equal URLs: ten million seeds as text would take a gigabyte.
  static base::Hash128 fingerprint(const base::Url& url) { return base::keyed_hash(url.text(), 0); }

  void url(std::string_view text, Place place);
  void files(const YamlNode& map);
  std::vector<std::string> matches(const YamlNode& pattern);
  void file(const std::string& path, const YamlNode& pattern);
  void yaml_file(const std::string& path, std::size_t file);
  void text_file(const std::string& path, std::size_t file);
  void line(std::string_view line, std::size_t number, std::size_t skipped, std::size_t file);

  std::string folder_;
  std::vector<Seed>& seeds_;
  Problems& problems_;
  SeedLimits limits_;
  std::unordered_set<base::Hash128, HashHash> seen_;
  std::size_t files_read_ = 0;
  bool full_ = false;
};

/// What to write instead of a URL that lacks its scheme.
std::string scheme_hint(std::string_view text) {
  if (text.starts_with("file:")) return " (for a file of seeds write \"- file: pattern\", with a blank)";
  if (text.find("://") != text.npos) return {};
  const std::string whole =
      text.starts_with("//") ? fmt::format("https:{}", text) : fmt::format("https://{}", text);
  return base::Url::parse(whole).has_value() && whole.size() <= kQuotedOctetsMax
             ? fmt::format(" (did you mean {}?)", in_quotes(whole))
             : std::string();
}

void SeedReader::url(std::string_view text, Place place) {
  const auto refuse = [&](std::string_view why) {
    problems_.error(place, kPath, fmt::format("{} {}", in_quotes(text), why));
  };
  // The URL parser would drop or encode these, as browsers do; in a list of seeds they are slips.
  if (text.find_first_of(" \t\r\n") != text.npos)
    return refuse("has a blank in it: one URL in each line, blanks as %20");
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    return refuse("has a control character in it");
  }
  auto parsed = base::Url::parse(text);
  if (!parsed.has_value())
    return refuse(fmt::format("is no seed: {}{}", parsed.error().message(), scheme_hint(text)));
  if (!seen_.insert(fingerprint(*parsed)).second) return;
  if (seeds_.size() >= limits_.seeds) {
    full_ = true;
    problems_.error(place, kPath, fmt::format("more than {} seeds", limits_.seeds));
    return;
  }
  seeds_.push_back({std::move(*parsed), fmt::format("{}:{}", problems_.file_name(place.file), place.line)});
}

void SeedReader::files(const YamlNode& map) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const YamlNode& key = map.keys[i];
    const YamlNode& pattern = map.items[i];
    if (key.kind != YamlNode::Kind::scalar || key.text != "file") {
      const std::string_view files[] = {"file"};
      const std::string_view meant =
          key.text.find("http") == 0 ? std::string_view() : nearest(key.text, files);
      problems_.error(key.place, kPath,
                      fmt::format("unknown key {}: an item is a URL or \"file: pattern\"{}",
                                  in_quotes(key.text), did_you_mean(meant)));
    } else if (i > 0) {
      problems_.error(key.place, kPath, "one \"file: pattern\" in each item: begin a new one with \"- \"");
    } else if (pattern.kind != YamlNode::Kind::scalar || pattern.text.empty()) {
      problems_.error(key.place, kPath, "file must be the name of a file, or a pattern like seeds/*.txt");
    } else {
      for (const std::string& path : matches(pattern)) file(path, pattern);
    }
  }
}

std::vector<std::string> SeedReader::matches(const YamlNode& pattern) {
  const bool relative = !pattern.text.starts_with('/') && !folder_.empty();
  const std::string full =
      relative ? fmt::format("{}/{}", glob_literal(folder_), pattern.text) : pattern.text;
  std::vector<std::string> paths;
  glob_t found{};
  // Sorted here, because glob sorts by the locale.
  const int status =
      full.find('\0') != full.npos ? GLOB_NOMATCH : glob(full.c_str(), GLOB_NOSORT, nullptr, &found);
  if (status == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::sort(paths.begin(), paths.end());
  if (status == GLOB_NOMATCH || (status == 0 && paths.empty())) {
    const std::string where = relative ? fmt::format(" in {}", in_quotes(folder_)) : std::string();
    problems_.error(pattern.place, kPath,
                    fmt::format("no file matches {}{}", in_quotes(pattern.text), where));
  } else if (status != 0) {
    problems_.error(pattern.place, kPath, fmt::format("{} cannot be searched", in_quotes(pattern.text)));
  }
  return paths;
}

void SeedReader::file(const std::string& path, const YamlNode& pattern) {
  if (full_) return;
  if (++files_read_ > limits_.files) {
    full_ = true;
    problems_.error(pattern.place, kPath, fmt::format("more than {} seed files", limits_.files));
    return;
  }
  const std::string wrong = why_unreadable(path);
  if (!wrong.empty()) {
    problems_.error(pattern.place, kPath, fmt::format("{}: {}", in_quotes(path), wrong));
    return;
  }
  const std::size_t file = problems_.add_file(path);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) {
    yaml_file(path, file);
  } else {
    text_file(path, file);
  }
}

void SeedReader::yaml_file(const std::string& path, std::size_t file) {
  YamlLimits limits;
  limits.octets = limits_.yaml_octets;
  const auto text = read_file(path, limits.octets, file, problems_);
  if (!text) return;
  const auto root = read_yaml(*text, file, limits, problems_);
  if (!root || root->kind == YamlNode::Kind::null) return;  // an empty list of seeds is one
  if (root->kind != YamlNode::Kind::list) {
    problems_.error(root->place, kPath, "must be a YAML list of URLs, each after \"- \"");
    return;
  }
  list(*root, false);
}

void SeedReader::text_file(const std::string& path, std::size_t file) {
  std::error_code failure;
  if (std::filesystem::file_size(path, failure) > limits_.text_octets && !failure) {
    problems_.error({file, 0, 0}, kPath,
                    fmt::format("larger than {} octets, which is the limit", limits_.text_octets));
    return;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  for (std::size_t number = 1; !full_ && std::getline(stream, text); ++number) {
    const std::string_view rest = number == 1 ? without_bom(text) : text;
    line(rest, number, text.size() - rest.size(), file);
  }
  if (stream.bad()) problems_.error({file, 0, 0}, kPath, "cannot be read to its end");
}

void SeedReader::line(std::string_view line, std::size_t number, std::size_t skipped, std::size_t file) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t hash = line.find('#'); hash != line.npos; hash = line.find('#', hash + 1)) {
    if (hash > 0 && kBlanks.find(line[hash - 1]) == kBlanks.npos) continue;
    line = line.substr(0, hash);
    break;
  }
  const std::size_t start = line.find_first_not_of(kBlanks);
  if (start == line.npos) return;
  line = line.substr(start, line.find_last_not_of(kBlanks) - start + 1);
  const Place place{file, number, skipped + start + 1};
  if (line.size() > limits_.line_octets) {
    problems_.error(place, kPath, fmt::format("a line longer than {} octets", limits_.line_octets));
    return;
  }
  url(line, place);
}

}  // namespace

void read_seeds(const YamlNode& list, const std::string& folder, std::vector<Seed>& seeds, Problems& problems,
                const SeedLimits& limits) {
  SeedReader(folder, seeds, problems, limits).list(list, true);
}

}  // namespace config
