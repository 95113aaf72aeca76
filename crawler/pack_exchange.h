#pragma once
// An exchange as WARC records: request, response or revisit, and metadata. Pure.
#include "base/random.h"
#include "base/time.h"
#include "base/url.h"
#include "config/config.h"
#include "crawler/parcel.h"
#include "fetch/fetcher.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crawler {

/// An earlier record with the same payload.
struct Twin {
  std::string target;
  base::WallTime date{};
};

/// What is written down of one exchange.
struct Exchange {
  const base::Url& url;
  const fetch::Outcome& outcome;  ///< with its wire
  base::WallTime begun{};
  bool address_known = true;     ///< the peer is the server itself, and no proxy that takes names
  std::string payload_digest{};  ///< payload_digest_of(), or empty: then it is made
  std::optional<Twin> twin{};    ///< the payload is not written again
  bool not_modified = false;     ///< 304, as it had been asked for
  /// Named fields of the metadata record (application/warc-fields), in order; none: no such record.
  std::vector<std::pair<std::string, std::string>> metadata{};
  bool metadata_alone = false;  ///< the page asked not to be kept
};

/// The body as it stands in a response record: with its content coding, without chunks.
std::string_view payload_of(const fetch::Outcome& outcome);
std::string payload_digest_of(const config::Archive& config, const fetch::Outcome& outcome);

/// By archive.types, statuses and max_size.
bool is_kept(const config::Archive& config, const fetch::Outcome& outcome);

/// Transfer codings have been taken off, so in the head of a response their field is called
/// X-Crawl-Transfer-Encoding, as Common Crawl does: readers would look for chunks otherwise.
Parcel pack_exchange(const config::Archive& config, const Exchange& exchange, base::Random& random);

/// The first record of a file: who made it, and how.
Parcel::Member pack_warcinfo(const config::Config& config, const std::string& hostname,
                             const std::string& file_name, base::WallTime at, base::Random& random);

}  // namespace crawler
