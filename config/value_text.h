#pragma once
// Values as texts that the reader reads back.
#include "config/keys.h"

#include <string>
#include <string_view>

namespace config {

/// A YAML text in double quotes. JSON too for what a key can hold, which has no control characters.
std::string quoted_text(std::string_view text);

/// The value in `slot` in one line, lists in flow style; empty for an optional that is not set. Not for seeds
/// and politeness.hosts.
std::string value_text(const Spec& spec, const Slot& slot);

/// The same as JSON: durations, sizes and words as strings.
std::string value_json(const Spec& spec, const Slot& slot);

}  // namespace config
