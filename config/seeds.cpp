#include "config/seeds.h"

#include "base/hash.h"
#include "config/file.h"
#include "config/file_pattern.h"
#include "config/suggest.h"
#include "config/text_check.h"
#include "config/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace config {
namespace {

constexpr std::string_view kPath = "seeds";
constexpr std::string_view kBlanks = " \t";

bool has_key(const YamlNode& map, std::string_view name) {
  return std::any_of(map.keys.begin(), map.keys.end(), [name](const YamlNode& key) {
    return key.kind == YamlNode::Kind::scalar && key.text == name;
  });
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
      const bool map = item.kind == YamlNode::Kind::map;
      const bool weighted =
          map && (has_key(item, "url") || (has_key(item, "weight") && !has_key(item, "file")));
      if (item.kind == YamlNode::Kind::scalar) {
        url(item.text, item.place);
      } else if (weighted) {
        weighted_url(item);
      } else if (map && files_allowed) {
        files(item);
      } else {
        const std::string_view files = files_allowed ? " or \"file: pattern\"" : "";
        problems_.error(item.place, kPath, fmt::format("each item must be a URL{}", files));
      }
    }
  }

 private:
  struct HashHash {
    std::size_t operator()(const base::Hash128& hash) const noexcept { return hash.low; }
  };
  // Equal 128 bits count as equal URLs: ten million seeds as text would take a gigabyte.
  static base::Hash128 fingerprint(const base::Url& url) { return base::keyed_hash(url.text(), 0); }

  void url(std::string_view text, Place place, std::uint8_t weight = 1);
  void weighted_url(const YamlNode& map);
  std::optional<std::uint8_t> weight(std::string_view text, Place place);
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

void SeedReader::url(std::string_view text, Place place, std::uint8_t weight) {
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
  std::string where = fmt::format("{}:{}", problems_.file_name(place.file), place.line);
  seeds_.push_back({std::move(*parsed), std::move(where), weight});
}

/// nullopt, with an error, when `text` is no weight.
std::optional<std::uint8_t> SeedReader::weight(std::string_view text, Place place) {
  const Reading<std::uint64_t> reading = read_count(text, {1, kSeedWeightMax});
  if (reading.wrong.empty()) return static_cast<std::uint8_t>(reading.value);
  problems_.error(place, kPath, fmt::format("a weight {}", reading.wrong));
  return std::nullopt;
}

/// `{url: URL, weight: 4}`. Each key once; a weight alone is a slip.
void SeedReader::weighted_url(const YamlNode& map) {
  const YamlNode* address = nullptr;
  const YamlNode* number = nullptr;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const YamlNode& key = map.keys[i];
    const YamlNode& value = map.items[i];
    const auto refuse = [&](std::string_view why) {
      problems_.error(key.place, kPath, fmt::format("{} {}", in_quotes(key.text), why));
    };
    const YamlNode** slot = key.text == "url" ? &address : key.text == "weight" ? &number : nullptr;
    if (slot == nullptr) {
      constexpr std::string_view kNames[] = {"url", "weight"};
      return refuse(fmt::format("is no key of a seed: write {{url: URL, weight: 4}}{}",
                                did_you_mean(nearest(key.text, kNames))));
    }
    if (*slot != nullptr) return refuse("is written twice in one item: begin a new one with \"- \"");
    if (value.kind != YamlNode::Kind::scalar) return refuse("must be a single value");
    *slot = &value;
  }
  if (address == nullptr) {
    return problems_.error(map.place, kPath, "a weight without a URL: write {url: URL, weight: 4}");
  }
  std::optional<std::uint8_t> read = 1;
  if (number != nullptr && number->quoted) {
    return problems_.error(number->place, kPath, "a weight must be a number without quotes");
  }
  if (number != nullptr) read = weight(number->text, number->place);
  if (read) url(address->text, address->place, *read);
}

void SeedReader::files(const YamlNode& map) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const YamlNode& key = map.keys[i];
    const YamlNode& pattern = map.items[i];
    if (key.kind != YamlNode::Kind::scalar || key.text != "file") {
      if (key.text == "weight") {
        problems_.error(key.place, kPath,
                        "a file has no weight: write \"weight=4\" after URLs in it, each in its line");
        continue;
      }
      const std::string_view known[] = {"file", "url"};
      const std::string_view meant =
          key.text.find("http") == 0 ? std::string_view() : nearest(key.text, known);
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
  MatchingFiles found = find_files(folder_, pattern.text);
  const bool relative = !pattern.text.starts_with('/') && !folder_.empty();
  if (!found.searched) {
    problems_.error(pattern.place, kPath, fmt::format("{} cannot be searched", in_quotes(pattern.text)));
  } else if (found.paths.empty()) {
    const std::string where = relative ? fmt::format(" in {}", in_quotes(folder_)) : std::string();
    problems_.error(pattern.place, kPath,
                    fmt::format("no file matches {}{}", in_quotes(pattern.text), where));
  }
  return std::move(found.paths);
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
  const std::size_t blank = std::min(line.find_first_of(kBlanks), line.size());
  const std::size_t second = std::min(line.find_first_not_of(kBlanks, blank), line.size());
  if (!line.substr(second).starts_with("weight")) return url(line, place);
  const Place there{file, number, place.column + second};
  constexpr std::string_view kForm = "weight=";
  if (!line.substr(second).starts_with(kForm)) {
    return problems_.error(
        there, kPath, fmt::format("{} is no weight: write it like weight=4", in_quotes(line.substr(second))));
  }
  if (const auto read = weight(line.substr(second + kForm.size()), there)) {
    url(line.substr(0, blank), place, *read);
  }
}

}  // namespace

void read_seeds(const YamlNode& list, const std::string& folder, std::vector<Seed>& seeds, Problems& problems,
                const SeedLimits& limits) {
  SeedReader(folder, seeds, problems, limits).list(list, true);
}

}  // namespace config
