// Any octets as a robots.txt: reading never fails, stays in its bounds, and says the same when it is told the
// same.
#include "robots/rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool same(const robots::Decision& a, const robots::Decision& b) {
  return a.allowed == b.allowed && a.group == b.group && a.rule == b.rule && a.line == b.line;
}

void look(const robots::Rules& rules, std::string_view body) {
  require(rules.warnings().size() == std::min(rules.warning_count(), robots::kWarningsMax));
  require(rules.rule_count() <= body.size());
  const std::set<std::string> groups{"", "*", "crawld", "Other-Bot"};
  require(groups.contains(std::string(rules.group())));
  require(!rules.crawl_delay() || (std::isfinite(*rules.crawl_delay()) && *rules.crawl_delay() >= 0));
  for (const base::RequestRate& rate : rules.request_rates()) require(rate.seconds >= 1);
  for (const base::DailyWindow& window : rules.visit_times())
    require(window.from < 1440 && window.to <= 1440);
  const std::set<std::string> sitemaps(rules.sitemaps().begin(), rules.sitemaps().end());
  require(sitemaps.size() == rules.sitemaps().size());
  require(rules.check("/robots.txt").allowed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  config::Robots options;
  if ((data[0] & 1U) != 0) options.grouping = config::Grouping::rfc9309;
  if ((data[0] & 2U) != 0) options.version2 = false;
  if ((data[0] & 4U) != 0) options.version2_bare_slash = config::BareSlash::root_only;
  const std::vector<std::string> tokens{"crawld", "Other-Bot"};
  const std::string body(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto rules = robots::Rules::parse(body, tokens, options);
  look(rules, body);

  // What cannot change anything: a comment behind the end, a BOM before the beginning.
  const auto longer = robots::Rules::parse(body + "\n# the end", tokens, options);
  const bool marked = body.starts_with('\xEF') || body.starts_with('\xFE') || body.starts_with('\xFF');
  const auto with_mark = robots::Rules::parse(marked ? body : "\xEF\xBB\xBF" + body, tokens, options);
  const bool transcoded = body.starts_with("\xFF\xFE") || body.starts_with("\xFE\xFF");

  const std::string tail = "/" + body.substr(body.size() - std::min<std::size_t>(body.size(), 100));
  for (const std::string& target : {std::string("/"), std::string("/a/b.html?x=1"), tail}) {
    const robots::Decision decision = rules.check(target);
    require((decision.line == 0) == decision.rule.empty());
    require(decision.allowed || !decision.rule.empty());
    require(same(decision, rules.check(target)));
    require(same(decision, with_mark.check(target)));
    if (!transcoded) require(same(decision, longer.check(target)));
    if (!transcoded && !decision.rule.empty()) require(body.find(decision.rule) != std::string::npos);
  }

  robots::parse_window(body);
  robots::parse_crawl_delay(body);
  if (const auto rate = robots::parse_request_rate(body)) require(rate->seconds >= 1);
  return 0;
}
