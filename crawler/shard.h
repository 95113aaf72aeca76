#pragma once
// One thread's share of the crawl: its origins, their robots.txt, their URLs. Shares nothing but the address
// clocks. This is the only place that knows both what decides and what does I/O.
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/tasks.h"
#include "config/config.h"
#include "crawler/commits.h"
#include "crawler/fate.h"
#include "crawler/frontier.h"
#include "crawler/mail.h"
#include "crawler/scope.h"
#include "fetch/fetcher.h"
#include "robots/cache.h"
#include "scheduler/calendar.h"
#include "scheduler/host_queue.h"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace crawler {

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
  Tally urls;
  std::uint64_t held_origins = 0;     ///< in memory with their next URLs
  std::uint64_t waiting_origins = 0;  ///< in the calendar
  std::size_t frontier_octets = 0;    ///< of memory, roughly
  std::uint64_t damaged = 0;          ///< rows of the frontier that could not be read
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
    Commits& commits;
    base::Log& log;
    Frontier::Parts frontier;       ///< its `memory` is for the whole shard here
    base::TimePoint not_before{};   ///< no request earlier: clocks of addresses and sites of the last run
    std::uint64_t seed = 0;         ///< of the shard's chance
    std::size_t visits_max = 1024;  ///< at the same time
  };
  explicit Shard(const Parts& parts);
  ~Shard();

  base::Executor executor() const { return executor_; }
  std::unique_ptr<base::Alarm> alarm() const { return clock_.alarm(executor_); }

  /// Leases and visits until drain() has been called and the last visit is over.
  base::Async<> run();
  /// No new lease from now on.
  void drain();
  /// No new lease until resume(); visits under way end as they would.
  void pause();
  void resume();

  /// Takes the offers into the frontier; they are in the store when it returns.
  void offer(std::vector<Offer> offers);
  void accept(Errand errand);
  void answer(const base::Origin& behalf, robots::Answer answer);
  /// Learns `origin`'s robots.txt although no URL of it is owed; owes one until the outcome is known.
  void consult(const base::Origin& origin);
  /// Other seeds and another scope: what is queued is judged by them when its turn comes.
  void set_scope(const config::Config& config);

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
  base::Async<> carry_out(scheduler::Lease lease, Business& business);
  void abandon(const base::Origin& origin, const Business& business);
  std::optional<Business> next_business(const base::Origin& origin, base::Now now);
  std::optional<Business> next_page(const base::Origin& origin, base::Now now);
  fetch::Request request_for(const Business& business, const base::IpAddress& address) const;
  void put_back(Business business);

  base::Async<> conclude(scheduler::Lease lease, Visit visit, fetch::Outcome outcome, base::Now begun);
  void conclude(scheduler::Lease lease, const Errand& errand, fetch::Outcome outcome, base::Now begun);
  void block(scheduler::Lease lease, Business business, const fetch::Outcome& outcome);
  void try_again(Item item, const base::Backoff* ladder, base::Now now);
  std::vector<Offer> found_by(const Visit& visit, const fetch::Outcome& outcome, Judgement& judgement);
  std::vector<Offer> links_of(const Item& item, const fetch::Outcome& outcome);
  void take_offers(std::vector<Offer> offers, base::Now now);

  bool wants_turn(const base::Origin& origin, base::Now now);
  void rest(const base::Origin& origin, base::Now now);
  void put_away(const base::Origin& origin, std::optional<base::TimePoint> until, base::Now now);
  bool calendar_full() const { return calendar_.size() >= waiting_max_; }
  void put_into_calendar(const DueRow& row);
  void make_room(const base::Origin& origin, base::Now now);
  void wake(const base::Origin& origin, base::Now now);
  void activate(const base::Origin& origin, base::Now now);
  void recall_robots(const base::Origin& origin);
  void load_cold(base::Now now);
  bool wake_waiting(base::Now now);
  base::TimePoint listing(base::Now now) const;
  void end_turn(scheduler::Lease lease, const scheduler::Feedback& feedback, base::Now now);
  void return_unused(scheduler::Lease lease, base::Now now);
  void settle(Item item, const Ending& ending, base::Now now);
  void drop(Item item, base::Now now);
  void learn(const base::Origin& origin, robots::Answer answer, base::Now now);
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
  Commits& commits_;
  base::Log& log_;
  base::TimePoint not_before_;
  std::size_t visits_max_;

  base::Random random_;
  Scope scope_;
  robots::Cache robots_;
  Frontier frontier_;
  scheduler::HostQueue queue_;
  base::StringMap<std::deque<Errand>> errands_;  ///< by the origin that they go to; no empty deque
  base::StringSet consulted_;

  scheduler::Calendar calendar_;  ///< origins that have something to do, but not yet, or no room
  std::size_t waiting_max_;
  std::string cold_after_;                               ///< rows of `due` up to this key have been read
  base::TimePoint cold_until_ = base::TimePoint::min();  ///< what is due until then is in memory
  base::TimePoint cold_next_{};                          ///< when to look for more

  Counters counters_;
  bool draining_ = false;
  bool paused_ = false;
  std::unique_ptr<base::Alarm> alarm_;
  base::Tasks tasks_;  ///< last: its coroutines use all of the above
};

}  // namespace crawler
