#pragma once
// What one origin has answered so far when asked for robots.txt, and what that means (ROBOTS.md §8). Plain
// data with the transitions that change it: nothing here knows how requests are made, or that there are other
// origins.
#include "base/random.h"
#include "base/time.h"
#include "config/config.h"
#include "robots/cache.h"
#include "robots/rules.h"

#include <optional>
#include <span>
#include <string>

namespace robots {

/// Why an origin counts as one without robots.txt.
enum class Missing {
  no,
  empty,     ///< 2xx without an octet
  answered,  ///< 4xx
  astray,    ///< redirects that lead nowhere
  outage,    ///< 5xx for robots.unreachable_as_missing_after
  probed,    ///< 5xx where 404 is meant
};

struct Standing {
  Access access = Access::unknown;
  Missing missing = Missing::no;
  int status = 0;         ///< of the last answer that ended a fetch; 0: there was none
  base::TimePoint due{};  ///< when to ask again: expiry or retry

  // The last file that was read. It outlives its freshness.
  std::optional<Rules> copy;
  std::string etag;
  std::string last_modified;
  base::Duration lifetime{};

  // The outage under way. All of it goes with the next real answer.
  unsigned failures = 0;
  std::optional<base::TimePoint> first_failure;
  std::optional<base::TimePoint> first_5xx;       ///< other failures in between do not reset it
  std::optional<base::TimePoint> only_5xx_since;  ///< other failures do
  std::optional<base::TimePoint> last_probe;

  /// 2xx. `direct`: no redirect led here, so the validators are those of robots.txt itself.
  void read(const Answer& answer, bool direct, std::span<const std::string> tokens,
            const config::Robots& options, base::TimePoint now);
  /// 304 for the copy.
  void renew(const Answer& answer, base::TimePoint now);
  /// There is no file: an old copy goes, all is allowed, cached like a success.
  void miss(const Answer& answer, Missing why, base::TimePoint now);
  /// Nothing usable came. Returns whether it is time to probe (ROBOTS.md §8, "5xx where it means 404").
  bool fail(const Answer& answer, const config::Robots& options, base::TimePoint now, base::Random& random);

 private:
  void end_outage();
};

/// One clause for people.
std::string to_text(const Standing& standing, base::TimePoint now);

constexpr bool is_5xx(int status) {
  return status >= 500 && status <= 599;
}

}  // namespace robots
