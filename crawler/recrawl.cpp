#include "crawler/recrawl.h"

#include <algorithm>

namespace crawler {
namespace {

base::Duration period_of(Changes said) {
  using namespace std::chrono_literals;
  constexpr auto kDay = 24h;
  switch (said) {
    case Changes::unknown:
    case Changes::always: return 0h;
    case Changes::hourly: return 1h;
    case Changes::daily: return kDay;
    case Changes::weekly: return 7 * kDay;
    case Changes::monthly: return 30 * kDay;
    case Changes::yearly: return 365 * kDay;
    case Changes::never: return base::Duration::max();
  }
  return 0h;
}

}  // namespace

std::optional<base::Duration> next_interval(const config::Recrawl& config, const UrlRecord* before,
                                            const Finding& finding) {
  if (!config.enabled) return std::nullopt;
  if (finding.fate == Fate::gone && (before == nullptr ? 0 : before->gone) + 1 >= kGoneAfter)
    return std::nullopt;
  if (before == nullptr || before->interval <= base::Duration::zero()) {
    if (finding.said == Changes::unknown) return config.initial;
    return std::clamp(period_of(finding.said), config.min, config.max);
  }
  // Halved and doubled without overflow: max is far below half of what a Duration holds.
  const base::Duration last = std::min(before->interval, config.max);
  return std::clamp(finding.changed ? last / 2 : last * 2, config.min, config.max);
}

}  // namespace crawler
