#pragma once
// From what the wire did to what robots.txt is told. Pure.
#include "base/time.h"
#include "fetch/fetcher.h"
#include "robots/cache.h"

namespace crawler {

/// `now` is when the outcome came: Retry-After dates count from it.
robots::Answer to_answer(fetch::Outcome outcome, base::WallTime now);

/// Cache-Control max-age (RFC 9111 §5.2.2.1); no-cache, no-store and nonsense are zero; nothing when absent.
std::optional<base::Duration> max_age_of(const fetch::Headers& headers);

}  // namespace crawler
