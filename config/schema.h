#pragma once
// The table of keys as a JSON Schema, for editors and for programs that write configurations.
#include <string>

namespace config {

/// JSON Schema, draft-07 (what YAML language servers understand), on one line. What it refuses the reader
/// refuses, but for a text that looks like a number, which needs no quotes for the reader. The reader refuses
/// more: bounds of durations and sizes, files that are not there, keys that do not fit each other
/// (tests/process/config_test.py has the list).
std::string schema();

}  // namespace config
