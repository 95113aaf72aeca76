#pragma once
// One thread's share of the crawl: its origins, their robots.txt, their URLs. Shares nothing but the address
// clocks. This is the only place that knows both what decides and what does I/O.
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/tasks.h"
#include "config/config.h"
#include "crawler/archive.h"
#include "crawler/commits.h"
#include "crawler/counters.h"
#include "crawler/crawl_log_file.h"
#include "crawler/fate.h"
#include "crawler/findings.h"
#include "crawler/frontier.h"
#include "crawler/host_view.h"
#include "crawler/mail.h"
#include "crawler/orders.h"
#include "crawler/pack_exchange.h"
#include "crawler/recent.h"
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

/// One registrable domain may have this part of the visits under way: however many origins it has, and
/// however slow they are, the others go on.
inline constexpr std::size_t kSitePartOfVisits = 8;

/// How long an origin waits when descriptors or connections are short, or its site has its part.
inline constexpr base::Duration kShortOfMeans = std::chrono::seconds(5);

/// A shard's state for the summary line.
struct Report {
  Counters counters;
  scheduler::Census hosts;
  Tally urls;
  std::uint64_t held_origins = 0;     ///< in memory with their next URLs
  std::uint64_t waiting_origins = 0;  ///< in the calendar
  std::size_t frontier_octets = 0;    ///< of memory, roughly
  std::uint64_t records = 0;          ///< of the archive, and their octets; set by the daemon, as the next
  std::uint64_t record_octets = 0;
  std::uint64_t crawl_log_dropped = 0;  ///< lines that the disk did not take
  std::uint64_t damaged = 0;            ///< rows of the frontier that could not be read
  std::uint64_t robots_entries = 0;     ///< origins whose robots.txt is in memory
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
    Archive* archive = nullptr;     ///< null: nothing is kept
    CrawlLog* crawl_log = nullptr;  ///< null: there is none
    std::size_t number = 0;         ///< of this shard
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

  // --- For people who look on, and what they order (shard_view.cpp).

  /// From now on these hold.
  void set_orders(std::shared_ptr<const Orders> orders);
  /// Origins that are in memory, in no order.
  std::vector<HostRow> rows(std::size_t most) const;
  /// Those that have something to do and wait longest, of the first `looked_at`.
  std::vector<HostRow> longest_waits(std::size_t most, std::size_t looked_at) const;
  /// All origins of one host that are in memory or known to the store under its usual ports.
  std::vector<HostView> views(std::string_view host);
  /// The last visits, the newest first.
  std::vector<PastVisit> recent(std::size_t most) const;
  /// Every decision about a URL of an origin whose robots.txt may be on disk; changes nothing.
  Explanation look_at(const base::Url& url);
  /// A URL that was visited comes due at once.
  Requeued requeue(const base::Url& url);
  /// What became of a URL; nothing when it was never seen.
  std::optional<Known> known(const base::Url& url) const;

 private:
  /// A URL on its way, with the line of robots.txt that let it pass.
  struct Visit {
    Item item;
    std::string group;
    std::string rule;
    int line = 0;
  };
  using Business = std::variant<Errand, Visit>;

  /// A visit whose exchange is over, as it is told to the archive and the logs.
  struct Told {
    const Visit& visit;
    const Findings& findings;
    const fetch::Outcome& outcome;
    base::Now begun;
    base::Now ended;
    Fate fate = Fate::retry;
    std::size_t links = 0;
    base::Hash128 digest{};        ///< of the body of a page that was fetched
    bool unchanged = false;        ///< it is that of the last visit
    std::string payload_digest{};  ///< of its record
    std::optional<Place> place{};  ///< of its record
  };

  base::TimePoint look(base::Now now);
  base::TimePoint begin_visits(base::Now now);
  bool site_is_busy(const base::Origin& origin) const;
  /// After an exchange; a name that leads nowhere has asked no proxy.
  void note_proxy(fetch::Error error, base::Now now);
  base::Async<> visit(scheduler::Lease lease, base::TimePoint due);
  base::Async<> carry_out(scheduler::Lease lease, Business& business, base::TimePoint due);
  void note_sent(const scheduler::Lease& lease, base::Duration interval, base::TimePoint due);
  void note_answer(const Business& business, const fetch::Outcome& outcome);
  void abandon(const base::Origin& origin, const Business& business);
  std::optional<Business> next_business(const base::Origin& origin, base::Now now);
  std::optional<Business> next_page(const base::Origin& origin, base::Now now);
  fetch::Request request_for(const Business& business, const fetch::Resolved& resolved) const;
  void put_back(Business business);

  base::Async<> conclude(scheduler::Lease lease, Visit visit, fetch::Outcome outcome, base::Now begun);
  base::Async<> conclude(scheduler::Lease lease, const Errand& errand, fetch::Outcome outcome,
                         base::Now begun);
  Ending ending_of(const Told& told) const;
  base::Async<> hand_on(std::vector<Offer> found);
  base::Async<bool> keep(Told& told);
  base::Async<std::optional<Place>> keep_robots(const Errand& errand, const fetch::Outcome& outcome,
                                                base::Now begun, base::Now ended);
  std::optional<Twin> twin_of(const base::Url& url, const base::Hash128& digest,
                              std::string_view payload_digest) const;
  void note_content(const Told& told);
  void block(scheduler::Lease lease, Business business, const fetch::Outcome& outcome);
  void try_again(Item item, const base::Backoff* ladder, base::Now now);
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
  void offer_sitemaps(const base::Origin& origin);
  scheduler::Pace pace_of(const base::Origin& origin) const;

  Explanation verdict_on(const base::Url& url, base::Now now);
  std::optional<base::TimePoint> held_by_order(const base::Origin& origin, base::Now now) const;
  HostRow row(const base::Origin& origin, base::Now now) const;
  HostView view(const base::Origin& origin);

  void log_visit(const Told& told, base::Now now);
  void log_crawl(const Told& told, base::Now now);
  void log_unsent(const Item& item, Fate fate, const robots::Decision& decision, std::string_view why,
                  base::Now now);
  void log_verdict(const base::Origin& origin, base::Now now);
  void log_robots(const Errand& errand, const fetch::Outcome& outcome, base::Now begun, base::Now now,
                  const std::optional<Place>& place);

  base::Executor executor_;
  const config::Config& config_;
  base::Clock& clock_;
  fetch::Fetcher& fetcher_;
  Mail& mail_;
  Commits& commits_;
  base::Log& log_;
  Archive* archive_;
  CrawlLog* crawl_log_;
  std::size_t number_;
  base::TimePoint not_before_;
  std::size_t visits_max_;

  base::Random random_;
  Scope scope_;
  FindOptions find_;
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

  unsigned proxy_failures_ = 0;                           ///< since the proxy served last
  base::TimePoint proxy_again_ = base::TimePoint::min();  ///< no visit before
  base::StringMap<std::size_t> visits_of_sites_;          ///< under way; no entry is 0

  std::shared_ptr<const Orders> orders_ = std::make_shared<const Orders>();
  Recent recent_;
  Counters counters_;
  base::TimePoint resumed_ = base::TimePoint::min();  ///< what was due before could not be sent
  bool draining_ = false;
  bool paused_ = false;
  std::unique_ptr<base::Alarm> alarm_;
  base::Tasks tasks_;  ///< last: its coroutines use all of the above
};

}  // namespace crawler
