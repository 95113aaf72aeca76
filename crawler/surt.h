#pragma once
// Keys of URLs in web archives: the Sort-friendly URI Reordering Transform.
#include <string>
#include <string_view>

namespace crawler {

/// `com,example)/path?query` for a URL, so that a domain, its hosts and their paths stand together when
/// sorted. The same key as python's `surt` 0.3.1, with which cdxj-indexer makes indexes and pywb looks them
/// up: without scheme, user name, default port, fragment and a leading `www.`; `:port` otherwise; IPv4
/// reversed like a name; percent-encoding undone as often as there is any and then made anew; path and query
/// in lower case; no slash at the end; parameters sorted; session ids of Java, PHP, ASP and ColdFusion gone.
/// Different URLs may have one key. Text without `scheme://` (such as `urn:` and `dns:`) is its own key, in
/// printable ASCII. No blanks in either.
std::string surt(std::string_view url);

}  // namespace crawler
