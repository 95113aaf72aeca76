#pragma once
// What a shard has done since it started, for the minute line and for metrics. Plain values.
#include "crawler/fate.h"
#include "crawler/histogram.h"
#include "fetch/fetcher.h"
#include "fetch/guard.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace crawler {

/// What was asked for.
enum class Asked { page, robots, sitemap };
inline constexpr std::size_t kAsked = static_cast<std::size_t>(Asked::sitemap) + 1;
std::string_view to_string(Asked);

/// What kind of answer came.
enum class Answered { http_1xx, http_2xx, http_3xx, http_4xx, http_5xx, not_modified };
inline constexpr std::size_t kAnswered = static_cast<std::size_t>(Answered::not_modified) + 1;
std::string_view to_string(Answered);
/// Of a status that is not 0.
Answered answered(int status);

inline constexpr std::size_t kAddressClasses = static_cast<std::size_t>(fetch::AddressClass::v6_embedded) + 1;

struct Counters {
  std::uint64_t requests = 0;         ///< sent, of any kind
  std::uint64_t robots_requests = 0;  ///< of those, for robots.txt
  std::uint64_t octets = 0;           ///< received on the wire
  std::uint64_t decoded = 0;          ///< octets of bodies, decoded
  std::uint64_t cut = 0;              ///< bodies that went on beyond what is read
  std::uint64_t queued = 0;           ///< URLs found that were new
  std::uint64_t seen = 0;             ///< ... and that were not
  std::uint64_t out_of_scope = 0;
  std::uint64_t over_budget = 0;
  std::uint64_t traps = 0;            ///< URLs that looked like those of a site without end
  std::uint64_t bugs = 0;             ///< exceptions that escaped from a visit
  std::uint64_t violations = 0;       ///< requests that came sooner than their interval: there must be none
  std::uint64_t robots_known = 0;     ///< robots.txt was at hand when it was asked about
  std::uint64_t robots_recalled = 0;  ///< ... and when it had to be looked for on disk
  std::array<std::uint64_t, kFates> fates{};
  /// Exchanges by fetch::Error, of which the first is none.
  std::array<std::uint64_t, fetch::kErrors> errors{};
  std::array<std::array<std::uint64_t, kAnswered>, kAsked> answers{};
  /// Names that led nowhere else, by class; `global` counts bad ports.
  std::array<std::uint64_t, kAddressClasses> blocked{};

  Histogram gaps;  ///< between two requests to one origin
  Histogram lag;   ///< from the instant when a request might be sent to when it was
  Histogram dns;
  Histogram connect;
  Histogram tls;
  Histogram first_octet;
  Histogram body;

  Counters& operator+=(const Counters& other);
};

}  // namespace crawler
