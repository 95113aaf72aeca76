#pragma once
// Who the crawler says it is. A crawler that nobody can reach gets blocked, and its operator's network with
// it, so a configuration without a working way to reach a person is refused.
#include "config/config.h"
#include "config/values.h"

#include <string>
#include <string_view>

namespace config {

/// A product token of RFC 9309 §2.2.1: `[A-Za-z_-]+`.
Reading<std::string> read_token(std::string_view text);

/// An http(s) URL or a mail address, kept as written; it goes into a header, so it is printable ASCII without
/// blanks, parentheses and backslashes. Refused are the example.com, .org, .net families, `.example`,
/// localhost, loopback addresses, names without a dot, and URLs with a user name.
Reading<std::string> read_contact(std::string_view text, Bounds bounds);

/// Printable ASCII.
Reading<std::string> read_user_agent(std::string_view text, Bounds bounds);

/// What is wrong with a User-Agent for `agent`: it has to name the first token (RFC 9309 §2.2.1). Empty when
/// good.
std::string wrong_user_agent(const Agent& agent);

/// True for a contact that only works in a test or a private network (`.invalid`, `.test`, `.local`,
/// `.internal`).
bool unreachable_contact(std::string_view contact);

}  // namespace config
