// What a shard tells people who look on, and how it takes the operator's orders.
#include "crawler/shard.h"

#include <algorithm>

namespace crawler {
namespace {

/// An origin that an order holds is looked at again so often: it changes by hand.
constexpr base::Duration kOrderLook = std::chrono::seconds(5);
/// Octets of a robots.txt that are shown.
constexpr std::size_t kBodyShown = std::size_t{64} * 1024;
/// Visits of one origin that are shown.
constexpr std::size_t kVisitsShown = 50;

}  // namespace

void Shard::set_orders(std::shared_ptr<const Orders> orders) {
  const std::shared_ptr<const Orders> before = std::exchange(orders_, std::move(orders));
  const base::Now now = clock_.now();
  std::vector<base::Origin> changed;
  queue_.each([&](const base::Origin& origin) {
    const Order* const was = before->find(origin.host());
    const Order* const is = orders_->find(origin.host());
    if ((was != nullptr ? was->delay : base::Duration()) != (is != nullptr ? is->delay : base::Duration()))
      changed.push_back(origin);
    return true;
  });
  for (const base::Origin& origin : changed) {
    recall_robots(origin);
    queue_.set_pace(origin, pace_of(origin), now);
  }
  alarm_->ring();
}

/// Until when an order holds the origin; a while, where it has no end.
std::optional<base::TimePoint> Shard::held_by_order(const base::Origin& origin, base::Now now) const {
  const Order* const order = orders_->find(origin.host());
  if (order == nullptr || !order->holds(now.wall)) return std::nullopt;
  const base::TimePoint look = now.steady + kOrderLook;
  return order->until ? std::min(look, now.steady_at(*order->until)) : look;
}

HostRow Shard::row(const base::Origin& origin, base::Now now) const {
  const std::optional<HostRecord> record = frontier_.record_of(origin);
  HostRow row = row_of(record.value_or(HostRecord{}), now);
  row.origin = origin;
  row.interval = queue_.interval(origin, now.wall);
  const scheduler::HostState clocks = queue_.state(origin);
  row.latency = clocks.latency;
  row.failures = clocks.failures;
  if (clocks.started != base::TimePoint::min()) row.last = now.wall_at(clocks.started);
  const scheduler::Status status = queue_.status(origin, now);
  row.waiting = status.waiting;
  if (status.waiting != scheduler::Waiting::idle) row.next.reset();
  if (status.due != base::TimePoint::max()) row.next = now.wall_at(std::max(status.due, now.steady));
  switch (status.waiting) {
    case scheduler::Waiting::nothing: row.state = HostState::ready; break;
    case scheduler::Waiting::in_flight: row.state = HostState::in_flight; break;
    case scheduler::Waiting::idle:  // as the record has it, when it sleeps
      if (const auto due = robots_.due(origin, now.steady);
          row.owed > 0 && due && *due > now.steady && robots_.access(origin) == robots::Access::defer) {
        row.state = HostState::paused;  // until its robots.txt is asked for again
        row.next = now.wall_at(*due);
        break;
      }
      if (calendar_.contains(frontier_.row_of(origin, now.steady).origin)) row.state = HostState::asleep;
      break;
    case scheduler::Waiting::pause: row.state = HostState::paused; break;
    default: row.state = HostState::waiting; break;
  }
  const Order* const order = orders_->find(origin.host());
  if (order != nullptr && order->holds(now.wall) && row.state != HostState::in_flight) {
    row.state = HostState::blocked;
    row.next = order->until;
  }
  return row;
}

std::vector<HostRow> Shard::rows(std::size_t most) const {
  const base::Now now = clock_.now();
  const auto fates = recent_.fates(kRowFates);
  std::vector<HostRow> rows;
  queue_.each([&](const base::Origin& origin) {
    if (rows.size() >= most) return false;
    rows.push_back(row(origin, now));
    if (const auto found = fates.find(origin.text()); found != fates.end())
      rows.back().last_fates = found->second;
    return true;
  });
  return rows;
}

std::vector<HostRow> Shard::longest_waits(std::size_t most, std::size_t looked_at) const {
  const base::Now now = clock_.now();
  std::vector<HostRow> rows;
  queue_.each([&](const base::Origin& origin) {
    const scheduler::Status status = queue_.status(origin, now);
    const bool waits = status.due != base::TimePoint::max() && status.due > now.steady;
    if (waits) {
      HostRow found;
      found.origin = origin;
      found.waiting = status.waiting;
      found.next = now.wall_at(status.due);
      rows.push_back(std::move(found));
    }
    return --looked_at > 0;
  });
  const std::size_t kept = std::min(most, rows.size());
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(kept), std::ranges::greater(),
                            &HostRow::next);
  rows.resize(kept);
  return rows;
}

std::vector<HostView> Shard::views(std::string_view host) {
  std::vector<base::Origin> origins;
  const auto add = [&origins](const base::Origin& origin) {
    if (std::ranges::find(origins, origin) == origins.end()) origins.push_back(origin);
  };
  for (const std::string_view scheme : {"http://", "https://"}) {
    const auto url = base::Url::parse(std::string(scheme) + std::string(host) + "/");
    if (url && frontier_.record_of(url->origin())) add(url->origin());
  }
  queue_.each([&](const base::Origin& origin) {
    if (origin.host() == host) add(origin);
    return true;
  });
  // One of another port that has nothing to do is not in memory: what became of its URLs is.
  for (const PastVisit& visit : recent_.last(Recent::kKept)) {
    const auto url = base::Url::parse(visit.origin + "/");
    if (url && url->host() == host && frontier_.record_of(url->origin())) add(url->origin());
  }
  std::vector<HostView> found;
  for (const base::Origin& origin : origins) found.push_back(view(origin));
  return found;
}

HostView Shard::view(const base::Origin& origin) {
  const base::Now now = clock_.now();
  HostView view;
  view.row = row(origin, now);
  view.recent = recent_.last(kVisitsShown, origin.text());
  for (const PastVisit& visit : view.recent) {
    if (view.row.last_fates.size() < kRowFates) view.row.last_fates.push_back(visit.fate);
  }
  recall_robots(origin);
  if (auto found = frontier_.robots(origin)) view.body = std::move(found->second);
  view.access = robots::to_string(robots_.access(origin));
  if (robots_.access(origin) != robots::Access::unknown) view.about = robots_.explain(origin, now.steady);
  if (const robots::Rules* const rules = robots_.rules(origin)) view.rules = *rules;
  view.body_cut = view.body.size() > kBodyShown;
  view.body.resize(std::min(view.body.size(), kBodyShown));
  const scheduler::Pace pace = pace_of(origin);
  view.row.interval = pace.at(now.wall);
  view.day = day_of(pace, now.wall);
  return view;
}

Explanation Shard::look_at(const base::Url& url) {
  const base::Now now = clock_.now();
  const base::Origin origin = url.origin();
  recall_robots(origin);
  Explanation out = verdict_on(url, now);
  const HostRow seen = row(origin, now);
  out.interval = pace_of(origin).at(now.wall);
  out.next = std::max(seen.next.value_or(now.wall), now.wall);
  return out;
}

Requeued Shard::requeue(const base::Url& url) {
  const base::Now now = clock_.now();
  const Requeued done = frontier_.requeue(url, now.steady);
  if (done == Requeued::done) wake(url.origin(), now);
  frontier_.commit();
  return done;
}

std::optional<Known> Shard::known(const base::Url& url) const {
  return frontier_.known_url(url);
}

std::vector<PastVisit> Shard::recent(std::size_t most) const {
  return recent_.last(most);
}

}  // namespace crawler
