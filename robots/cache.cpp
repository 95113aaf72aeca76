#include "robots/cache.h"

#include "robots/standing.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace robots {
namespace {

constexpr std::size_t kProbeLetters = 24;

base::Url url_on(const base::Origin& origin, std::string_view path) {
  auto url = base::Url::parse(std::string(origin.text()).append(path));
  assert(url);  // an origin is canonical, and the path is ours
  return *std::move(url);
}

/// A path that no site has.
std::string random_path(base::Random& random) {
  std::string path = "/";
  for (std::size_t i = 0; i < kProbeLetters; ++i) {
    const std::uint64_t letter = random.below(26);
    path.push_back(static_cast<char>('a' + letter));
  }
  return path;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

/// One origin: where it stands, and the fetch under way, which may take several requests.
struct Cache::Entry {
  base::Origin origin;
  Standing standing;

  bool in_flight = false;
  Purpose purpose = Purpose::robots_txt;  ///< of the request in flight, or else of the next one
  base::Url url;                          ///< of a redirect hop; empty: robots.txt itself
  std::vector<std::string> trail;         ///< URLs that redirected
  std::optional<base::TimePoint> step;    ///< when a started fetch goes on; none: standing.due starts one
  std::size_t octets = 0;

  base::TimePoint due() const { return step.value_or(standing.due); }
  base::Url current() const { return url.empty() ? url_on(origin, "/robots.txt") : url; }
  /// The fetch is over.
  void rest() {
    purpose = Purpose::robots_txt;
    url = {};
    trail.clear();
    step.reset();
  }
};

std::string_view to_string(Access access) {
  switch (access) {
    case Access::unknown: return "unknown";
    case Access::rules: return "rules";
    case Access::stale_rules: return "stale_rules";
    case Access::allow_all: return "allow_all";
    case Access::defer: return "defer";
  }
  return "";
}

std::string_view to_string(Purpose purpose) {
  switch (purpose) {
    case Purpose::robots_txt: return "robots_txt";
    case Purpose::probe_root: return "probe_root";
    case Purpose::probe_random: return "probe_random";
  }
  return "";
}

Cache::Cache(std::vector<std::string> tokens, const config::Robots& options, std::size_t octets_max)
    : tokens_(std::move(tokens)), options_(options), octets_max_(octets_max) {}

Cache::~Cache() = default;

/// The entry of `origin`, now the most recently used; entries_.end() when there is none.
Cache::Entries::iterator Cache::find(const base::Origin& origin) {
  const auto found = by_origin_.find(origin.text());
  if (found == by_origin_.end()) return entries_.end();
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second;
}

/// A new entry, the most recently used.
Cache::Entries::iterator Cache::add(const base::Origin& origin) {
  entries_.push_front({});
  entries_.front().origin = origin;
  by_origin_.emplace(origin.text(), entries_.begin());
  return entries_.begin();
}

const Cache::Entry* Cache::peek(const base::Origin& origin) const {
  const auto found = by_origin_.find(origin.text());
  return found == by_origin_.end() ? nullptr : &*found->second;
}

Verdict Cache::check(const base::Url& url, base::TimePoint) {
  const auto found = by_origin_.find(url.origin_text());
  if (found == by_origin_.end()) return {Access::unknown, {false, {}, {}, 0}};
  entries_.splice(entries_.begin(), entries_, found->second);
  const Standing& standing = found->second->standing;
  switch (standing.access) {
    case Access::rules:
    case Access::stale_rules: return {standing.access, standing.copy->check(url.target())};
    case Access::allow_all: return {standing.access, {}};
    case Access::unknown:
    case Access::defer: break;
  }
  return {standing.access, {false, {}, {}, 0}};
}

Access Cache::access(const base::Origin& origin) const {
  const Entry* const entry = peek(origin);
  return entry == nullptr ? Access::unknown : entry->standing.access;
}

std::optional<base::TimePoint> Cache::due(const base::Origin& origin, base::TimePoint now) const {
  const Entry* const entry = peek(origin);
  if (entry == nullptr) return now;
  if (entry->in_flight) return std::nullopt;
  return entry->standing.access == Access::unknown ? std::min(entry->due(), now) : entry->due();
}

std::optional<Want> Cache::want(const base::Origin& origin, base::TimePoint now, base::Random& random) {
  const auto due_at = due(origin, now);
  if (!due_at || *due_at > now) return std::nullopt;
  auto found = find(origin);
  if (found == entries_.end()) found = add(origin);
  Entry& entry = *found;
  entry.in_flight = true;
  Want want;
  want.purpose = entry.purpose;
  switch (entry.purpose) {
    case Purpose::robots_txt: want.url = entry.current(); break;
    case Purpose::probe_root: want.url = url_on(origin, "/"); break;
    case Purpose::probe_random: want.url = url_on(origin, random_path(random)); break;
  }
  if (entry.purpose == Purpose::robots_txt && entry.trail.empty()) {
    want.etag = entry.standing.etag;
    want.last_modified = entry.standing.last_modified;
  }
  return want;
}

Learned Cache::learn(const base::Origin& origin, Answer answer, base::TimePoint now, base::Random& random) {
  const auto found = find(origin);
  if (found == entries_.end() || !found->in_flight) return Learned::settled;
  Entry& entry = *found;
  entry.in_flight = false;
  const auto learned = [&] {
    if (entry.purpose != Purpose::robots_txt) return learn_probe(entry, answer, now);
    if (is_redirect(answer.status)) return learn_redirect(entry, answer, now);
    return learn_file(entry, answer, now, random);
  }();
  weigh(entry);
  evict();
  return learned;
}

Learned Cache::learn_file(Entry& entry, const Answer& answer, base::TimePoint now, base::Random& random) {
  Standing& standing = entry.standing;
  const int status = answer.status;
  const bool direct = entry.trail.empty();
  const bool refused = status == 429 && options_.status_429 == config::Status429::defer;
  entry.rest();
  if (status >= 200 && status <= 299) {
    standing.read(answer, direct, tokens_, options_, now);
    return Learned::read;
  }
  if (status == 304 && standing.copy && direct) {
    standing.renew(answer, now);
  } else if (status >= 300 && status <= 399 && status != 304) {
    standing.miss(answer, Missing::astray, now);  // 300, 305, 306 …: a redirect that nobody can follow
  } else if (status >= 400 && status <= 499 && !refused) {
    standing.miss(answer, Missing::answered, now);
  } else if (standing.fail(answer, options_, now, random)) {
    entry.purpose = Purpose::probe_root;
    entry.step = answer.retry_after ? standing.due : now;
    if (entry.step == now) return Learned::goes_on;
  }
  return Learned::settled;
}

Learned Cache::learn_redirect(Entry& entry, const Answer& answer, base::TimePoint now) {
  const base::Url from = entry.current();
  entry.trail.emplace_back(from.text());
  auto next = base::Url::resolve(answer.location, from);
  const bool astray = answer.location.empty() || !next || entry.trail.size() > options_.max_redirects ||
                      std::ranges::find(entry.trail, next->text()) != entry.trail.end();
  if (astray) {
    entry.rest();
    entry.standing.miss(answer, Missing::astray, now);
    return Learned::settled;
  }
  entry.url = *std::move(next);
  entry.step = now;
  return Learned::goes_on;
}

/// Does a server that gives 5xx for robots.txt do so for whatever it does not have? `/` has to work, and a
/// path that cannot exist has to give the same 5xx.
Learned Cache::learn_probe(Entry& entry, const Answer& answer, base::TimePoint now) {
  Standing& standing = entry.standing;
  const bool found = answer.status >= 200 && answer.status <= 299;
  if (entry.purpose == Purpose::probe_root && found) {
    entry.purpose = Purpose::probe_random;
    entry.step = now;
    return Learned::goes_on;
  }
  const bool same = entry.purpose == Purpose::probe_random && answer.status == standing.status;
  entry.rest();
  if (same) {
    standing.miss(answer, Missing::probed, now);
  } else if (answer.status == 0) {
    standing.only_5xx_since.reset();
  }
  return Learned::settled;
}

void Cache::forget_flight(const base::Origin& origin) {
  const auto found = find(origin);
  if (found != entries_.end()) found->in_flight = false;
}

std::optional<Saved> Cache::saved(const base::Origin& origin) const {
  const Entry* const entry = peek(origin);
  if (entry == nullptr || entry->standing.access == Access::unknown) return std::nullopt;
  Saved saved = entry->standing;
  saved.has_copy = entry->standing.copy.has_value();
  return saved;
}

void Cache::restore(const base::Origin& origin, Saved saved, std::string_view body) {
  const bool needs_copy = saved.access == Access::rules || saved.access == Access::stale_rules;
  // A file that was not empty and is empty now would allow all that it forbade.
  const bool lost = needs_copy && (!saved.has_copy || (body.empty() && saved.missing != Missing::empty));
  if (saved.access == Access::unknown || lost || peek(origin) != nullptr) return;
  Entry& entry = *add(origin);
  static_cast<Saved&>(entry.standing) = std::move(saved);
  if (entry.standing.has_copy) {
    entry.standing.copy = Rules::parse(body, tokens_, options_);
  } else {  // validators of nothing would bring a 304 for nothing
    entry.standing.etag.clear();
    entry.standing.last_modified.clear();
  }
  weigh(entry);
  evict();
}

void Cache::weigh(Entry& entry) {
  octets_ -= entry.octets;
  entry.octets = entry.standing.copy ? entry.standing.copy->octets() : 0;
  octets_ += entry.octets;
}

/// Makes room. An entry in flight stays, and so does the one just used.
void Cache::evict() {
  auto last = entries_.end();
  while ((entries_.size() > options_.cache_entries || octets_ > octets_max_) && last != entries_.begin()) {
    --last;
    if (last == entries_.begin()) break;
    if (last->in_flight) continue;
    octets_ -= last->octets;
    by_origin_.erase(by_origin_.find(last->origin.text()));
    last = entries_.erase(last);
  }
}

const Rules* Cache::rules(const base::Origin& origin) const {
  const Entry* const entry = peek(origin);
  if (entry == nullptr) return nullptr;
  const Standing& standing = entry->standing;
  const bool in_force = standing.access == Access::rules || standing.access == Access::stale_rules;
  return in_force ? &*standing.copy : nullptr;
}

std::string Cache::explain(const base::Origin& origin, base::TimePoint now) const {
  const Entry* const entry = peek(origin);
  if (entry == nullptr) return to_text({}, now);
  std::string text = to_text(entry->standing, now);
  if (entry->in_flight || entry->step) {
    text += entry->purpose == Purpose::robots_txt ? ", being asked" : ", being probed";
  }
  return text;
}

std::size_t Cache::size() const {
  return entries_.size();
}

}  // namespace robots
