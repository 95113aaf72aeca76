#pragma once
// Messages between shards, and the count of what the crawl owes. The only hop between threads.
#include "base/async.h"
#include "crawler/frontier.h"
#include "robots/cache.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace crawler {

class Shard;

/// A request to be made on behalf of an origin's robots.txt, under a lease of the URL's own origin, which may
/// live on another shard.
struct Errand {
  base::Origin behalf;
  robots::Want want;
};

/// The partitions of one of `shards` shards.
PartitionRange partitions_of(std::size_t shard, std::size_t shards);

/// Knows which shard owns which registrable domain. Thread-safe once open() has been called.
class Mail {
 public:
  /// `on_idle` is called, on any thread, each time that nothing is owed any more.
  explicit Mail(std::function<void()> on_idle) : on_idle_(std::move(on_idle)) {}

  /// The shards in order of their numbers; they must outlive all messages.
  void open(std::vector<Shard*> shards) { shards_ = std::move(shards); }

  /// The shard that owns `host`'s registrable domain.
  Shard& owner(std::string_view host) const;

  /// Hands each offer to its owner, as one message for each shard. `then` is called, on the last one's
  /// thread, when all are in their frontiers.
  void send_offers(std::vector<Offer> offers, std::function<void()> then);
  /// The same for the links of a page: returns the offers that are of `from` itself, once all others are in
  /// their owners' frontiers. So a page that is done with has lost none of its links, whatever happens.
  base::Async<std::vector<Offer>> deliver(const Shard& from, std::vector<Offer> offers);
  void send_errand(Errand errand);
  void send_answer(const base::Origin& behalf, robots::Answer answer);

  /// What is owed: queued URLs, taken ones, offers under way. Zero calls on_idle.
  void owe(std::int64_t change);
  std::int64_t owed() const { return owed_.load(); }

 private:
  std::size_t owner_number(std::string_view host) const;
  std::vector<std::vector<Offer>> by_owner(std::vector<Offer> offers) const;
  void send(Shard& shard, std::vector<Offer> offers, std::function<void()> then);

  std::function<void()> on_idle_;
  std::vector<Shard*> shards_;
  std::atomic<std::int64_t> owed_{0};
};

}  // namespace crawler
