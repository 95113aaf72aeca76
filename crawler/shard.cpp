// Leases, offers and answers. Which origins are in memory is in shard_origins.cpp, the story of one visit in
// visit.cpp.
#include "crawler/shard.h"

#include "base/site.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace crawler {
namespace {

/// Even when nothing is due, time of day and clock steps are looked at this often.
constexpr base::Duration kLookAround = std::chrono::seconds(30);
/// ... and so often while most places are taken, to see whose patience has ended.
constexpr base::Duration kLookWhenFull = std::chrono::seconds(1);
constexpr base::Backoff kProxyAway{std::chrono::seconds(5), std::chrono::minutes(5)};
/// Of a shard's memory, one part in so many goes to robots.txt and to waiting origins; the frontier has the
/// rest.
constexpr std::uint64_t kRobotsShare = 8;
constexpr std::uint64_t kWaitingShare = 8;
constexpr std::uint64_t kWaitingOctets = 64;

Frontier::Parts less_memory(Frontier::Parts parts) {
  parts.memory -= parts.memory / kRobotsShare + parts.memory / kWaitingShare;
  return parts;
}

FindOptions find_options(const config::Config& config) {
  return {{config.agent.tokens, config.scope.embeds}, config.scope, config.traps};
}

}  // namespace

Shard::Shard(const Parts& parts)
    : executor_(parts.executor),
      config_(parts.config),
      clock_(parts.clock),
      fetcher_(parts.fetcher),
      mail_(parts.mail),
      commits_(parts.commits),
      log_(parts.log),
      archive_(parts.archive),
      crawl_log_(parts.crawl_log),
      number_(parts.number),
      not_before_(parts.not_before),
      visits_max_(parts.visits_max),
      random_(parts.seed),
      scope_(parts.config.scope, parts.config.seeds),
      find_(find_options(parts.config)),
      robots_(parts.config.agent.tokens, parts.config.robots, parts.frontier.memory / kRobotsShare),
      frontier_(less_memory(parts.frontier)),
      queue_(parts.config.politeness, parts.addresses, random_),
      waiting_max_(parts.frontier.memory / kWaitingShare / kWaitingOctets),
      alarm_(parts.clock.alarm(parts.executor)),
      tasks_(parts.executor, parts.clock, [this](std::exception_ptr escaped) {
        ++counters_.bugs;
        base::Line line(base::Level::error, "bug");
        try {
          std::rethrow_exception(std::move(escaped));
        } catch (const std::exception& failure) {
          line.text("what", failure.what());
        } catch (...) {
          line.text("what", "not a std::exception");
        }
        log_.write(line, clock_.now().wall);
        alarm_->ring();
      }) {
  for (const std::string& host : frontier_.followed()) scope_.follow_seed(host);
}

Shard::~Shard() = default;

base::Async<> Shard::run() {
  while (!draining_) {
    const base::Now now = clock_.now();
    const base::TimePoint until = look(now);
    if (until <= now.steady) {
      co_await boost::asio::post(executor_, base::use_async);  // an alarm would not let others in between
    } else {
      co_await alarm_->wait_until(until);
    }
  }
  co_await tasks_.join();
}

/// Begins what is due, and tells when to look again.
base::TimePoint Shard::look(base::Now now) {
  try {
    base::TimePoint until = now.steady + kLookAround;
    const base::TimePoint not_before = std::max(not_before_, proxy_again_);
    if (now.steady < not_before) {
      until = std::min(until, not_before);
    } else if (!paused_) {
      until = std::min(until, begin_visits(now));
    }
    frontier_.commit();
    return until;
  } catch (const std::bad_alloc&) {  // what did not begin begins later
    log_.write(base::Line(base::Level::error, "memory").text("why", "there is none left"), now.wall);
    return now.steady + kLookWhenFull;
  }
}

bool Shard::site_is_busy(const base::Origin& origin) const {
  const auto found = visits_of_sites_.find(base::site_of(origin.host()));
  return found != visits_of_sites_.end() &&
         found->second >= std::max<std::size_t>(1, visits_max_ / kSitePartOfVisits);
}

/// A proxy that does not serve is no matter of one origin: all wait, longer each time.
void Shard::note_proxy(fetch::Error error, base::Now now) {
  if (error == fetch::Error::proxy) {
    proxy_again_ = now.steady + kProxyAway.after(++proxy_failures_, random_);
    return;
  }
  // These end an exchange before the proxy has had its chance.
  const bool silent = error == fetch::Error::resources || error == fetch::Error::cancelled ||
                      error == fetch::Error::slow || error == fetch::Error::not_now;
  if (!silent) proxy_failures_ = 0;
}

base::TimePoint Shard::begin_visits(base::Now now) {
  base::TimePoint until = base::TimePoint::max();
  load_cold(now);
  if (!wake_waiting(now)) until = now.steady;
  // Exchanges that go on and on leave a quarter of the places to others.
  const std::size_t at_ease = std::max<std::size_t>(1, visits_max_ - visits_max_ / 4);
  if (tasks_.size() > at_ease) {
    const auto waiting = queue_.next_due(now);
    if (waiting && *waiting <= now.steady) fetcher_.hurry(at_ease);
    until = std::min(until, now.steady + kLookWhenFull);
  }
  // While the proxy is away one visit at a time finds out whether it is back.
  const std::size_t most = proxy_failures_ > 0 ? 1 : visits_max_;
  bool begun = false;
  while (tasks_.size() < most) {
    // What could not be sent at all before is not late.
    const base::TimePoint able = std::max({resumed_, not_before_, proxy_again_});
    const base::TimePoint due = std::max(queue_.next_due(now).value_or(now.steady), able);
    std::optional<scheduler::Lease> lease = queue_.next(now);
    if (!lease) break;
    if (const auto held = held_by_order(lease->origin(), now)) {
      queue_.pause(lease->origin(), *held, now);
      return_unused(std::move(*lease), now);
      continue;
    }
    if (site_is_busy(lease->origin())) {
      queue_.pause(lease->origin(), now.steady + kShortOfMeans, now);
      return_unused(std::move(*lease), now);
      continue;
    }
    tasks_.spawn(visit(std::move(*lease), due));
    begun = true;
  }
  // A visit that found nothing to do has ended, but gives its place back only in a moment.
  if (begun && tasks_.size() >= most) return now.steady;
  if (const auto due = queue_.next_due(now); due && tasks_.size() < most) until = std::min(until, *due);
  if (const auto first = calendar_.first(); first && !frontier_.full()) until = std::min(until, first->due);
  return std::min(until, cold_next_);
}

void Shard::drain() {
  draining_ = true;
  alarm_->ring();
}

void Shard::pause() {
  paused_ = true;
}

void Shard::resume() {
  if (paused_) resumed_ = clock_.now().steady;
  paused_ = false;
  alarm_->ring();
}

void Shard::offer(std::vector<Offer> offers) {
  take_offers(std::move(offers), clock_.now());
  frontier_.commit();
}

/// The caller commits.
void Shard::take_offers(std::vector<Offer> offers, base::Now now) {
  std::int64_t queued = 0;
  std::string woken;
  base::Origin origin;
  for (Offer& offer : offers) {
    if (offer.discovery.seed && scope_.follow_seed(offer.url.host()))
      frontier_.keep_followed(offer.url.host());
    if (!offer.discovery.sitemap && scope_.check(offer.url, offer.discovery.depth) != InScope::yes) {
      ++counters_.out_of_scope;
      continue;
    }
    // A date to come says nothing, and would be news at each reading.
    if (offer.modified && *offer.modified > std::chrono::system_clock::to_time_t(now.wall))
      offer.modified.reset();
    if (origin.text() != offer.url.origin_text()) origin = offer.url.origin();
    switch (frontier_.offer(std::move(offer), listing(now))) {
      case Offered::seen: ++counters_.seen; break;
      case Offered::over_origin_budget:
      case Offered::over_domain_budget: ++counters_.over_budget; break;
      case Offered::over_query_budget: ++counters_.traps; break;
      case Offered::queued:
        ++queued;
        ++counters_.queued;
        [[fallthrough]];
      case Offered::hastened:
        if (woken == origin.text()) break;
        woken = origin.text();
        wake(origin, now);
        break;
    }
  }
  if (queued > 0) mail_.owe(queued);
}

void Shard::accept(Errand errand) {
  const base::Origin origin = errand.want.url.origin();
  std::deque<Errand>& waiting = errands_[std::string(origin.text())];
  if (waiting.size() >= kErrandsMax) {  // as unreachable: asked for again, later
    mail_.send_answer(errand.behalf, {});
    return;
  }
  waiting.push_back(std::move(errand));
  activate(origin, clock_.now());
  frontier_.commit();
}

void Shard::answer(const base::Origin& behalf, robots::Answer answer) {
  const base::Now now = clock_.now();
  activate(behalf, now);
  learn(behalf, std::move(answer), now);
  frontier_.commit();
}

void Shard::consult(const base::Origin& origin) {
  if (consulted_.emplace(origin.text()).second) mail_.owe(1);
  activate(origin, clock_.now());
  frontier_.commit();
}

void Shard::set_scope(const config::Config& config) {
  scope_ = Scope(config.scope, config.seeds);
  for (const std::string& host : frontier_.followed()) scope_.follow_seed(host);
  find_ = {find_.page, config.scope, config.traps};
  find_.page.embeds = config.scope.embeds;
  frontier_.set_options(config.scope, config.recrawl, config.traps);
}

Report Shard::report() const {
  const base::Now now = clock_.now();
  Report report;
  report.counters = counters_;
  report.hosts = queue_.census(now);
  report.urls = frontier_.tally();
  report.held_origins = frontier_.held_origins();
  report.waiting_origins = calendar_.size();
  report.frontier_octets = frontier_.octets();
  report.damaged = frontier_.damaged();
  report.robots_entries = robots_.size();
  report.next = queue_.longest_first(now);
  // An origin that was put away is due earlier than the queue knows.
  const auto first = calendar_.first();
  if (first && (!report.next || first->due < report.next->second.due)) {
    if (auto origin = frontier_.name_of({first->partition, first->origin, first->due}))
      report.next = {std::move(*origin), {first->due, scheduler::Waiting::pause}};
  }
  return report;
}

/// What scope and robots.txt say.
Explanation Shard::verdict_on(const base::Url& url, base::Now now) {
  Explanation out;
  out.in_scope = scope_.check(url, 0);
  const robots::Verdict verdict = robots_.check(url, now.steady);
  out.access = verdict.access;
  out.allowed = verdict.decision.allowed;
  out.group = verdict.decision.group;
  out.rule = verdict.decision.rule;
  out.line = verdict.decision.line;
  out.robots = robots_.explain(url.origin(), now.steady);
  return out;
}

Explanation Shard::explain(const base::Url& url) {
  const base::Now now = clock_.now();
  const base::Origin origin = url.origin();
  Explanation out = verdict_on(url, now);
  out.interval = queue_.interval(origin, now.wall);
  queue_.wake(origin, now);  // when would it be due, had it something to do?
  base::TimePoint due = std::max(queue_.status(origin, now).due, now.steady);
  if (out.access == robots::Access::defer) due = std::max(due, robots_.due(origin, now.steady).value_or(due));
  out.next = now.wall_at(due);
  return out;
}

bool Shard::wants_turn(const base::Origin& origin, base::Now now) {
  if (errands_.contains(origin.text())) return true;
  if (!frontier_.ready(origin, now.steady) && !consulted_.contains(origin.text())) return false;
  recall_robots(origin);
  const auto due = robots_.due(origin, now.steady);
  if (!due) return false;  // asked for at this moment: the answer will wake the origin
  return *due <= now.steady || robots_.access(origin) != robots::Access::defer;
}

void Shard::end_turn(scheduler::Lease lease, const scheduler::Feedback& feedback, base::Now now) {
  const base::Origin origin = lease.origin();
  const bool more = wants_turn(origin, now);
  queue_.finish(std::move(lease), feedback, more, now);
  frontier_.end_request(origin, queue_.state(origin));
  if (more) {
    make_room(origin, now);
  } else {
    rest(origin, now);
  }
  frontier_.commit();
  alarm_->ring();
}

void Shard::return_unused(scheduler::Lease lease, base::Now now) {
  const base::Origin origin = lease.origin();
  const bool more = wants_turn(origin, now);
  queue_.give_back(std::move(lease), more, now);
  frontier_.end_request(origin, queue_.state(origin));
  if (more) {
    make_room(origin, now);
  } else {
    rest(origin, now);
  }
  frontier_.commit();
  alarm_->ring();
}

void Shard::settle(Item item, const Ending& ending, base::Now now) {
  ++counters_.fates[static_cast<std::size_t>(ending.fate)];
  if (frontier_.settle(std::move(item), ending, now.steady)) mail_.owe(-1);
}

/// The item was queued under another configuration, and is as if it had never been found.
void Shard::drop(Item item, base::Now now) {
  ++counters_.fates[static_cast<std::size_t>(Fate::out_of_scope)];
  log_unsent(item, Fate::out_of_scope, {}, "the configuration has changed", now);
  if (frontier_.forget(std::move(item))) mail_.owe(-1);
}

/// An answer for `origin`'s robots.txt: its pace may be another now.
void Shard::learn(const base::Origin& origin, robots::Answer answer, base::Now now) {
  const std::string body = answer.status >= 200 && answer.status < 300 ? answer.body : std::string();
  const robots::Learned learned = robots_.learn(origin, std::move(answer), now.steady, random_);
  queue_.set_pace(origin, pace_of(origin), now);
  if (learned == robots::Learned::goes_on) return;
  if (const auto saved = robots_.saved(origin)) {
    frontier_.keep_robots(origin, *saved, learned == robots::Learned::read ? &body : nullptr);
  }
  log_verdict(origin, now);
  offer_sitemaps(origin);
  if (consulted_.erase(std::string(origin.text())) > 0) mail_.owe(-1);
}

/// Of an origin that belongs to the crawl: others only have their robots.txt read because somebody's sitemap
/// lies there, or to be explained.
void Shard::offer_sitemaps(const base::Origin& origin) {
  if (!config_.sitemaps.enabled || robots_.access(origin) == robots::Access::defer) return;
  const auto root = base::Url::parse(std::string(origin.text()) + "/");
  if (!root || scope_.check(*root, 0) != InScope::yes || consulted_.contains(origin.text())) return;
  const robots::Rules* const rules = robots_.rules(origin);
  std::vector<Offer> offers = sitemap_offers(
      origin, rules != nullptr ? rules->sitemaps() : std::span<const std::string>(), config_.sitemaps.guess);
  if (!offers.empty()) mail_.send_offers(std::move(offers), {});
}

scheduler::Pace Shard::pace_of(const base::Origin& origin) const {
  scheduler::Wishes wishes;
  if (const robots::Rules* rules = robots_.rules(origin)) {
    wishes.rates.assign(rules->request_rates().begin(), rules->request_rates().end());
    wishes.crawl_delay = rules->crawl_delay();
    wishes.visit_times.assign(rules->visit_times().begin(), rules->visit_times().end());
  }
  const Order* const order = orders_->find(origin.host());
  if (order == nullptr || order->delay == base::Duration::zero()) {
    return {wishes, config_.politeness, origin.host(), config_.robots.honour_visit_time};
  }
  // The operator's delay is one more floor.
  config::Politeness slower = config_.politeness;
  const config::HostOverride* const by_hand = slower.host_override(origin.host());
  config::HostOverride with_delay = by_hand != nullptr ? *by_hand : config::HostOverride{};
  with_delay.hard_minimum = std::max(order->delay, with_delay.hard_minimum.value_or(slower.hard_minimum));
  slower.hosts.insert_or_assign(std::string(origin.host()), with_delay);
  return {wishes, slower, origin.host(), config_.robots.honour_visit_time};
}

}  // namespace crawler
