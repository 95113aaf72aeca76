#pragma once
// What one origin has answered so far when asked for robots.txt, and what that means (ROBOTS.md §8). Plain
// data with the transitions that change it: nothing here knows how requests are made, or that there are other
// origins.
#include "base/random.h"
#include "base/time.h"
#include "config/config.h"
#include "robots/cache.h"
#include "robots/rules.h"
#include "robots/saved.h"

#include <optional>
#include <span>
#include <string>

namespace robots {

/// What is saved, and the file itself: has_copy means nothing here, `copy` does.
struct Standing : Saved {
  std::optional<Rules> copy;

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
