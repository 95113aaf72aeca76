#pragma once
// The host of a URL as browsers read it (WHATWG URL §3.5): a domain, an IPv4 address in any spelling, or
// [IPv6].
#include <string>
#include <string_view>

namespace base {

/// Appends the canonical form of `raw` to `out`: lower case, A-labels, dotted decimal, compressed IPv6 in
/// brackets. False for a host that browsers refuse; `out` then holds some prefix of an attempt and is of no
/// use. `raw` is what stands between user name and port, tabs and line ends already taken out.
bool append_host(std::string_view raw, std::string& out);

}  // namespace base
