#pragma once
// Character references in attribute values (WHATWG HTML §13.2.5.72 and following).
#include <string>
#include <string_view>

namespace crawler {

/// The value of an attribute as written, with its character references resolved and NUL replaced by U+FFFD.
/// Returns `raw` when there is nothing to do, else a view of `scratch`. `&copy=1` and `&copyx` stay as they
/// are.
std::string_view attribute_text(std::string_view raw, std::string& scratch);

/// Appends `code` in UTF-8; U+FFFD for a surrogate and for what lies above U+10FFFF.
void append_utf8(char32_t code, std::string& out);

}  // namespace crawler
