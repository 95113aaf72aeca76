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
  files_.push_back(std::move(name));
  return files_.size() - 1;
}

void Problems::Bounded::add(Place place, std::string_view path, std::string_view what) {
  if (kept.size() >= kKept) {
    ++left_out;
    return;
  }
  std::string text;
  if (!path.empty()) text = base::escaped(path, 3 * kQuotedOctetsMax) + ": ";
  kept.push_back({place, text.append(what)});
}

std::vector<std::string> Problems::lines(const Bounded& list) const {
  std::vector<const Problem*> sorted;
  sorted.reserve(list.kept.size());
  for (const Problem& problem : list.kept) sorted.push_back(&problem);
  const auto rank = [](const Problem* p) { return std::tie(p->place.file, p->place.line, p->place.column); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Problem* a, const Problem* b) { return rank(a) < rank(b); });

  std::vector<std::string> lines;
  for (const Problem* problem : sorted) {
    const std::string file = base::escaped(files_[problem->place.file]);
    lines.push_back(problem->place.line == 0 ? fmt::format("{}: {}", file, problem->text)
                                             : fmt::format("{}:{}:{}: {}", file, problem->place.line,
                                                           problem->place.column, problem->text));
  }
  if (list.left_out > 0) lines.push_back(fmt::format("... and {} more", list.left_out));
  return lines;
}

}  // namespace config
