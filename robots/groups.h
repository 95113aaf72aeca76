#pragma once
// Which records of a file concern us (ROBOTS.md §2, RFC 9309 §2.2.1).
#include "config/config.h"
#include "robots/lines.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// A record of our group.
struct Member {
  Record record;
  bool version2 = false;  ///< its section is written in Robot-version 2.0
};

struct Group {
  std::string name;             ///< our token as the config has it, `*`, or empty when no group concerns us
  std::vector<Member> members;  ///< of all its sections, in file order, without User-agent and Robot-version
  std::vector<Record> before;   ///< the Crawl-delay records before the first User-agent
};

/// The group of the first of `tokens` that has one, else that of `*`. Misplaced records are warned of.
Group choose_group(const std::vector<Record>& records, std::span<const std::string> tokens,
                   const config::Robots& options, Warnings& warnings);

}  // namespace robots
