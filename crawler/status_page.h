#pragma once
// The files of crawler/status_page/, which the build has put into the program.
#include <string_view>

namespace crawler {

struct StatusFile {
  std::string_view path;  ///< `/status.css`
  std::string_view type;
  std::string_view body;
};

/// Null when there is no such file; `/` is the page itself.
const StatusFile* find_status_file(std::string_view path);

}  // namespace crawler
