#pragma once
// Files by a pattern of their names, for keys that name other files.
#include <string>
#include <string_view>
#include <vector>

namespace config {

struct MatchingFiles {
  std::vector<std::string> paths;  ///< sorted by octets
  bool searched = true;            ///< false: a folder on the way cannot be read
};

/// What `pattern` matches, see glob(3), without `~` and braces; relative to `folder`, which is taken
/// literally and is the working directory when empty. A pattern without special characters matches the file
/// of that name.
MatchingFiles find_files(const std::string& folder, const std::string& pattern);

/// True when `pattern` may match more than one name.
bool is_file_pattern(std::string_view pattern);

/// The folder of the file at `path`, as find_files() takes it.
std::string folder_of(const std::string& path);

}  // namespace config
