#pragma once
// Words of <meta name="robots"> and X-Robots-Tag (ROBOTS.md §9).
#include "crawler/links.h"

#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// Whether `name` is one of `tokens`. ASCII case does not count.
bool is_our_token(std::string_view name, const std::vector<std::string>& tokens);

/// Adds what `content` of a meta element asks for. The value of `max-image-preview:none` and its kind is none
/// of ours.
void add_meta_rules(std::string_view content, IndexRules& rules);

}  // namespace crawler
