#pragma once
// What is worth writing down of where an origin stands, so that a restart forgets neither a verdict nor an
// outage. Plain values; how they are written is the owner's business.
#include "base/time.h"

#include <optional>
#include <string>

namespace robots {

/// Where an origin stands.
enum class Access {
  unknown,      ///< nothing is known yet: ask want()
  rules,        ///< a fresh file
  stale_rules,  ///< an old file, used while its origin does not answer
  allow_all,    ///< no robots.txt there
  defer,        ///< unreachable and no copy: nothing may be fetched
};

/// Why an origin counts as one without robots.txt.
enum class Missing {
  no,
  empty,     ///< 2xx without an octet
  answered,  ///< 4xx
  astray,    ///< redirects that lead nowhere
  outage,    ///< 5xx for robots.unreachable_as_missing_after
  probed,    ///< 5xx where 404 is meant
};

/// Instants are of the steady axis.
struct Saved {
  Access access = Access::unknown;
  Missing missing = Missing::no;
  int status = 0;         ///< of the last answer that ended a fetch; 0: there was none
  base::TimePoint due{};  ///< when to ask again: expiry or retry

  // Of the last file that was read. It outlives its freshness.
  bool has_copy = false;  ///< there is one; its body is kept beside this
  std::string etag;
  std::string last_modified;
  base::Duration lifetime{};

  // The outage under way. All of it goes with the next real answer.
  unsigned failures = 0;
  std::optional<base::TimePoint> first_failure;
  std::optional<base::TimePoint> first_5xx;       ///< other failures in between do not reset it
  std::optional<base::TimePoint> only_5xx_since;  ///< other failures do
  std::optional<base::TimePoint> last_probe;

  friend bool operator==(const Saved&, const Saved&) = default;
};

}  // namespace robots
