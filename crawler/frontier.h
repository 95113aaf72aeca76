#pragma once
// What is owed and what was seen, by origin: in the store, with as much of it in memory as is needed next.
// crawler/FORMAT.md tells how it lies on disk and why nothing is lost.
#include "base/hash.h"
#include "base/site.h"
#include "base/time.h"
#include "base/url.h"
#include "crawler/records.h"
#include "crawler/recrawl.h"
#include "crawler/seen.h"
#include "crawler/store.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crawler {

/// A URL that somebody found.
struct Offer {
  base::Url url;
  Discovery discovery;
  /// When a sitemap says that it changed last, in seconds since 1970. A page that was visited before comes
  /// due at once if that was earlier.
  std::optional<std::int64_t> modified = std::nullopt;
};

/// A URL that is to be visited.
struct Item {
  base::Url url;
  Discovery discovery;
  unsigned attempts = 0;             ///< failed ones
  std::unique_ptr<UrlRecord> known;  ///< of the last visit; null: there was none
  std::string row;                   ///< its key in `queue`
};

/// How a visit ended, as far as the frontier keeps it.
struct Ending {
  Fate fate = Fate::fetched;  ///< never retry
  int status = 0;
  std::int64_t visited = 0;  ///< seconds since 1970
  base::Hash128 digest;      ///< of the body; zero: none came, the last one and its validators stay
  std::string etag;
  std::string last_modified;
  std::string reason;  ///< of given_up
};

/// Of a URL for which nothing was sent, and the beginning of every other.
inline Ending ending_of(Fate fate, base::WallTime at) {
  Ending ending;
  ending.fate = fate;
  ending.visited = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  return ending;
}

/// Redirects in a row that are followed; the seen set ends loops before that.
inline constexpr std::uint32_t kRedirectsMax = 10;

enum class Offered { queued, seen, hastened, over_origin_budget, over_domain_budget, over_query_budget };

/// What is known of a URL that was seen.
struct Known {
  std::optional<Fate> fate;  ///< of the last visit; none: it waits for its first
  int status = 0;
  std::int64_t visited = 0;  ///< seconds since 1970
};

enum class Requeued {
  done,    ///< it is due now
  waits,   ///< it was queued already
  unseen,  ///< nobody has found it yet
};

/// The partitions that one frontier owns: [first, last).
struct PartitionRange {
  std::uint32_t first = 0;
  std::uint32_t last = base::kPartitions;
  bool contains(std::uint32_t partition) const { return partition >= first && partition < last; }
};

/// A row of `due`: an origin that should be looked at.
struct DueRow {
  std::uint16_t partition = 0;
  base::Hash128 origin;
  base::TimePoint due{};
};

/// One shard's part. One thread. Changes are gathered until commit() writes them all together, which has to
/// be done before the event loop goes on; take() commits before it reads.
class Frontier {
 public:
  struct Parts {
    Store& store;
    std::uint64_t secret = 0;  ///< of the fingerprints: the store's
    base::TimePoint opened{};  ///< when the store was opened: requests of a run that crashed ended before
    bool fresh = false;        ///< the store was empty then
    std::uint64_t memory = 0;  ///< octets for this shard, most of it for the seen set
    PartitionRange partitions{};
    config::Scope scope{};
    config::Recrawl recrawl{};
    config::Traps traps{};
  };
  explicit Frontier(const Parts& parts);
  ~Frontier();

  /// Takes what was never seen, and lists its origin as due at `now` unless it is listed as due already. The
  /// caller has checked the scope.
  Offered offer(Offer offer, base::TimePoint now);

  /// A URL that was visited comes due at once, whatever became of it; its origin is listed.
  Requeued requeue(const base::Url& url, base::TimePoint now);
  /// Nothing when it was never seen.
  std::optional<Known> known_url(const base::Url& url) const;

  // --- Origins. A held one is in memory with its next URLs; the others are read when they are needed.

  /// Holds `origin`, known or not, until release().
  void hold(const base::Origin& origin);
  /// Holds the origin of a row of `due`; nothing when there is no such origin or it cannot be read.
  std::optional<base::Origin> hold(const DueRow& row);
  bool held(const base::Origin& origin) const;
  /// No item of it is taken.
  void release(const base::Origin& origin);
  /// Memory that may be spent on held origins is spent.
  bool full() const { return octets_ >= octets_max_; }
  /// The origin in a few octets, as DueRow has it. Held or not.
  DueRow row_of(const base::Origin& origin, base::TimePoint due) const;

  // --- URLs of a held origin; one is taken at a time.

  /// The next URL: what is to be tried again first, then least depth for the seed's weight, then first come,
  /// by turns with pages to be visited again; nothing when none is due at `now`.
  std::optional<Item> take(const base::Origin& origin, base::TimePoint now);
  /// Undoes take(): nothing was sent.
  void put_back(Item item);
  /// The taken item is done with, until it is visited again. True: it had been owed.
  bool settle(Item item, const Ending& ending, base::TimePoint now);
  /// The taken item is owed again, from `not_before` on, after one more failed attempt. True: it had not
  /// been.
  bool retry(Item item, base::TimePoint not_before);
  /// The taken item is as if it had never been seen. True: it had been owed.
  bool forget(Item item);

  /// The taken item is lost to a bug: it and all that is in memory are read again.
  void abandon(const base::Origin& origin);

  bool ready(const base::Origin& origin, base::TimePoint now) const;
  /// When the first URL that waits for its time is due; nothing when none waits.
  std::optional<base::TimePoint> next_due(const base::Origin& origin) const;

  // --- Manners of a held origin.

  scheduler::HostState clocks(const base::Origin& origin) const;
  /// A request may go out from now on. Once committed and durable, no crash can make the next too early.
  void begin_request(const base::Origin& origin);
  /// Nothing happens when none has begun.
  void end_request(const base::Origin& origin, const scheduler::HostState& clocks);
  /// What robots.txt said, with its body; nothing when it was never asked for. Of an origin that is not held
  /// too.
  std::optional<std::pair<robots::Saved, std::string>> robots(const base::Origin& origin) const;
  /// `body` null: it has not changed.
  void keep_robots(const base::Origin& origin, const robots::Saved& saved, const std::string* body);

  // --- When to look at origins that are not held.

  /// The origin is to be looked at from `due` on; not at all when nothing of it waits.
  void list(const base::Origin& origin, std::optional<base::TimePoint> due);
  /// The rows after `after` (empty: from the beginning) that are due until `until`, at most `most`; `after`
  /// becomes where to go on. Returns until when all have been given: `until`, or less when there were too
  /// many.
  base::TimePoint due_rows(std::string& after, base::TimePoint until, std::size_t most,
                           std::vector<DueRow>& rows) const;

  /// What is known of `origin`, held or not; nothing when it is unknown.
  std::optional<HostRecord> record_of(const base::Origin& origin) const;
  /// The origin of a row, for people.
  std::optional<base::Origin> name_of(const DueRow& row) const;

  /// Hosts that seeds redirected to, of this run and earlier ones.
  std::vector<std::string> followed() const;
  void keep_followed(std::string_view host);

  // --- What bodies a held origin's site has had.

  /// Where this body was found first; `digest` is that of an Ending.
  std::optional<ContentRecord> content(const base::Origin& origin, const base::Hash128& digest) const;
  void keep_content(const base::Origin& origin, const base::Hash128& digest, const ContentRecord& record);
  /// A page was stored whose body the site had shown before, or had not.
  void note_yield(const base::Url& url, bool repeated);
  std::optional<Yield::Brake> brake_of(const base::Url& url) const;

  void set_options(const config::Scope& scope, const config::Recrawl& recrawl, const config::Traps& traps);
  /// Writes all changes; they are in the store when it returns. False: the store has failed.
  bool commit();

  Tally tally() const;  ///< of all partitions
  std::size_t octets() const { return octets_ + seen_.octets(); }
  std::size_t held_origins() const { return held_; }
  std::uint64_t damaged() const { return damaged_; }  ///< rows that could not be read

  /// URLs of one origin that are read into memory at a time.
  static constexpr std::size_t kBatch = 64;

 private:
  struct Host;
  struct Site;

  Host* find(std::string_view origin);
  const Host* find(std::string_view origin) const;
  Host& get(const base::Origin& origin);
  Host& known(const base::Origin& origin);
  const Host& known(const base::Origin& origin) const;
  Host& add(std::unique_ptr<Host> host);
  std::unique_ptr<Host> read_host(std::string key, const base::Origin* origin);
  Site& site_of(const base::Origin& origin);
  std::string key_of(const base::Origin& origin) const;
  void change(Host& host);
  void touch(Host& host);
  void list(Host& host, std::optional<base::TimePoint> due);
  void let_go(Host& host);
  Tally& tally_of(const Host& host);

  bool in_later(const Host& host, const base::Hash128& fingerprint) const;
  bool hasten(Host& host, const base::Hash128& fingerprint, std::int64_t modified, base::TimePoint now);
  std::string content_key(const Host& host, const base::Hash128& digest) const;
  void fill_lane(Host& host, std::size_t lane);
  void fill_timed(Host& host, std::uint8_t kind, base::TimePoint now);
  std::optional<Item> read_item(const Host& host, std::string_view row, std::string_view value);
  bool leave_row(Host& host, const Item& item);
  base::TimePoint enter_timed(Host& host, std::uint8_t kind, base::TimePoint due,
                              const base::Hash128& fingerprint, std::string_view value);

  Store& store_;
  Store::Batch batch_;
  std::uint64_t secret_;
  base::TimePoint opened_;
  PartitionRange partitions_;
  config::Scope scope_;
  config::Recrawl recrawl_;
  config::Traps traps_;
  std::size_t octets_max_;
  std::size_t loose_max_;

  Seen seen_;
  base::StringMap<std::unique_ptr<Host>> hosts_;
  base::StringMap<Site> sites_;
  std::vector<Host*> touched_;  ///< to be written, or let go, by commit()
  std::deque<Host*> loose_;     ///< not held and written, the oldest first; held ones may be among them
  std::vector<Tally> tallies_;  ///< by partition, counted from the first of ours
  std::vector<std::uint32_t> touched_tallies_;
  std::vector<Site*> touched_sites_;
  std::size_t octets_ = 0;  ///< of held origins and their items
  std::size_t held_ = 0;
  std::uint64_t damaged_ = 0;
};

}  // namespace crawler
