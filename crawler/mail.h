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

/// Knows which shard owns which registrable domain. Thread-safe once open() has been called.
class Mail {
 public:
  /// `on_idle` is called, on any thread, each time that nothing is owed any more.
  explicit Mail(std::function<void()> on_idle) : on_idle_(std::move(on_idle)) {}

  /// The shards in order of their numbers; they must outlive all messages.
  void open(std::vector<Shard*> shards) { shards_ = std::move(shards); }

  /// The shard that owns `host`'s registrable domain.
  Shard& owner(std::string_view host) const;

  /// Hands each offer to its owner: at once where that is `from`, else as one message for each shard.
  void send_offers(Shard* from, std::vector<Offer> offers);
  void send_errand(Errand errand);
  void send_answer(const base::Origin& behalf, robots::Answer answer);

  /// What is owed: queued URLs, taken ones, offers under way. Zero calls on_idle.
  void owe(std::int64_t change);
  std::int64_t owed() const { return owed_.load(); }

 private:
  std::size_t owner_number(std::string_view host) const;

  std::function<void()> on_idle_;
  std::vector<Shard*> shards_;
  std::atomic<std::int64_t> owed_{0};
};

}  // namespace crawler
