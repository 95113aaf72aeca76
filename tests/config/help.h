#pragma once
// Small words for the tests of config/.
#include "config/load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace config {

inline const std::string kContact = "https://crawler.operator.net/about";

/// Reads `yaml` as the file `c.yaml`, with a contact added at its end when it has no agent.
inline Loaded read(std::string_view yaml, const std::string& folder = "") {
  std::string text(yaml);
  if (text.find("agent:") == std::string::npos) text += "\nagent: {contact: \"" + kContact + "\"}\n";
  return load_text(text, "c.yaml", folder);
}

using Lines = std::vector<std::string>;

inline Lines errors(std::string_view yaml) {
  return read(yaml).errors;
}

/// The one error of `yaml`; several come out joined, so that the comparison shows them.
inline std::string error(std::string_view yaml) {
  std::string all;
  for (const std::string& line : errors(yaml)) all += (all.empty() ? "" : "\n") + line;
  return all;
}

/// The configuration that `yaml` gives; the test fails when it has errors.
inline Config good(std::string_view yaml) {
  Loaded loaded = read(yaml);
  EXPECT_EQ(loaded.errors, Lines{}) << yaml;
  return loaded.config;
}

/// A folder that is gone when the test ends.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "crawld-config-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, std::string_view text) const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  std::string path_;
};

}  // namespace config
