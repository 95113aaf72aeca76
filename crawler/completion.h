#pragma once
// Shell completion, made from the command line itself: names, options, descriptions and choices cannot differ
// from it.
#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// The shells that completion() knows.
std::vector<std::string> completion_shells();

/// The completion script of `app` for `shell`. An option whose type is FILE takes the name of a file, one
/// with a list of choices takes one of them, KEY=VALUE a key of the configuration; of others only the
/// presence of a value is known.
std::string completion(const CLI::App& app, std::string_view shell);

}  // namespace crawler
