// Whose turn it is: leases, rests and wake-ups. The story of one visit is in visit.cpp.
#include "crawler/shard.h"

#include <algorithm>

namespace crawler {
namespace {

/// Even when nothing is due, time of day and clock steps are looked at this often.
constexpr base::Duration kLookAround = std::chrono::seconds(30);

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
  requests += other.requests;
  robots_requests += other.robots_requests;
  octets += other.octets;
  errors += other.errors;
  out_of_scope += other.out_of_scope;
  over_budget += other.over_budget;
  bugs += other.bugs;
  for (std::size_t i = 0; i < kFates; ++i) fates[i] += other.fates[i];
  return *this;
}

Shard::Shard(const Parts& parts)
    : executor_(parts.executor),
      config_(parts.config),
      clock_(parts.clock),
      fetcher_(parts.fetcher),
      mail_(parts.mail),
      log_(parts.log),
      visits_max_(parts.visits_max),
      random_(parts.seed),
      scope_(parts.config.scope, parts.config.seeds),
      robots_(parts.config.agent.tokens, parts.config.robots),
      frontier_(parts.key, parts.config.scope.max_urls_per_origin),
      queue_(parts.config.politeness, parts.addresses, random_),
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
      }) {}

Shard::~Shard() = default;

base::Async<> Shard::run() {
  while (!draining_) {
    const base::Now now = clock_.now();
    wake_rested(now);
    while (tasks_.size() < visits_max_) {
      std::optional<scheduler::Lease> lease = queue_.next(now);
      if (!lease) break;
      tasks_.spawn(visit(std::move(*lease)));
    }
    base::TimePoint until = now.steady + kLookAround;
    if (const auto due = queue_.next_due(now); due && tasks_.size() < visits_max_)
      until = std::min(until, *due);
    if (!resting_.empty()) until = std::min(until, resting_.top().until);
    co_await alarm_->wait_until(until);
  }
  co_await tasks_.join();
}

void Shard::drain() {
  draining_ = true;
  alarm_->ring();
}

void Shard::offer(std::vector<Offer> offers) {
  const base::Now now = clock_.now();
  std::int64_t queued = 0;
  for (Offer& offer : offers) {
    if (offer.seed) scope_.follow_seed(offer.url);
    if (scope_.check(offer.url, offer.depth) != InScope::yes) {
      ++counters_.out_of_scope;
      continue;
    }
    const base::Origin origin = offer.url.origin();
    switch (frontier_.offer(std::move(offer))) {
      case Offered::seen: break;
      case Offered::budget: ++counters_.over_budget; break;
      case Offered::queued:
        ++queued;
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
  wake(origin, clock_.now());
}

void Shard::answer(const base::Origin& behalf, robots::Answer answer) {
  const base::Now now = clock_.now();
  robots_.learn(behalf, std::move(answer), now.steady, random_);
  learned(behalf, now);
  wake(behalf, now);
}

void Shard::consult(const base::Origin& origin) {
  if (consulted_.emplace(origin.text()).second) mail_.owe(1);
  wake(origin, clock_.now());
}

Report Shard::report() const {
  const base::Now now = clock_.now();
  Report report;
  report.counters = counters_;
  report.hosts = queue_.census(now);
  report.owed = frontier_.owed();
  report.seen = frontier_.seen();
  report.next = queue_.longest_first(now);
  // An origin that rests until its robots.txt is asked for again is due earlier than the queue knows.
  if (!resting_.empty() && (!report.next || resting_.top().until < report.next->second.due)) {
    report.next = {resting_.top().origin, {resting_.top().until, scheduler::Waiting::pause}};
  }
  return report;
}

Explanation Shard::explain(const base::Url& url) {
  const base::Now now = clock_.now();
  const base::Origin origin = url.origin();
  Explanation out;
  out.in_scope = scope_.check(url, 0);
  const robots::Verdict verdict = robots_.check(url, now.steady);
  out.access = verdict.access;
  out.allowed = verdict.decision.allowed;
  out.group = verdict.decision.group;
  out.rule = verdict.decision.rule;
  out.line = verdict.decision.line;
  out.robots = robots_.explain(origin, now.steady);
  out.interval = queue_.interval(origin, now.wall);
  queue_.wake(origin, now);  // when would it be due, had it something to do?
  base::TimePoint due = std::max(queue_.status(origin, now).due, now.steady);
  if (verdict.access == robots::Access::defer)
    due = std::max(due, robots_.due(origin, now.steady).value_or(due));
  out.next = now.wall_at(due);
  return out;
}

bool Shard::wants_turn(const base::Origin& origin, base::Now now) {
  if (errands_.contains(origin.text())) return true;
  if (!frontier_.ready(origin, now.steady) && !consulted_.contains(origin.text())) return false;
  const auto due = robots_.due(origin, now.steady);
  if (!due) return false;  // asked for at this moment: the answer will wake the origin
  return *due <= now.steady || robots_.access(origin) != robots::Access::defer;
}

/// `origin` has no business now: it is woken when it has.
void Shard::rest(const base::Origin& origin, base::Now now) {
  std::optional<base::TimePoint> until = frontier_.next_retry(origin);
  const bool owed = frontier_.ready(origin, now.steady);
  if (owed && robots_.access(origin) == robots::Access::defer) until = robots_.due(origin, now.steady);
  if (!until) return;
  const auto [known, fresh] = rests_until_.try_emplace(std::string(origin.text()), *until);
  if (!fresh && known->second <= *until) return;
  known->second = *until;
  resting_.push({*until, origin});
}

void Shard::wake(const base::Origin& origin, base::Now now) {
  // The queue may have forgotten an idle origin; robots.txt has not.
  if (queue_.wake(origin, now)) queue_.set_pace(origin, pace_of(origin), now);
  alarm_->ring();
}

void Shard::wake_rested(base::Now now) {
  while (!resting_.empty() && resting_.top().until <= now.steady) {
    const base::Origin origin = resting_.top().origin;
    const base::TimePoint until = resting_.top().until;
    resting_.pop();
    const auto known = rests_until_.find(origin.text());
    if (known == rests_until_.end() || known->second != until) continue;  // told earlier since
    rests_until_.erase(known);
    wake(origin, now);
  }
}

void Shard::end_turn(scheduler::Lease lease, const scheduler::Feedback& feedback, base::Now now) {
  const base::Origin origin = lease.origin();
  const bool more = wants_turn(origin, now);
  queue_.finish(std::move(lease), feedback, more, now);
  if (!more) rest(origin, now);
  alarm_->ring();
}

void Shard::return_unused(scheduler::Lease lease, base::Now now) {
  const base::Origin origin = lease.origin();
  const bool more = wants_turn(origin, now);
  queue_.give_back(std::move(lease), more, now);
  if (!more) rest(origin, now);
  alarm_->ring();
}

void Shard::settle(const Item& item, Fate fate) {
  ++counters_.fates[static_cast<std::size_t>(fate)];
  frontier_.settle(item, fate);
  mail_.owe(-1);
}

/// robots.txt of `origin` has moved on: its pace may be another.
void Shard::learned(const base::Origin& origin, base::Now now) {
  queue_.set_pace(origin, pace_of(origin), now);
  const auto due = robots_.due(origin, now.steady);
  if (!due || *due <= now.steady) return;  // a redirect or a probe goes on
  log_verdict(origin, now);
  if (consulted_.erase(std::string(origin.text())) > 0) mail_.owe(-1);
}

scheduler::Pace Shard::pace_of(const base::Origin& origin) const {
  scheduler::Wishes wishes;
  if (const robots::Rules* rules = robots_.rules(origin)) {
    wishes.rates.assign(rules->request_rates().begin(), rules->request_rates().end());
    wishes.crawl_delay = rules->crawl_delay();
    wishes.visit_times.assign(rules->visit_times().begin(), rules->visit_times().end());
  }
  return {wishes, config_.politeness, origin.host(), config_.robots.honour_visit_time};
}

}  // namespace crawler
