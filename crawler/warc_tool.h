#pragma once
// `crawld warc …`: looks at WARC files, ours and others', in bounded memory. Files are paths; `-` is standard
// input. Returns an exit code of sysexits.h: 65 when something is wrong with a file, 66 when one cannot be
// read, 74 when the answer cannot be written.
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace crawler {

/// Problems that are printed for each file; the others are counted.
inline constexpr std::uint64_t kWarcProblemsShown = 100;
/// Longest payload that is decoded, in octets; more is cut, which is said.
inline constexpr std::size_t kWarcDecodedMax = std::size_t{64} * 1024 * 1024;

/// Compares everything in the files with everything: packing, record frames, header rules, digests. Names
/// each problem as `file:offset: what`, and says for each file how many records and problems there are, and
/// how much of it is whole.
int verify_warcs(const std::vector<std::string>& paths, bool json, std::ostream& out, std::ostream& talk);

/// One line for each capture in the files, all of them sorted together (crawler/cdxj.h). Holds all lines in
/// memory: about 300 octets for each. What is wrong with a file is named on `talk`.
int index_warcs(const std::vector<std::string>& paths, std::ostream& out, std::ostream& talk);

struct WarcQuestion {
  std::string path;
  std::optional<std::uint64_t> offset{};  ///< only the record that begins there; none: all
  bool headers = false;                   ///< only headers: the record's, and those of an HTTP message in it
  bool payload = false;                   ///< only the payload, without chunks and content codings
};

/// Writes records as they are, unpacked.
int show_warc(const WarcQuestion& question, std::ostream& out, std::ostream& talk);

}  // namespace crawler
