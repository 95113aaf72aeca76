// The story of one visit, from the lease to the end of its exchange; visit_end.cpp tells the rest.
#include "base/site.h"
#include "base/time_text.h"
#include "crawler/shard.h"
#include "crawler/sitemap.h"

#include <algorithm>

namespace crawler {
namespace {

/// URLs that one lease may settle without a request (disallowed, blocked), so that no visit holds the thread
/// long.
constexpr std::size_t kSettledPerLease = 1'000;

/// A visit to a site that is under way, for as long as it lives.
class SiteVisit {
 public:
  SiteVisit(base::StringMap<std::size_t>& all, std::string site) : all_(all), site_(std::move(site)) {
    ++all_[site_];
  }
  ~SiteVisit() {
    const auto found = all_.find(site_);
    if (--found->second == 0) all_.erase(found);
  }
  SiteVisit(const SiteVisit&) = delete;
  SiteVisit& operator=(const SiteVisit&) = delete;

 private:
  base::StringMap<std::size_t>& all_;
  const std::string site_;
};

std::string text_of(const Yield::Brake& brake) {
  return "braked: " + std::to_string(brake.repeated) + " of " + std::to_string(brake.pages) +
         " pages below " + brake.what + " repeat others";
}

}  // namespace

base::Async<> Shard::visit(scheduler::Lease lease, base::TimePoint due) {
  const base::Origin origin = lease.origin();
  const SiteVisit turn(visits_of_sites_, base::site_of(origin.host()));
  std::optional<Business> business = next_business(origin, clock_.now());
  if (!business) {
    return_unused(std::move(lease), clock_.now());
    co_return;
  }
  std::exception_ptr bug;
  try {
    co_await carry_out(std::move(lease), *business, due);
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

base::Async<> Shard::carry_out(scheduler::Lease lease, Business& business, base::TimePoint due) {
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

  const base::TimePoint asked = clock_.now().steady;
  const fetch::Resolved resolved = co_await fetcher_.resolve(origin);
  const base::Now begun = clock_.now();
  counters_.dns.add(begun.steady - asked);
  fetch::Outcome outcome;
  if (resolved.error != fetch::Error::none) {
    outcome.error = resolved.error;
    outcome.detail = resolved.detail;
  } else if (paused_ || held_by_order(origin, begun) || !queue_.admit(lease, resolved.address, begun)) {
    put_back(std::move(business));
    return_unused(std::move(lease), begun);
    co_return;
  } else {
    fetch::Request request = request_for(business, resolved);
    request.may_use = [this, &lease](const base::IpAddress& address) {
      return queue_.admit(lease, address, clock_.now());
    };
    // What the site wants may change while the connection is made; the request was in order when it began.
    const base::Duration interval = queue_.interval(origin, begun.wall).length;
    request.on_sent = [this, &lease, interval, due] { note_sent(lease, interval, due); };
    outcome = co_await fetcher_.fetch(std::move(request));
    note_proxy(outcome.error, clock_.now());
  }

  note_answer(business, outcome);
  if (outcome.error == fetch::Error::not_now) {
    put_back(std::move(business));
    return_unused(std::move(lease), clock_.now());
    co_return;
  }
  ++counters_.errors[static_cast<std::size_t>(outcome.error)];
  if (outcome.error == fetch::Error::blocked_address || outcome.error == fetch::Error::blocked_port) {
    block(std::move(lease), std::move(business), outcome);
  } else if (Errand* errand = std::get_if<Errand>(&business)) {
    co_await conclude(std::move(lease), *errand, std::move(outcome), begun);
  } else {
    co_await conclude(std::move(lease), std::move(std::get<Visit>(business)), std::move(outcome), begun);
  }
}

/// The request is out. That it did not come too soon is measured once more, here, from the two instants at
/// which requests went out; `interval` was in force when it was admitted.
void Shard::note_sent(const scheduler::Lease& lease, base::Duration interval, base::TimePoint due) {
  const base::Now now = clock_.now();
  const base::TimePoint before = queue_.state(lease.origin()).started;
  queue_.sent(lease, now.steady);
  ++counters_.requests;
  counters_.lag.add(std::max(now.steady - due, base::Duration::zero()));
  if (before == base::TimePoint::min()) return;
  const base::Duration gap = now.steady - before;
  counters_.gaps.add(gap);
  if (gap >= interval) return;
  ++counters_.violations;
  base::Line line(base::Level::error, "violation");
  line.text("origin", lease.origin().text()).word("gap", base::duration_text(gap));
  log_.write(line.word("interval", base::duration_text(interval)), now.wall);
}

void Shard::note_answer(const Business& business, const fetch::Outcome& outcome) {
  counters_.octets += outcome.wire_octets;
  counters_.decoded += outcome.body.size();
  if (outcome.cut) ++counters_.cut;
  if (outcome.error == fetch::Error::blocked_address || outcome.error == fetch::Error::blocked_port) {
    const auto what = fetch::denied_class(outcome.detail).value_or(fetch::AddressClass::global);
    ++counters_.blocked[static_cast<std::size_t>(what)];
  }
  const fetch::Timing& timing = outcome.timing;
  if (timing.connect > base::Duration::zero()) counters_.connect.add(timing.connect);
  if (timing.tls > base::Duration::zero()) counters_.tls.add(timing.tls);
  if (timing.first_octet > base::Duration::zero()) counters_.first_octet.add(timing.first_octet);
  if (outcome.status == 0) return;
  counters_.body.add(timing.body);
  const Visit* const page = std::get_if<Visit>(&business);
  const Asked asked = page == nullptr                ? Asked::robots
                      : page->item.discovery.sitemap ? Asked::sitemap
                                                     : Asked::page;
  ++counters_.answers[static_cast<std::size_t>(asked)][static_cast<std::size_t>(answered(outcome.status))];
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
    const bool wanted = item->discovery.sitemap
                            ? config_.sitemaps.enabled
                            : scope_.check(item->url, item->discovery.depth) == InScope::yes;
    if (!wanted) {
      drop(std::move(*item), now);
      continue;
    }
    const robots::Verdict verdict = robots_.check(item->url, now.steady);
    if (verdict.access == robots::Access::defer || verdict.access == robots::Access::unknown) {
      frontier_.put_back(std::move(*item));
      return std::nullopt;
    }
    if (verdict.decision.allowed) {
      const bool exempt = item->discovery.seed || item->discovery.sitemap;
      const auto brake = exempt ? std::nullopt : frontier_.brake_of(item->url);
      if (!brake || Yield::lets_through(random_)) {
        return Visit{std::move(*item), std::string(verdict.decision.group),
                     std::string(verdict.decision.rule), verdict.decision.line};
      }
      log_unsent(*item, Fate::trap, verdict.decision, text_of(*brake), now);
      settle(std::move(*item), crawler::ending_of(Fate::trap, now.wall), now);
      continue;
    }
    log_unsent(*item, Fate::disallowed, verdict.decision, {}, now);
    settle(std::move(*item), crawler::ending_of(Fate::disallowed, now.wall), now);
  }
  return std::nullopt;
}

fetch::Request Shard::request_for(const Business& business, const fetch::Resolved& resolved) const {
  fetch::Request request;
  request.address = resolved.address;
  request.others = resolved.others;
  request.keep_wire = archive_ != nullptr;
  if (const Errand* errand = std::get_if<Errand>(&business)) {
    request.url = errand->want.url;
    request.body_max = robots::kFileOctetsMax;
    request.if_none_match = errand->want.etag;
    request.if_modified_since = errand->want.last_modified;
  } else {
    const Item& item = std::get<Visit>(business).item;
    request.url = item.url;
    request.body_max = config_.network.max_body_size;
    if (item.discovery.sitemap) request.body_max = std::min(request.body_max, kSitemapOctetsMax);
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

/// Nothing at `origin` may be connected to: its URLs are settled, nothing is sent.
void Shard::block(scheduler::Lease lease, Business business, const fetch::Outcome& outcome) {
  const base::Now now = clock_.now();
  const base::Origin origin = lease.origin();
  const std::string why = std::string(fetch::to_string(outcome.error)) + ": " + outcome.detail;
  if (Errand* errand = std::get_if<Errand>(&business)) {
    log_robots(*errand, outcome, now, now, std::nullopt);
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
    settle(std::move(*item), crawler::ending_of(Fate::blocked, now.wall), now);
  }
  return_unused(std::move(lease), now);
}

}  // namespace crawler
