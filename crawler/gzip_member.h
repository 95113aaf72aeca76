#pragma once
// One gzip member for one record of an archive, as quickly as it can be made.
#include <string>
#include <string_view>

namespace crawler {

/// `octets` as a whole gzip member (RFC 1952). Short and `packed` ones (packed before, such as a body that
/// came with a coding) are stored: compressing again costs a multiple of all else that is done for a page,
/// and wins nothing. The others are compressed lightly, by ISA-L where there is one. Throws std::bad_alloc.
/// Any thread; each keeps its own tables.
std::string gzip_member(std::string_view octets, bool packed);

/// Below this a record is stored: the tables of a compressor cost more than such a record is worth.
inline constexpr std::size_t kGzipOctetsMin = 1024;

}  // namespace crawler
