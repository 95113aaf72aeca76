#include "crawler/keeping.h"

#include "base/escape.h"
#include "base/time_text.h"
#include "base/url.h"
#include "crawler/media_type.h"

#include <fmt/format.h>

namespace crawler {
namespace {

std::int64_t milliseconds(base::Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

/// Where a link stood, as Heritrix writes it.
std::string_view context_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::a: return "a/@href";
    case LinkKind::area: return "area/@href";
    case LinkKind::frame: return "frame/@src";
    case LinkKind::iframe: return "iframe/@src";
    case LinkKind::canonical:
    case LinkKind::alternate:
    case LinkKind::next:
    case LinkKind::prev: return "link/@href";
    case LinkKind::refresh: return "meta/@content";
    case LinkKind::item: return "=ITEM_MISC";
    case LinkKind::embed: return "=EMBED_MISC";
  }
  return "=MISC";
}

std::string rules_text(const IndexRules& rules) {
  std::string words;
  const auto add = [&words](bool wanted, std::string_view word) {
    if (!wanted) return;
    if (!words.empty()) words += ", ";
    words += word;
  };
  add(rules.noindex, "noindex");
  add(rules.nofollow, "nofollow");
  add(rules.noarchive, "noarchive");
  if (rules.unavailable_after) add(true, "unavailable_after: " + base::rfc3339(*rules.unavailable_after));
  return words;
}

}  // namespace

std::string hops_of(const Discovery& discovery) {
  constexpr std::uint32_t kHopsMax = 50;  // as many as Heritrix writes
  std::string hops;
  const bool manifest = discovery.sitemap || discovery.how == How::sitemap;
  if (manifest) hops += 'M';
  if (!manifest) hops.append(std::min(discovery.depth, kHopsMax), 'L');
  hops.append(std::min(discovery.redirects, kHopsMax), 'R');
  return hops;
}

bool asks_not_to_be_kept(const IndexRules& rules, base::WallTime now) {
  return rules.noarchive || rules.noindex || (rules.unavailable_after && *rules.unavailable_after <= now);
}

std::vector<std::pair<std::string, std::string>> metadata_of(const Visited& visited,
                                                             const Findings& findings) {
  std::vector<std::pair<std::string, std::string>> fields;
  constexpr std::size_t kOtherFields = 10;
  fields.reserve(findings.page.links.size() + kOtherFields);
  const auto add = [&fields](std::string_view name, std::string value) {
    if (!value.empty()) fields.emplace_back(name, std::move(value));
  };
  add("hopsFromSeed", hops_of(visited.discovery));
  add("foundBy", std::string(to_string(visited.discovery.how)));
  add("fetchTimeMs", std::to_string(milliseconds(visited.took)));
  add("fate", std::string(visited.fate));
  add("robotsGroup", std::string(visited.group));
  if (visited.line > 0) add("robotsRule", fmt::format("{} (line {})", visited.rule, visited.line));
  add("indexRules", rules_text(findings.rules));
  add("charsetForLinkExtraction", std::string(findings.page.charset));
  add("title", findings.page.title);
  if (findings.page.canonical) add("canonical", std::string(findings.page.canonical->text()));
  for (const Link& link : findings.page.links) {
    const char hop = link.kind == LinkKind::embed ? 'E' : link.kind == LinkKind::refresh ? 'R' : 'L';
    const std::string_view context = context_of(link.kind);
    const std::string_view nofollow = link.nofollow ? " nofollow" : "";
    std::string value;
    value.reserve(link.url.text().size() + 3 + context.size() + nofollow.size());
    value.append(link.url.text()).append({' ', hop, ' '}).append(context).append(nofollow);
    add("outlink", std::move(value));
  }
  return fields;
}

std::string page_line(const Visited& visited, const Findings& findings, std::string_view payload_digest) {
  const auto quoted = [](std::string_view text) { return base::json_quoted(text, base::kUrlOctetsMax); };
  const std::string mime = media_type(visited.outcome.headers.get("Content-Type"));
  std::string line = fmt::format(
      "{{\"id\":{},\"url\":{},\"ts\":\"{}\",\"title\":{},\"status\":{},\"mime\":{},\"charset\":{},"
      "\"octets\":{},\"depth\":{},\"how\":\"{}\",\"digest\":{},\"loadTimeMs\":{}",
      quoted(base::rfc3339(visited.begun) + " " + std::string(visited.url.text())),
      quoted(visited.url.text()), base::rfc3339(visited.begun), quoted(findings.page.title),
      visited.outcome.status, quoted(mime), quoted(findings.page.charset), visited.outcome.body.size(),
      visited.discovery.depth, to_string(visited.discovery.how), quoted(payload_digest),
      milliseconds(visited.took));
  if (findings.page.canonical) line += ",\"canonical\":" + quoted(findings.page.canonical->text());
  return line;
}

}  // namespace crawler
