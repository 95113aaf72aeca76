#pragma once
// Small words for tests of robots.txt.
#include "robots/rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// Read as the robot `agent`.
inline Rules read(std::string_view text, const std::string& agent = "crawld",
                  const config::Robots& options = {}) {
  const std::vector<std::string> tokens{agent};
  return Rules::parse(text, tokens, options);
}

/// A file with one group for everyone.
inline Rules everyone(std::string_view records, const config::Robots& options = {}) {
  return read("User-agent: *\n" + std::string(records), "crawld", options);
}

/// May the target be fetched, with one group of these records?
inline bool allows(std::string_view records, std::string_view target) {
  return everyone(records).check(target).allowed;
}

/// The same with a group of version 2.0.
inline bool allows2(std::string_view records, std::string_view target) {
  return everyone("Robot-version: 2.0\n" + std::string(records)).check(target).allowed;
}

}  // namespace robots
