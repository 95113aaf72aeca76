#pragma once
// What the archive says of a page beside its octets. Pure.
#include "crawler/findings.h"
#include "crawler/pack_exchange.h"
#include "robots/rules.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crawler {

/// How a URL was found, a letter for each hop as Heritrix has them: Link, Redirect, Manifest (a sitemap),
/// Prerequisite (robots.txt).
std::string hops_of(const Discovery& discovery);

/// A visit as far as records tell of it.
struct Visited {
  const base::Url& url;
  const Discovery& discovery;
  const fetch::Outcome& outcome;
  std::string_view fate;
  base::WallTime begun{};
  base::Duration took{};
  std::string_view group;  ///< of robots.txt, and the rule of it that let the URL pass
  std::string_view rule;
  int line = 0;
};

/// Whether a page asks not to be kept (ROBOTS.md §9): `noarchive`, `noindex`, or an `unavailable_after` that
/// is over.
bool asks_not_to_be_kept(const IndexRules& rules, base::WallTime now);

/// Fields of the metadata record, named like Heritrix's where it has them.
std::vector<std::pair<std::string, std::string>> metadata_of(const Visited& visited,
                                                             const Findings& findings);

/// A line of pages.jsonl (specs.webrecorder.net/wacz, "pages.jsonl") without its last brace.
std::string page_line(const Visited& visited, const Findings& findings, std::string_view payload_digest);

}  // namespace crawler
