#pragma once
// One thread's share of the crawl: its origins, their robots.txt, their URLs. Shares nothing but the address
// clocks. This is the only place that knows both what decides and what does I/O.
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/tasks.h"
#include "config/config.h"
#include "crawler/fate.h"
#include "crawler/frontier.h"
#include "crawler/mail.h"
#include "crawler/scope.h"
#include "fetch/fetcher.h"
#include "robots/cache.h"
#include "scheduler/host_queue.h"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <variant>
#include <vector>

namespace crawler {

inline constexpr std::size_t kFates = static_cast<std::size_t>(Fate::given_up) + 1;

/// Redirected robots.txt requests that wait for one origin. Half the web may point at one host.
inline constexpr std::size_t kErrandsMax = 1'000;

/// What a shard has done since it started.
struct Counters {
  std::uint64_t requests = 0;         ///< sent, of any kind
  std::uint64_t robots_requests = 0;  ///< of those, for robots.txt
  std::uint64_t octets = 0;           ///< received on the wire
  std::uint64_t errors = 0;           ///< exchanges without a usable answer
  std::uint64_t out_of_scope = 0;
  std::uint64_t over_budget = 0;
  std::uint64_t bugs = 0;  ///< exceptions that escaped from a visit
  std::array<std::uint64_t, kFates> fates{};

  Counters& operator+=(const Counters& other);
};

/// A shard's state for the summary line.
struct Report {
  Counters counters;
  scheduler::Census hosts;
  std::uint64_t owed = 0;
  std::uint64_t seen = 0;
  std::optional<std::pair<base::Origin, scheduler::Status>> next;  ///< the waiting origin that is due first
};

/// Every decision about one URL, for `crawld explain`.
struct Explanation {
  InScope in_scope = InScope::yes;
  robots::Access access = robots::Access::unknown;
  bool allowed = false;
  std::string group;
  std::string rule;
  int line = 0;
  std::string robots;  ///< what is known of robots.txt, for people
  scheduler::Interval interval;
  base::WallTime next{};
};

/// All members are called on the shard's own thread, but for executor().
class Shard {
 public:
  /// References must outlive the shard. `key` is of the fingerprints, the same for all shards.
  struct Parts {
    base::Executor executor;
    const config::Config& config;
    base::Clock& clock;
    fetch::Fetcher& fetcher;
    scheduler::AddressClocks& addresses;
    Mail& mail;
    base::Log& log;
    std::uint64_t seed = 0;
    std::uint64_t key = 0;
    std::size_t visits_max = 1024;  ///< at the same time
  };
  explicit Shard(const Parts& parts);
  ~Shard();

  base::Executor executor() const { return executor_; }

  /// Leases and visits until drain() has been called and the last visit is over.
  base::Async<> run();
  /// No new lease from now on.
  void drain();

  void offer(std::vector<Offer> offers);
  void accept(Errand errand);
  void answer(const base::Origin& behalf, robots::Answer answer);
  /// Learns `origin`'s robots.txt although no URL of it is owed; owes one until the outcome is known.
  void consult(const base::Origin& origin);

  Report report() const;
  /// Once run() has ended: the question wakes the origin.
  Explanation explain(const base::Url& url);

 private:
  /// A URL on its way, with the line of robots.txt that let it pass.
  struct Visit {
    Item item;
    std::string group;
    std::string rule;
    int line = 0;
  };
  using Business = std::variant<Errand, Visit>;

  base::Async<> visit(scheduler::Lease lease);
  std::optional<Business> next_business(const base::Origin& origin, base::Now now);
  std::optional<Business> next_page(const base::Origin& origin, base::Now now);
  fetch::Request request_for(const Business& business, const base::IpAddress& address) const;
  void put_back(Business business);

  void conclude(scheduler::Lease lease, Visit visit, const fetch::Outcome& outcome, base::Now begun);
  void conclude(scheduler::Lease lease, const Errand& errand, fetch::Outcome outcome, base::Now begun);
  void block(scheduler::Lease lease, Business business, const fetch::Outcome& outcome);
  std::size_t follow(const Visit& visit, const fetch::Outcome& outcome, Judgement& judgement);
  std::size_t follow_links(const Item& item, const fetch::Outcome& outcome);

  bool wants_turn(const base::Origin& origin, base::Now now);
  void rest(const base::Origin& origin, base::Now now);
  void wake(const base::Origin& origin, base::Now now);
  void wake_rested(base::Now now);
  void end_turn(scheduler::Lease lease, const scheduler::Feedback& feedback, base::Now now);
  void return_unused(scheduler::Lease lease, base::Now now);
  void settle(const Item& item, Fate fate);
  void learned(const base::Origin& origin, base::Now now);
  scheduler::Pace pace_of(const base::Origin& origin) const;

  void log_visit(const Visit& visit, Fate fate, const fetch::Outcome& outcome, base::Now begun, base::Now now,
                 std::size_t links);
  void log_unsent(const Item& item, Fate fate, const robots::Decision& decision, std::string_view why,
                  base::Now now);
  void log_verdict(const base::Origin& origin, base::Now now);
  void log_robots(const Errand& errand, const fetch::Outcome& outcome, base::Now begun, base::Now now);

  base::Executor executor_;
  const config::Config& config_;
  base::Clock& clock_;
  fetch::Fetcher& fetcher_;
  Mail& mail_;
  base::Log& log_;
  std::size_t visits_max_;

  base::Random random_;
  Scope scope_;
  robots::Cache robots_;
  Frontier frontier_;
  scheduler::HostQueue queue_;
  base::StringMap<std::deque<Errand>> errands_;  ///< by the origin that they go to; no empty deque
  base::StringSet consulted_;

  /// Origins that have something to do, but not yet.
  struct Rest {
    base::TimePoint until;
    base::Origin origin;
    bool operator>(const Rest& other) const { return until > other.until; }
  };
  std::priority_queue<Rest, std::vector<Rest>, std::greater<>> resting_;
  base::StringMap<base::TimePoint> rests_until_;

  Counters counters_;
  bool draining_ = false;
  std::unique_ptr<base::Alarm> alarm_;
  base::Tasks tasks_;  ///< last: its coroutines use all of the above
};

}  // namespace crawler
