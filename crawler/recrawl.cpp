#include "crawler/recrawl.h"

#include <algorithm>

namespace crawler {

std::optional<base::Duration> next_interval(const config::Recrawl& config, const UrlRecord* before,
                                            const Finding& finding) {
  if (!config.enabled) return std::nullopt;
  if (finding.fate == Fate::gone && (before == nullptr ? 0 : before->gone) + 1 >= kGoneAfter)
    return std::nullopt;
  if (before == nullptr || before->interval <= base::Duration::zero()) return config.initial;
  // Halved and doubled without overflow: max is far below half of what a Duration holds.
  const base::Duration last = std::min(before->interval, config.max);
  return std::clamp(finding.changed ? last / 2 : last * 2, config.min, config.max);
}

}  // namespace crawler
