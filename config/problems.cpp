#include "config/problems.h"

#include "base/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace config {

std::string in_quotes(std::string_view text) {
  return '"' + base::escaped(text, kQuotedOctetsMax) + '"';
}

std::size_t Problems::add_file(std::string name) {
  sources_.push_back({std::move(name), false, {}});
  return sources_.size() - 1;
}

std::size_t Problems::add_setting(std::string name, std::string key) {
  sources_.push_back({std::move(name), true, std::move(key)});
  return sources_.size() - 1;
}

void Problems::Bounded::add(Place place, std::string_view path, std::string_view what) {
  if (kept.size() >= kKept) {
    ++left_out;
  } else {
    kept.push_back({place, std::string(path), std::string(what)});
  }
}

std::vector<const Problems::Problem*> Problems::Bounded::sorted() const {
  std::vector<const Problem*> sorted;
  sorted.reserve(kept.size());
  for (const Problem& problem : kept) sorted.push_back(&problem);
  const auto rank = [](const Problem* p) { return std::tie(p->place.file, p->place.line, p->place.column); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Problem* a, const Problem* b) { return rank(a) < rank(b); });
  return sorted;
}

std::string Problems::where(const Place& place) const {
  const Source& source = sources_[place.file];
  const std::string name = base::escaped(source.name);
  if (place.line == 0 || source.setting) return name;
  return fmt::format("{}:{}:{}", name, place.line, place.column);
}

std::vector<std::string> Problems::lines(const Bounded& list) const {
  std::vector<std::string> lines;
  for (const Problem* problem : list.sorted()) {
    const Source& source = sources_[problem->place.file];
    const bool told = problem->key.empty() || (source.setting && source.key == problem->key);
    const std::string key = told ? "" : base::escaped(problem->key, 3 * kQuotedOctetsMax) + ": ";
    lines.push_back(fmt::format("{}: {}{}", where(problem->place), key, problem->what));
  }
  if (list.left_out > 0) lines.push_back(fmt::format("... and {} more", list.left_out));
  return lines;
}

std::vector<Told> Problems::told() const {
  std::vector<Told> told;
  for (const Bounded* list : {&errors_, &warnings_}) {
    for (const Problem* problem : list->sorted()) {
      const Source& source = sources_[problem->place.file];
      const bool lines = !source.setting && problem->place.line > 0;
      told.push_back({list == &errors_, base::escaped(source.name), lines ? problem->place.line : 0,
                      lines ? problem->place.column : 0,
                      base::escaped(problem->key.empty() ? source.key : problem->key, 3 * kQuotedOctetsMax),
                      problem->what});
    }
  }
  return told;
}

}  // namespace config
