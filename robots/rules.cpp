#include "robots/rules.h"

#include "robots/canonical.h"
#include "robots/groups.h"
#include "robots/lines.h"
#include "robots/matcher.h"
#include "robots/order.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace robots {
namespace {

constexpr std::string_view kRobotsTxt = "/robots.txt";

/// Where a rule stands and what it says.
struct Source {
  Slice text;
  int line = 0;
  bool allow = false;
};

/// A rule while the file is read.
struct Draft {
  const Record* record = nullptr;
  Matcher::Entry entry;
  std::size_t length = 0;
};

/// Reads the path of an Allow or Disallow. Nothing when it is no rule.
std::optional<Draft> read_rule(const Member& member, const config::Robots& options, Pool& pool,
                               Warnings& warnings) {
  const Record& record = member.record;
  if (record.value.empty()) return std::nullopt;
  if (record.value.front() != '/' && record.value.front() != '*') {
    warnings.add(record.line, "the path begins neither with / nor with *: ignored");
    return std::nullopt;
  }
  const bool allow = record.key == Key::allow;
  if (!member.version2 && record.value.size() <= kRuleOctetsMax && is_plain(record.value)) {  // most rules
    return Draft{&record, {{Shape::prefix, record.value, {}, {}, {}}, allow}, record.value.size()};
  }
  Written written = member.version2 ? read_version2(record.value, pool) : read_version1(record.value);
  if (!written.complete) {
    warnings.add(record.line, allow ? "the path is too long: ignored" : "the path is too long: cut");
    if (allow) return std::nullopt;
  }
  if (member.version2 && !allow && record.value == "/" &&
      options.version2_bare_slash == config::BareSlash::everything) {
    written.anchored = false;
  }
  return Draft{&record, {make_pattern(written, pool), allow}, written.length};
}

/// The largest of the values; nothing when none is well formed.
std::optional<double> largest_delay(std::span<const Record> records, Warnings& warnings) {
  std::optional<double> largest;
  for (const Record& record : records) {
    const auto delay = parse_crawl_delay(record.value);
    if (!delay) warnings.add(record.line, "not a number of seconds: ignored");
    if (delay && (!largest || *largest < *delay)) largest = delay;
  }
  return largest;
}

}  // namespace

struct Rules::Data {
  std::string group;
  std::string text;             ///< the rules as written
  std::vector<Source> sources;  ///< by rank
  Matcher matcher;
  std::optional<double> crawl_delay;
  std::vector<base::RequestRate> rates;
  std::vector<base::DailyWindow> visits;
  std::vector<std::string> sitemaps;
  Warnings warnings;

  void take_rules(std::vector<Draft> drafts, Pool& pool);
  void take_members(const Group& all, const config::Robots& options);
  void take_sitemaps(const std::vector<Record>& records);
};

/// Ranks the rules: longest first, Allow before Disallow, then in file order (ROBOTS.md §3).
void Rules::Data::take_rules(std::vector<Draft> drafts, Pool& pool) {
  const auto kept_of = [](const Draft& draft) { return draft.record->text.substr(0, 2 * kRuleOctetsMax); };
  std::vector<Keyed> order;
  order.reserve(drafts.size());
  std::size_t octets = 0;
  for (const Draft& draft : drafts) {
    const std::uint64_t shortness = ~std::uint64_t{draft.length};
    order.push_back(
        {shortness << 1U | std::uint64_t{!draft.entry.allow}, static_cast<std::uint32_t>(order.size())});
    octets += kept_of(draft).size();
  }
  sort_by_key(order);
  std::vector<Matcher::Entry> entries;
  entries.reserve(drafts.size());
  sources.reserve(drafts.size());
  text.reserve(octets);
  for (const auto [key, i] : order) {
    const Record& record = *drafts[i].record;
    const std::string_view kept = kept_of(drafts[i]);
    sources.push_back({{static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(kept.size())},
                       record.line,
                       drafts[i].entry.allow});
    text += kept;
    entries.push_back(std::move(drafts[i].entry));
  }
  matcher = Matcher(entries, pool.take_sets());
}

void Rules::Data::take_members(const Group& all, const config::Robots& options) {
  group = all.name;
  Pool pool;
  std::vector<Draft> drafts;
  drafts.reserve(all.members.size());
  std::vector<Record> delays;
  for (const Member& member : all.members) {
    const Record& record = member.record;
    switch (record.key) {
      case Key::allow:
      case Key::disallow:
        if (auto draft = read_rule(member, options, pool, warnings)) drafts.push_back(*std::move(draft));
        break;
      case Key::crawl_delay: delays.push_back(record); break;
      case Key::request_rate:
        if (const auto rate = parse_request_rate(record.value)) {
          rates.push_back(*rate);
        } else {
          warnings.add(record.line, "not a request rate: ignored");
        }
        break;
      case Key::visit_time:
        if (const auto window = parse_window(record.value)) {
          visits.push_back(*window);
        } else {
          warnings.add(record.line, "not a time of day: ignored");
        }
        break;
      default: break;
    }
  }
  crawl_delay = largest_delay(delays, warnings);
  const auto fallback = largest_delay(all.before, warnings);
  if (!crawl_delay) crawl_delay = fallback;
  take_rules(std::move(drafts), pool);
}

void Rules::Data::take_sitemaps(const std::vector<Record>& records) {
  std::unordered_set<std::string_view, base::SecretHash> seen;
  for (const Record& record : records) {
    if (record.key != Key::sitemap || record.value.empty()) continue;
    if (seen.insert(record.value).second) sitemaps.emplace_back(record.value);
  }
}

Rules::Rules() {
  static const auto empty = std::make_shared<const Data>();
  data_ = empty;
}

Rules::Rules(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Rules Rules::parse(std::string_view body, std::span<const std::string> tokens,
                   const config::Robots& options) {
  auto data = std::make_shared<Data>();
  std::string storage;
  const std::vector<Record> records = read_records(decoded(body, storage), data->warnings);
  data->take_members(choose_group(records, tokens, options, data->warnings), options);
  data->take_sitemaps(records);
  return Rules(std::move(data));
}

Decision Rules::check(std::string_view target) const {
  Decision decision{true, data_->group, {}, 0};
  if (data_->sources.empty()) return decision;
  if (target.size() > kTargetOctetsMax) {  // no base::Url is that long
    decision.allowed = false;
    return decision;
  }
  std::array<char, kCanonicalOctetsMax> buffer;
  const std::string_view canonical = canonical_target(target, buffer);
  if (canonical == kRobotsTxt) return decision;
  const std::uint32_t found = data_->matcher.find(canonical);
  if (found == kNone) return decision;
  const Source& source = data_->sources[found];
  decision.allowed = source.allow;
  decision.rule = source.text.of(data_->text);
  decision.line = source.line;
  return decision;
}

std::string_view Rules::group() const {
  return data_->group;
}
std::optional<double> Rules::crawl_delay() const {
  return data_->crawl_delay;
}
std::span<const base::RequestRate> Rules::request_rates() const {
  return data_->rates;
}
std::span<const base::DailyWindow> Rules::visit_times() const {
  return data_->visits;
}
std::span<const std::string> Rules::sitemaps() const {
  return data_->sitemaps;
}
std::span<const Warning> Rules::warnings() const {
  return data_->warnings.all();
}
std::size_t Rules::warning_count() const {
  return data_->warnings.count();
}
std::size_t Rules::rule_count() const {
  return data_->sources.size();
}

std::vector<Rules::Rule> Rules::listing(std::size_t most) const {
  std::vector<Rule> rules;
  rules.reserve(data_->sources.size());
  for (const Source& source : data_->sources) {
    rules.push_back({source.text.of(data_->text), source.line, source.allow});
  }
  std::ranges::sort(rules, {}, &Rule::line);
  rules.resize(std::min(rules.size(), most));
  return rules;
}

std::size_t Rules::octets() const {
  std::size_t sum = sizeof(Data) + data_->text.capacity() + data_->sources.capacity() * sizeof(Source) +
                    data_->matcher.octets() + data_->rates.capacity() * sizeof(base::RequestRate) +
                    data_->visits.capacity() * sizeof(base::DailyWindow);
  for (const std::string& sitemap : data_->sitemaps) sum += sizeof sitemap + sitemap.capacity();
  for (const Warning& warning : data_->warnings.all()) sum += sizeof warning + warning.text.capacity();
  return sum;
}

std::vector<base::Url> resolved_sitemaps(const Rules& rules, const base::Url& robots_url) {
  std::vector<base::Url> urls;
  base::StringSet seen;
  for (const std::string& value : rules.sitemaps()) {
    const auto url = base::Url::resolve(value, robots_url);
    if (url && seen.emplace(url->text()).second) urls.push_back(*url);
  }
  return urls;
}

}  // namespace robots
