#pragma once
// What each origin's robots.txt said, until when, and which request would tell us more (ROBOTS.md §8, RFC
// 9309 §2.3-2.4). Pure: it sends nothing. The owner asks want(), makes that request under a lease of the
// URL's own origin, and brings the answer to learn(). One request in flight per origin. One thread.
#include "base/backoff.h"
#include "base/hash.h"
#include "base/time.h"
#include "base/url.h"
#include "config/config.h"
#include "robots/rules.h"
#include "robots/saved.h"

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

/// The copies of one cache take no more memory than this, roughly, unless its constructor says otherwise.
inline constexpr std::size_t kCacheOctetsMax = std::size_t{256} * 1024 * 1024;

std::string_view to_string(Access);

/// What the next request on behalf of an origin is for.
enum class Purpose {
  robots_txt,    ///< robots.txt itself, or a redirect hop on the way to it
  probe_root,    ///< `/`, to tell a broken server from one that answers 5xx for a missing file
  probe_random,  ///< a random path, for the same
};

std::string_view to_string(Purpose);

struct Want {
  Purpose purpose = Purpose::robots_txt;
  base::Url url;     ///< may be of another origin (a redirect hop): that origin's lease is needed
  std::string etag;  ///< validators of the copy to revalidate; empty on hops and probes
  std::string last_modified;
};

/// What came back for a Want. `status` 0: nothing usable did (DNS, connect, TLS, timeout, reset, truncated or
/// undecodable body). A body cut at kFileOctetsMax is usable.
struct Answer {
  int status = 0;
  std::string body;
  std::string location;
  std::string etag;
  std::string last_modified;
  std::optional<base::Duration> max_age;      ///< Cache-Control
  std::optional<base::Duration> retry_after;  ///< relative to now
};

struct Verdict {
  Access access = Access::unknown;
  /// Meaningful for rules and stale_rules; elsewhere allowed mirrors the access (false for unknown and
  /// defer).
  Decision decision;
};

/// What an answer came to.
enum class Learned {
  goes_on,  ///< nothing yet: want() has the next step, a redirect or a probe, at once
  settled,  ///< where the origin stands, without a new file: 304, none there, a failure
  read,     ///< a new file was read, the answer's body
};

class Cache {
 public:
  /// `tokens` and `options` are copied. Named limits: options.cache_entries origins, `octets_max` octets of
  /// copies, roughly; the least recently used origin without a request in flight goes first.
  Cache(std::vector<std::string> tokens, const config::Robots& options,
        std::size_t octets_max = kCacheOctetsMax);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// May `url` be fetched at `now`? A copy past its lifetime is answered as it is until want() has been
  /// served, but see due().
  Verdict check(const base::Url& url, base::TimePoint now);

  /// Where `origin` stands; unknown when never heard of.
  Access access(const base::Origin& origin) const;

  /// The instant from which want() has a request for `origin`: in the past when nothing is known or the copy
  /// is no longer fresh, the retry instant when the origin did not answer, the expiry when it did.
  /// Nothing while a request is in flight.
  std::optional<base::TimePoint> due(const base::Origin& origin, base::TimePoint now) const;

  /// The request to make now, if any; from then on it is in flight until learn(). `random` names the random
  /// path of a probe.
  std::optional<Want> want(const base::Origin& origin, base::TimePoint now, base::Random& random);

  /// Takes the answer to the Want in flight. After a redirect or a step of a probe, want() gives the next
  /// request at once; otherwise the state is settled and due() says until when. An answer that nobody waits
  /// for changes nothing and counts as settled.
  Learned learn(const base::Origin& origin, Answer answer, base::TimePoint now, base::Random& random);

  /// The Want in flight could not be made (shutdown, lost errand): it may be asked for again.
  void forget_flight(const base::Origin& origin);

  /// What to write down of `origin` so that restore() can bring it back; nothing when it is unknown or its
  /// first fetch is not over. Of a later fetch under way nothing is saved.
  std::optional<Saved> saved(const base::Origin& origin) const;
  /// Brings back what saved() gave, in this run or an earlier one. `body`: the file that was read last, when
  /// there is a copy; it is parsed with the tokens and options of today. Does nothing when the origin is
  /// known, and when the parts do not fit (rules without a copy, a file that has lost its body): then it is
  /// asked again.
  void restore(const base::Origin& origin, Saved saved, std::string_view body);

  /// The rules in force for `origin`; null unless access is rules or stale_rules. Valid until the next
  /// learn() or restore().
  const Rules* rules(const base::Origin& origin) const;
  /// One clause for people: `200, 12 rules, fresh for 23h59m`, `503 since 2h, retry in 4m`.
  std::string explain(const base::Origin& origin, base::TimePoint now) const;
  std::size_t size() const;

 private:
  struct Entry;
  using Entries = std::list<Entry>;

  Entries::iterator find(const base::Origin& origin);
  const Entry* peek(const base::Origin& origin) const;
  Entries::iterator add(const base::Origin& origin);
  Learned learn_file(Entry& entry, const Answer& answer, base::TimePoint now, base::Random& random);
  Learned learn_redirect(Entry& entry, const Answer& answer, base::TimePoint now);
  Learned learn_probe(Entry& entry, const Answer& answer, base::TimePoint now);
  void weigh(Entry& entry);
  void evict();

  std::vector<std::string> tokens_;
  config::Robots options_;
  std::size_t octets_max_;
  Entries entries_;  ///< the most recently used first
  base::StringMap<Entries::iterator> by_origin_;
  std::size_t octets_ = 0;  ///< of all copies
};

}  // namespace robots
