// The story of one visit, from the lease to the one line in the log.
#include "base/time_text.h"
#include "crawler/answer.h"
#include "crawler/links.h"
#include "crawler/shard.h"

#include <algorithm>

namespace crawler {
namespace {

/// URLs that one lease may settle without a request (disallowed, blocked), so that no visit holds the thread
/// long.
constexpr std::size_t kSettledPerLease = 1'000;
/// How long an origin waits when descriptors, memory or connections are short.
constexpr base::Duration kShortOfMeans = std::chrono::seconds(5);

/// Digests of bodies are only compared with each other.
constexpr std::uint64_t kDigestKey = 0;

/// What the frontier keeps of a URL for which nothing was sent.
Ending unsent(Fate fate, base::Now now) {
  Ending ending;
  ending.fate = fate;
  ending.visited = std::chrono::duration_cast<std::chrono::seconds>(now.wall.time_since_epoch()).count();
  return ending;
}

bool reads_as_html(const fetch::Outcome& outcome) {
  std::string_view type = outcome.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  const auto is = [type](std::string_view name) {
    return std::ranges::equal(type, name, [](char a, char b) { return (a | 0x20) == b; });
  };
  if (is("text/html") || is("application/xhtml+xml")) return true;
  return type.empty() && outcome.body.find('<') < 512;
}

}  // namespace

base::Async<> Shard::visit(scheduler::Lease lease) {
  const base::Origin origin = lease.origin();
  std::optional<Business> business = next_business(origin, clock_.now());
  if (!business) {
    return_unused(std::move(lease), clock_.now());
    co_return;
  }
  std::exception_ptr bug;
  try {
    co_await carry_out(std::move(lease), *business);
  } catch (...) {
    bug = std::current_exception();
  }
  if (!bug) co_return;
  abandon(origin, *business);
  std::rethrow_exception(bug);
}

/// A visit ended as none should: nothing that it was about is lost with it.
void Shard::abandon(const base::Origin& origin, const Business& business) {
  frontier_.abandon(origin);
  frontier_.commit();
  const Errand* const errand = std::get_if<Errand>(&business);
  if (errand != nullptr) mail_.send_answer(errand->behalf, {});
}

base::Async<> Shard::carry_out(scheduler::Lease lease, Business& business) {
  const base::Origin origin = lease.origin();
  frontier_.begin_request(origin);
  frontier_.commit();
  const bool durable = co_await commits_.durable(executor_);
  if (!durable) {  // the store has failed: nothing may be sent any more
    pause();
    put_back(std::move(business));
    return_unused(std::move(lease), clock_.now());
    co_return;
  }

  const fetch::Resolved resolved = co_await fetcher_.resolve(origin);
  const base::Now begun = clock_.now();
  fetch::Outcome outcome;
  if (resolved.error != fetch::Error::none) {
    outcome.error = resolved.error;
    outcome.detail = resolved.detail;
  } else if (!queue_.admit(lease, resolved.address, begun)) {
    put_back(std::move(business));
    return_unused(std::move(lease), begun);
    co_return;
  } else {
    fetch::Request request = request_for(business, resolved.address);
    request.on_sent = [this, &lease] {
      queue_.sent(lease, clock_.now().steady);
      ++counters_.requests;
    };
    outcome = co_await fetcher_.fetch(std::move(request));
  }

  counters_.octets += outcome.wire_octets;
  if (outcome.error != fetch::Error::none) ++counters_.errors;
  if (outcome.error == fetch::Error::blocked_address || outcome.error == fetch::Error::blocked_port) {
    block(std::move(lease), std::move(business), outcome);
  } else if (Errand* errand = std::get_if<Errand>(&business)) {
    conclude(std::move(lease), *errand, std::move(outcome), begun);
  } else {
    co_await conclude(std::move(lease), std::move(std::get<Visit>(business)), std::move(outcome), begun);
  }
}

/// What to do with a lease on `origin`: an errand, robots.txt, or a page that robots.txt allows.
std::optional<Shard::Business> Shard::next_business(const base::Origin& origin, base::Now now) {
  if (const auto found = errands_.find(origin.text()); found != errands_.end()) {
    Errand errand = std::move(found->second.front());
    found->second.pop_front();
    if (found->second.empty()) errands_.erase(found);
    return errand;
  }
  if (!frontier_.ready(origin, now.steady) && !consulted_.contains(origin.text())) return std::nullopt;
  recall_robots(origin);
  const auto due = robots_.due(origin, now.steady);
  if (!due) return std::nullopt;
  if (*due > now.steady) return next_page(origin, now);

  std::optional<robots::Want> want = robots_.want(origin, now.steady, random_);
  if (!want) return std::nullopt;
  Errand errand{origin, std::move(*want)};
  if (errand.want.url.origin() == origin) return errand;
  mail_.send_errand(std::move(errand));  // a redirect led elsewhere: the lease needed is of that origin
  return std::nullopt;
}

std::optional<Shard::Business> Shard::next_page(const base::Origin& origin, base::Now now) {
  for (std::size_t settled = 0; settled < kSettledPerLease; ++settled) {
    std::optional<Item> item = frontier_.take(origin, now.steady);
    if (!item) return std::nullopt;
    if (scope_.check(item->url, item->discovery.depth) != InScope::yes) {
      drop(std::move(*item), now);
      continue;
    }
    const robots::Verdict verdict = robots_.check(item->url, now.steady);
    if (verdict.access == robots::Access::defer || verdict.access == robots::Access::unknown) {
      frontier_.put_back(std::move(*item));
      return std::nullopt;
    }
    if (verdict.decision.allowed) {
      return Visit{std::move(*item), std::string(verdict.decision.group), std::string(verdict.decision.rule),
                   verdict.decision.line};
    }
    log_unsent(*item, Fate::disallowed, verdict.decision, {}, now);
    settle(std::move(*item), unsent(Fate::disallowed, now), now);
  }
  return std::nullopt;
}

fetch::Request Shard::request_for(const Business& business, const base::IpAddress& address) const {
  fetch::Request request;
  request.address = address;
  if (const Errand* errand = std::get_if<Errand>(&business)) {
    request.url = errand->want.url;
    request.body_max = robots::kFileOctetsMax;
    request.if_none_match = errand->want.etag;
    request.if_modified_since = errand->want.last_modified;
  } else {
    const Item& item = std::get<Visit>(business).item;
    request.url = item.url;
    request.body_max = config_.network.max_body_size;
    if (item.known) {
      request.if_none_match = item.known->etag;
      request.if_modified_since = item.known->last_modified;
    }
  }
  return request;
}

void Shard::put_back(Business business) {
  if (Errand* errand = std::get_if<Errand>(&business)) {
    errands_[std::string(errand->want.url.origin_text())].push_front(std::move(*errand));
  } else {
    frontier_.put_back(std::move(std::get<Visit>(business).item));
  }
}

/// A page's exchange is over. What it leads to is in the store before it counts as done with.
base::Async<> Shard::conclude(scheduler::Lease lease, Visit visit, fetch::Outcome outcome, base::Now begun) {
  const base::Now ended = clock_.now();
  const base::Origin origin = lease.origin();
  Judgement judgement = judge(outcome, visit.item.attempts);
  scheduler::Feedback feedback{judgement.health, std::nullopt, ended.steady};
  if (judgement.health == scheduler::Health::overloaded) {
    feedback.retry_after = base::parse_retry_after(outcome.headers.get("Retry-After"), ended.wall);
  }
  std::vector<Offer> found = found_by(visit, outcome, judgement);
  const std::size_t links = found.size();
  if (links > 0) {
    std::vector<Offer> own = co_await mail_.deliver(*this, std::move(found));
    take_offers(std::move(own), clock_.now());
  }

  const base::Now now = clock_.now();
  if (outcome.error == fetch::Error::resources) queue_.pause(origin, now.steady + kShortOfMeans, now);
  if (judgement.fate != Fate::retry) {
    Ending ending = unsent(judgement.fate, ended);
    ending.status = outcome.status;
    if (judgement.fate == Fate::given_up) ending.reason = failure_word(outcome);
    if (judgement.fate == Fate::fetched) {
      ending.digest = base::keyed_hash(outcome.body, kDigestKey);
      ending.etag = outcome.headers.get("ETag");
      ending.last_modified = outcome.headers.get("Last-Modified");
      if (visit.item.known && visit.item.known->digest == ending.digest) ending.fate = Fate::unchanged;
    }
    log_visit(visit, ending.fate, outcome, begun, ended, links);
    settle(std::move(visit.item), ending, now);
  } else {
    log_visit(visit, judgement.fate, outcome, begun, ended, links);
    ++counters_.fates[static_cast<std::size_t>(Fate::retry)];
    try_again(std::move(visit.item), judgement.attempt ? &ladder_of(outcome).wait : nullptr, now);
  }
  end_turn(std::move(lease), feedback, now);
}

/// `ladder` null: a 429, a 503 or an end of ours says nothing about the URL, and its place is as before.
void Shard::try_again(Item item, const base::Backoff* ladder, base::Now now) {
  if (ladder == nullptr) {
    frontier_.put_back(std::move(item));
    return;
  }
  const base::Duration wait = ladder->after(++item.attempts, random_);
  if (frontier_.retry(std::move(item), now.steady + wait)) mail_.owe(1);
}

/// An exchange for somebody's robots.txt is over.
void Shard::conclude(scheduler::Lease lease, const Errand& errand, fetch::Outcome outcome, base::Now begun) {
  const base::Now now = clock_.now();
  const base::Origin origin = lease.origin();
  ++counters_.robots_requests;
  scheduler::Feedback feedback{judge(outcome, 0).health, std::nullopt, now.steady};
  if (outcome.error == fetch::Error::resources) queue_.pause(origin, now.steady + kShortOfMeans, now);
  if (outcome.error == fetch::Error::cancelled) {  // we are stopping: this says nothing about the origin
    if (errand.behalf == origin) robots_.forget_flight(origin);
    end_turn(std::move(lease), feedback, now);
    return;
  }
  log_robots(errand, outcome, begun, now);
  robots::Answer answer = to_answer(std::move(outcome), now.wall);
  feedback.retry_after = answer.retry_after;
  if (&mail_.owner(errand.behalf.host()) != this) {
    mail_.send_answer(errand.behalf, std::move(answer));
    end_turn(std::move(lease), feedback, now);
    return;
  }
  activate(errand.behalf, now);
  learn(errand.behalf, std::move(answer), now);
  if (errand.behalf == origin && feedback.health == scheduler::Health::overloaded) {
    // ROBOTS.md §8 has its own ladder for robots.txt itself; the host's pause lasts as long.
    if (const auto due = robots_.due(origin, now.steady)) {
      feedback.retry_after = std::max(*due - now.steady, base::Duration::zero());
    }
  }
  end_turn(std::move(lease), feedback, now);
}

/// Nothing at `origin` may be connected to: its URLs are settled, nothing is sent.
void Shard::block(scheduler::Lease lease, Business business, const fetch::Outcome& outcome) {
  const base::Now now = clock_.now();
  const base::Origin origin = lease.origin();
  const std::string why = std::string(fetch::to_string(outcome.error)) + ": " + outcome.detail;
  if (Errand* errand = std::get_if<Errand>(&business)) {
    log_robots(*errand, outcome, now, now);
    if (errand->behalf == origin) {
      robots_.forget_flight(origin);
      if (consulted_.erase(std::string(origin.text())) > 0) mail_.owe(-1);
    } else {
      mail_.send_answer(errand->behalf, {});  // a redirect that leads inside is an unreachable robots.txt
    }
  } else {
    put_back(std::move(business));
  }
  for (std::size_t settled = 0; settled < kSettledPerLease; ++settled) {
    std::optional<Item> item = frontier_.take(origin, now.steady);
    if (!item) break;
    log_unsent(*item, Fate::blocked, {}, why, now);
    settle(std::move(*item), unsent(Fate::blocked, now), now);
  }
  return_unused(std::move(lease), now);
}

/// What a page leads to; a redirect that leads nowhere changes the judgement.
std::vector<Offer> Shard::found_by(const Visit& visit, const fetch::Outcome& outcome, Judgement& judgement) {
  if (judgement.fate == Fate::fetched) return links_of(visit.item, outcome);
  if (judgement.fate != Fate::redirected) return {};
  auto target = base::Url::resolve(outcome.headers.get("Location"), visit.item.url);
  if (!target || visit.item.discovery.redirects >= kRedirectsMax) {
    judgement.fate = Fate::refused;
    return {};
  }
  Discovery discovery = visit.item.discovery;
  ++discovery.redirects;
  discovery.how = How::redirect;
  std::vector<Offer> offers;
  offers.push_back({std::move(*target), discovery});
  return offers;
}

std::vector<Offer> Shard::links_of(const Item& item, const fetch::Outcome& outcome) {
  if (!reads_as_html(outcome)) return {};
  const auto& tokens = config_.agent.tokens;
  // A line each: a `token:` in X-Robots-Tag reaches to the end of its own field only.
  if (read_robots_tag(outcome.headers.joined("X-Robots-Tag", "\n"), tokens).nofollow) return {};
  crawler::Page found = read_page(outcome.body, item.url, tokens);
  if (found.rules.nofollow) return {};
  const Discovery discovery{item.discovery.depth + 1, 0, item.discovery.weight, How::link, false};
  std::vector<Offer> offers;
  offers.reserve(found.links.size());
  for (Link& link : found.links) {
    if (link.nofollow) continue;
    if (!scope_.possible(link.url)) {
      ++counters_.out_of_scope;
      continue;
    }
    offers.push_back({std::move(link.url), discovery});
  }
  return offers;
}

}  // namespace crawler
