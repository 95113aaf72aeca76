#pragma once
// The index of a WARC file: CDXJ, one line for each capture.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// What a line says of a record. Texts may be empty: then the line does not have them.
struct Capture {
  std::string_view type;          ///< WARC-Type
  std::string_view target;        ///< WARC-Target-URI
  std::string_view date;          ///< WARC-Date, of which 14 digits are written
  std::string_view content_type;  ///< of the HTTP response; of a resource its own
  int status = 0;                 ///< of the HTTP response; 0: none
  std::string_view digest;        ///< WARC-Payload-Digest, written without its algorithm
  std::uint64_t length = 0;       ///< octets of the record in the file, packed
  std::uint64_t offset = 0;       ///< where it begins
  std::string_view filename;      ///< without folders
};

/// `SURT 14-digit-time {"url","mime","status","digest","length","offset","filename"}` and a line feed, in the
/// form of npm's warcio; nothing for what is not in an index: records other than response, revisit and
/// resource, those without a target, and resources of type application/warc-fields. A file of such lines is
/// sorted by octets: std::sort does.
std::optional<std::string> cdxj_line(const Capture& capture);

}  // namespace crawler
