#include "robots/standing.h"

#include "base/backoff.h"
#include "base/time_text.h"

#include <algorithm>

namespace robots {
namespace {

using namespace std::chrono_literals;

constexpr base::Backoff kRetry{1min, 6h};
constexpr base::Duration kRetryAfterMin = 5s;
constexpr base::Duration kRetryAfterMax = 24h;
constexpr unsigned kRetryAfterTrusted = 3;  // failures in a row at which a short Retry-After is believed
constexpr base::Duration kFreshMin = 5min;
constexpr base::Duration kFreshMax = 24h;

base::Duration lifetime_of(const Answer& answer, base::Duration otherwise) {
  return answer.max_age ? std::clamp(*answer.max_age, kFreshMin, kFreshMax) : otherwise;
}

/// As exact as a person wants it: `23h59m`, `4m10s`, `12s`.
std::string rough(base::Duration d) {
  d = std::max(d, base::Duration::zero());
  if (d >= 24h) return base::duration_text(std::chrono::floor<std::chrono::hours>(d));
  if (d >= 1h) return base::duration_text(std::chrono::floor<std::chrono::minutes>(d));
  return base::duration_text(std::chrono::floor<std::chrono::seconds>(d));
}

std::string rules_text(const Rules& rules) {
  const std::size_t count = rules.rule_count();
  return std::to_string(count) + (count == 1 ? " rule" : " rules");
}

}  // namespace

void Standing::end_outage() {
  failures = 0;
  first_failure.reset();
  first_5xx.reset();
  only_5xx_since.reset();
  last_probe.reset();
}

void Standing::read(const Answer& answer, bool direct, std::span<const std::string> tokens,
                    const config::Robots& options, base::TimePoint now) {
  end_outage();
  copy = Rules::parse(answer.body, tokens, options);
  etag = direct ? answer.etag : std::string();
  last_modified = direct ? answer.last_modified : std::string();
  missing = answer.body.empty() ? Missing::empty : Missing::no;
  access = answer.body.empty() ? Access::allow_all : Access::rules;
  status = answer.status;
  lifetime = lifetime_of(answer, kFreshMax);
  due = now + lifetime;
}

void Standing::renew(const Answer& answer, base::TimePoint now) {
  end_outage();
  access = missing == Missing::empty ? Access::allow_all : Access::rules;
  if (!answer.etag.empty()) etag = answer.etag;
  if (!answer.last_modified.empty()) last_modified = answer.last_modified;
  status = answer.status;
  lifetime = lifetime_of(answer, lifetime);
  due = now + lifetime;
}

void Standing::miss(const Answer& answer, Missing why, base::TimePoint now) {
  // A server that is still failing keeps its history: the next failure is not the first.
  const bool failing = why == Missing::outage || why == Missing::probed;
  if (!failing) end_outage();
  copy.reset();
  etag.clear();
  last_modified.clear();
  missing = why;
  access = Access::allow_all;
  status = answer.status;
  lifetime = failing ? kFreshMax : lifetime_of(answer, kFreshMax);
  due = now + lifetime;
}

bool Standing::fail(const Answer& answer, const config::Robots& options, base::TimePoint now,
                    base::Random& random) {
  ++failures;
  if (!first_failure) first_failure = now;
  status = answer.status;
  if (!is_5xx(status)) {
    only_5xx_since.reset();
  } else {
    if (!first_5xx) first_5xx = now;
    if (!only_5xx_since) only_5xx_since = now;
    if (now - *first_5xx >= options.unreachable_as_missing_after) {
      miss(answer, Missing::outage, now);
      return false;
    }
  }
  access = copy ? Access::stale_rules : Access::defer;
  if (!copy) missing = Missing::no;
  // A server that says when it will be back is taken at its word, a few times; after that our own patience is
  // the longer one, so that `Retry-After: 0` makes nobody hammer.
  const base::Duration ladder = kRetry.after(failures, random);
  const base::Duration asked = std::min(answer.retry_after.value_or(base::Duration::zero()), kRetryAfterMax);
  const bool trusted = answer.retry_after && failures <= kRetryAfterTrusted;
  due = now + std::max(trusted ? kRetryAfterMin : ladder, asked);

  if (!only_5xx_since || !options.probe_5xx_after) return false;
  if (now - *only_5xx_since < *options.probe_5xx_after) return false;
  if (last_probe && now - *last_probe < *options.probe_5xx_after) return false;
  last_probe = now;
  return true;
}

std::string to_text(const Standing& standing, base::TimePoint now) {
  const std::string status = standing.status == 0 ? "no answer" : std::to_string(standing.status);
  const base::Duration left = standing.due - now;
  const std::string fresh =
      left > base::Duration::zero() ? ", fresh for " + rough(left) : ", expired " + rough(-left) + " ago";
  const std::string since =
      standing.first_failure ? " since " + rough(now - *standing.first_failure) : std::string();
  const std::string retry = left > base::Duration::zero() ? ", retry in " + rough(left) : ", retry now";
  switch (standing.access) {
    case Access::unknown: return "not asked yet";
    case Access::rules: return status + ", " + rules_text(*standing.copy) + fresh;
    case Access::stale_rules: return status + since + ", old copy of " + rules_text(*standing.copy) + retry;
    case Access::defer: return status + since + retry;
    case Access::allow_all: break;
  }
  switch (standing.missing) {
    case Missing::empty: return status + ", empty" + fresh;
    case Missing::astray: return status + ", redirects lead nowhere: taken as missing" + fresh;
    case Missing::outage: return status + since + ": taken as missing" + fresh;
    case Missing::probed: return status + " where 404 is meant, as a probe showed: taken as missing" + fresh;
    case Missing::answered:
    case Missing::no: break;
  }
  return status + ", no robots.txt" + fresh;
}

}  // namespace robots
