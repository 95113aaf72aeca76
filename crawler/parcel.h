#pragma once
// What one exchange leaves in the archive, packed and ready to be written.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// What the index says of a record, beside its place.
struct Indexed {
  std::string type;  ///< WARC-Type
  std::string target;
  std::string date;          ///< WARC-Date
  std::string content_type;  ///< of the answer
  int status = 0;
  std::string digest;  ///< WARC-Payload-Digest
};

/// Records that belong together: they stand in one file, one after the other, or not at all.
struct Parcel {
  struct Member {
    std::string octets;  ///< a whole gzip member or zstd frame
    std::optional<Indexed> index;
  };
  std::vector<Member> members;
  /// A JSON object about the page, without its closing brace: the place is added. Empty: no page.
  std::string page;

  std::uint64_t octets() const {
    std::uint64_t sum = 0;
    for (const Member& member : members) sum += member.octets.size();
    return sum;
  }
};

/// Where the record lies that the index has, or the first one.
struct Place {
  std::string file;  ///< its name, without folders
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

}  // namespace crawler
