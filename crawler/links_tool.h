#pragma once
// `crawld links` and `crawld url`: what crawld makes of a page and of URLs. No network.
#include "base/url.h"
#include "crawler/links.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

struct LinksQuestion {
  std::string body;
  base::Url url;             ///< where it was found
  std::string content_type;  ///< as the header says it; empty: by its look
  PageOptions options;
  bool json = false;  ///< an object instead of text
};

/// Shows each link with how it was found and whether it is not to be followed, then kind, title, charset,
/// rules, and how many references were dropped. Returns an exit code.
int answer_links(const LinksQuestion& question, std::ostream& out);

/// Shows the normal form of each of `texts`, against `base` if there is one. What is refused is named on
/// `talk`, and makes the exit code 65.
int answer_urls(const std::vector<std::string>& texts, const std::optional<base::Url>& base,
                std::ostream& out, std::ostream& talk);

/// Reads lines {"input", "base"} and writes for each {"href"}: the normal form, or null when it is refused.
/// `base` may be null or absent; a base of another scheme than http and https is no help, one that cannot be
/// read refuses everything. A line that is no such object is named on `talk`, answered with null, and makes
/// the exit code 65.
int answer_url_lines(std::istream& in, std::ostream& out, std::ostream& talk);

}  // namespace crawler
