#pragma once
// When a page comes due again. Pure.
#include "config/config.h"
#include "crawler/fate.h"
#include "crawler/records.h"

#include <optional>

namespace crawler {

/// 404 or 410 so often in a row: the URL is gone for good and not visited again.
inline constexpr std::uint32_t kGoneAfter = 3;

/// What a visit found out about a page, as far as its plan is concerned.
struct Finding {
  Fate fate = Fate::fetched;        ///< never retry
  bool changed = false;             ///< another body than at the last visit
  Changes said = Changes::unknown;  ///< by a sitemap
};

/// The interval until the next visit; nothing when there is none. The first is recrawl.initial, or what a
/// sitemap says, within recrawl.min and recrawl.max; from then on
/// it is halved when the page has changed and doubled when it has not, within recrawl.min and recrawl.max.
/// What is not a page counts as not changed. `before`: the record of the last visit; null at the first.
std::optional<base::Duration> next_interval(const config::Recrawl& config, const UrlRecord* before,
                                            const Finding& finding);

}  // namespace crawler
