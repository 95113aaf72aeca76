#pragma once
// The octets of a request.
#include "fetch/client.h"

#include <string>
#include <string_view>

namespace fetch {

/// Visible ASCII, blanks and octets from 0x80 on: nothing that could end a line or start another request.
bool is_field_value(std::string_view value);

/// `GET` with our fields, up to the blank line. `whole_url`: for a proxy (RFC 9112 §3.2.2), with
/// `authorization` when it is not empty. A condition that is not a field value is left out: then the answer
/// is a full one.
std::string request_octets(const Request& request, const Identity& identity, bool whole_url = false,
                           std::string_view authorization = {});

}  // namespace fetch
