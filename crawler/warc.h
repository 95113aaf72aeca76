#pragma once
// Records of WARC/1.1 (ISO 28500:2017), packed one by one as they lie in a file. Pure: no file, no clock, no
// chance.
#include "base/time.h"
#include "config/config.h"
#include "crawler/digest.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crawler {

/// How a record is packed: as a gzip member (.warc.gz) or as a zstd frame with its content size and checksum
/// (.warc.zst). Either way a reader can begin at any record.
using config::Packing;

/// Longest value of a field that is written, in octets; what is longer is cut. Twice the longest URL.
inline constexpr std::size_t kWarcValueMax = 16 * 1024;

struct WarcRecord {
  std::string_view type;     ///< `response`
  std::string id;            ///< warc_id(), without the angle brackets
  base::WallTime date{};     ///< written with milliseconds
  std::string target;        ///< WARC-Target-URI; empty: none
  std::string content_type;  ///< of the block; empty: none
  /// Further fields in this order. Names are ours (tokens of RFC 9110 §5.6.2, which is asserted); values that
  /// name records have angle brackets around them.
  std::vector<std::pair<std::string, std::string>> fields;
  std::string_view head;       ///< of the block: for HTTP up to the empty line, including it
  std::string_view body;       ///< the rest of the block: the payload
  std::string payload_digest;  ///< digest_text(); empty: none is written
  bool packed = false;         ///< the body is compressed already: compressing it again would only cost time
};

/// The whole gzip member or zstd frame: header, block, WARC-Block-Digest of `kind`, Content-Length and the
/// two line ends behind the block. Octets of a value that are not printable ASCII are written as %XX, so that
/// nobody from outside can end a line or a header. Throws std::bad_alloc.
std::string pack(const WarcRecord& record, Digest kind, Packing packing);

/// `urn:uuid:…`, a UUID of version 4 (RFC 9562 §5.4) of 128 random bits.
std::string warc_id(std::uint64_t high, std::uint64_t low);

}  // namespace crawler
