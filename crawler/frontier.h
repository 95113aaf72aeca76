#pragma once
// What is owed and what was seen, by origin. In memory for now; whoever uses it does not know.
#include "base/hash.h"
#include "base/time.h"
#include "base/url.h"
#include "crawler/fate.h"

#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace crawler {

/// A URL that somebody found.
struct Offer {
  base::Url url;
  std::uint32_t depth = 0;      ///< links from a seed
  std::uint32_t redirects = 0;  ///< redirects in a row that led here
  bool seed = false;            ///< a seed, or where a seed redirects to
};

/// A URL that is owed.
struct Item {
  base::Url url;
  std::uint32_t depth = 0;
  std::uint32_t redirects = 0;
  unsigned attempts = 0;  ///< failed ones
  bool seed = false;
};

/// Redirects in a row that are followed; the seen set ends loops before that.
inline constexpr std::uint32_t kRedirectsMax = 10;

enum class Offered { queued, seen, budget };

/// One shard's part. One thread.
class Frontier {
 public:
  /// `key`: of the fingerprints. `urls_per_origin_max`: distinct URLs accepted of one origin.
  Frontier(std::uint64_t key, std::uint64_t urls_per_origin_max);

  /// Takes what was never seen. The caller has checked the scope.
  Offered offer(Offer offer);
  /// The next URL of `origin`: least depth first, then first come; nothing when none is due at `now`.
  std::optional<Item> take(const base::Origin& origin, base::TimePoint now);
  /// Undoes take(): nothing was sent.
  void put_back(Item item);
  /// The taken item is done with. The Fate must not be retry.
  void settle(const Item& item, Fate fate);
  /// The taken item is owed again, from `not_before` on.
  void retry(Item item, base::TimePoint not_before);

  bool ready(const base::Origin& origin, base::TimePoint now) const;
  /// When the first URL of `origin` that waits for another try is due; nothing when none waits.
  std::optional<base::TimePoint> next_retry(const base::Origin& origin) const;

  std::size_t owed() const { return owed_; }  ///< queued, waiting and taken
  std::size_t seen() const { return seen_.size(); }

 private:
  struct Later {
    base::TimePoint due;
    Item item;
    bool operator>(const Later& other) const { return due > other.due; }
  };
  struct Queue {
    std::map<std::uint32_t, std::deque<Item>> by_depth;  ///< no empty deque
    std::priority_queue<Later, std::vector<Later>, std::greater<>> later;
    std::uint64_t accepted = 0;
  };

  std::uint64_t key_;
  std::uint64_t urls_per_origin_max_;
  std::unordered_set<base::Hash128> seen_;
  base::StringMap<Queue> queues_;
  std::size_t owed_ = 0;
};

}  // namespace crawler
