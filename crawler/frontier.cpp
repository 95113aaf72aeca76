#include "crawler/frontier.h"

#include <cassert>

namespace crawler {

Frontier::Frontier(std::uint64_t key, std::uint64_t urls_per_origin_max)
    : key_(key), urls_per_origin_max_(urls_per_origin_max) {}

Offered Frontier::offer(Offer offer) {
  const base::Hash128 fingerprint = base::keyed_hash(offer.url.text(), key_);
  if (seen_.contains(fingerprint)) return Offered::seen;
  Queue& queue = queues_[std::string(offer.url.origin_text())];
  if (queue.accepted >= urls_per_origin_max_) return Offered::budget;
  seen_.insert(fingerprint);
  ++queue.accepted;
  ++owed_;
  const std::uint32_t depth = offer.depth;
  Item item{std::move(offer.url), depth, offer.redirects, 0, offer.seed};
  queue.by_depth[depth].push_back(std::move(item));
  return Offered::queued;
}

std::optional<Item> Frontier::take(const base::Origin& origin, base::TimePoint now) {
  const auto found = queues_.find(origin.text());
  if (found == queues_.end()) return std::nullopt;
  Queue& queue = found->second;
  while (!queue.later.empty() && queue.later.top().due <= now) {
    Item item = queue.later.top().item;
    queue.later.pop();
    queue.by_depth[item.depth].push_back(std::move(item));
  }
  if (queue.by_depth.empty()) return std::nullopt;
  const auto first = queue.by_depth.begin();
  Item item = std::move(first->second.front());
  first->second.pop_front();
  if (first->second.empty()) queue.by_depth.erase(first);
  return item;
}

void Frontier::put_back(Item item) {
  Queue& queue = queues_.find(item.url.origin_text())->second;
  queue.by_depth[item.depth].push_front(std::move(item));
}

void Frontier::settle(const Item& item, Fate fate) {
  assert(fate != Fate::retry && owed_ > 0);
  (void)item;
  (void)fate;
  --owed_;
}

void Frontier::retry(Item item, base::TimePoint not_before) {
  Queue& queue = queues_.find(item.url.origin_text())->second;
  queue.later.push({not_before, std::move(item)});
}

bool Frontier::ready(const base::Origin& origin, base::TimePoint now) const {
  const auto found = queues_.find(origin.text());
  if (found == queues_.end()) return false;
  const Queue& queue = found->second;
  return !queue.by_depth.empty() || (!queue.later.empty() && queue.later.top().due <= now);
}

std::optional<base::TimePoint> Frontier::next_retry(const base::Origin& origin) const {
  const auto found = queues_.find(origin.text());
  if (found == queues_.end() || found->second.later.empty()) return std::nullopt;
  return found->second.later.top().due;
}

}  // namespace crawler
