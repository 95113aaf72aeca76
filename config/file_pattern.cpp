#include "config/file_pattern.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cerrno>

namespace config {
namespace {

/// With the characters that glob(3) would read as a pattern made literal.
std::string glob_literal(const std::string& text) {
  std::string literal;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal;
}

/// A folder that is not there has no files in it; any other reason ends the search.
int stop_at(const char*, int error) {
  return error == ENOENT || error == ENOTDIR ? 0 : 1;
}

}  // namespace

MatchingFiles find_files(const std::string& folder, const std::string& pattern) {
  if (pattern.find('\0') != pattern.npos) return {};
  const bool relative = !pattern.starts_with('/') && !folder.empty();
  const std::string full = relative ? fmt::format("{}/{}", glob_literal(folder), pattern) : pattern;
  MatchingFiles found;
  glob_t paths{};
  // Sorted here, because glob sorts by the locale.
  const int status = glob(full.c_str(), GLOB_NOSORT, stop_at, &paths);
  if (status == 0) found.paths.assign(paths.gl_pathv, paths.gl_pathv + paths.gl_pathc);
  globfree(&paths);
  found.searched = status == 0 || status == GLOB_NOMATCH;
  std::sort(found.paths.begin(), found.paths.end());
  return found;
}

bool is_file_pattern(std::string_view pattern) {
  return pattern.find_first_of("*?[") != pattern.npos;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  // A file in the root keeps its "/": an empty folder is the working directory.
  return slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace config
