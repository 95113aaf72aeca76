#pragma once
// srcset of img and source (WHATWG HTML, parsing a srcset attribute).
#include <string_view>

namespace crawler {

/// Takes the next URL off `text`, with its descriptors; empty at the end. Linear over all calls.
std::string_view take_image_candidate(std::string_view& text);

}  // namespace crawler
