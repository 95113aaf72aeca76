#pragma once
// The octets of a request.
#include "fetch/fetcher.h"

#include <string>
#include <string_view>

namespace fetch {

/// Visible ASCII, blanks and octets from 0x80 on: nothing that could end a line or start another request.
bool is_field_value(std::string_view value);

/// `GET` with our fields, up to the blank line. The user agent must be a field value. A condition that is not
/// one is left out: then the answer is a full one.
std::string request_octets(const Request& request, std::string_view user_agent);

}  // namespace fetch
