#pragma once
// `crawld explain`: every decision about one URL, shown. Fetches the origin's robots.txt as the crawl would,
// under a lease and through the guard, and nothing else.
#include "base/url.h"
#include "config/config.h"

#include <iosfwd>

namespace crawler {

/// Writes the explanation; returns an exit code of sysexits.h (75 when robots.txt could not be had).
int explain_url(const config::Config& config, const base::Url& url, bool json, std::ostream& out);

}  // namespace crawler
