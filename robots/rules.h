#pragma once
// One robots.txt, as it concerns one crawler: parsed once into an immutable rule set, checked without
// allocation. Parsing never fails and never throws on content (ROBOTS.md §1-7, RFC 9309 §2.2).
#include "base/rate.h"
#include "config/config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace robots {

inline constexpr std::size_t kFileOctetsMax = 512'000;  ///< decoded; the rest is not read
inline constexpr std::size_t kRuleOctetsMax = 2'048;
inline constexpr std::size_t kWarningsMax = 100;  ///< kept with their text; the others are only counted

/// A line that was ignored or changed, and why. `line` counts from 1.
struct Warning {
  int line = 0;
  std::string text;
};

/// May this URL be fetched, and which line says so. The views live as long as the Rules.
struct Decision {
  bool allowed = true;
  std::string_view group;  ///< our token as the config has it, `*`, or empty when no group concerns us
  std::string_view rule;   ///< the deciding record as written, `Disallow: /x`; empty when none matched
  int line = 0;            ///< of that record; 0 when none matched
};

/// Immutable; cheap to copy (shared state); safe to read from several threads.
class Rules {
 public:
  /// No rules: all allowed.
  Rules();
  /// `body`: the decoded octets; only the first kFileOctetsMax count. A body as long as that may have been
  /// cut there: its last line is dropped unless it ends there. `tokens`: our product tokens in order of
  /// preference (ROBOTS.md §2).
  static Rules parse(std::string_view body, std::span<const std::string> tokens,
                     const config::Robots& options);

  /// `target` is base::Url::target(): normalised path + `?query`. Bounded below 10 ms of CPU for any file and
  /// any target of up to 8 KiB. Allocates nothing. Exact, except that version 2.0 patterns which no budget
  /// could decide (robots/glob.h) are taken strictly: a Disallow matches, an Allow does not.
  Decision check(std::string_view target) const;

  std::string_view group() const;                            ///< as in Decision
  std::optional<double> crawl_delay() const;                 ///< seconds, as written, the largest of several
  std::span<const base::RequestRate> request_rates() const;  ///< as written, in file order, before the floor
  std::span<const base::DailyWindow> visit_times() const;
  std::span<const std::string> sitemaps() const;  ///< values as written, in file order, no duplicates
  std::span<const Warning> warnings() const;
  std::size_t warning_count() const;  ///< also those beyond kWarningsMax
  std::size_t rule_count() const;
  struct Rule {
    std::string_view text;  ///< as Decision::rule
    int line = 0;
    bool allow = false;
  };
  /// The first `most` rules in the order of the file, for people. The views live as long as the Rules.
  std::vector<Rule> listing(std::size_t most) const;
  std::size_t octets() const;  ///< of memory, roughly

  struct Data;

 private:
  explicit Rules(std::shared_ptr<const Data> data);
  std::shared_ptr<const Data> data_;
};

/// Sitemaps of `rules` resolved against the URL that robots.txt came from: http(s) only, order kept,
/// duplicates dropped (ROBOTS.md §7).
std::vector<base::Url> resolved_sitemaps(const Rules& rules, const base::Url& robots_url);

/// Request-rate value -> rate; nothing when malformed (ROBOTS.md §6).
std::optional<base::RequestRate> parse_request_rate(std::string_view value);
/// Crawl-delay value -> seconds; nothing when malformed (ROBOTS.md §5).
std::optional<double> parse_crawl_delay(std::string_view value);
/// `hhmm-hhmm` and its variants (ROBOTS.md §6) -> window; nothing when malformed.
std::optional<base::DailyWindow> parse_window(std::string_view value);

}  // namespace robots
