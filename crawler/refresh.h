#pragma once
// <meta http-equiv="refresh"> (WHATWG HTML, shared declarative refresh steps).
#include <optional>
#include <string_view>

namespace crawler {

/// The URL in `5; url='next.html'`, as written; nothing when there is none or the value is no refresh.
std::optional<std::string_view> refresh_target(std::string_view content);

}  // namespace crawler
