#pragma once
// A line of a crawl log, read back: either form of crawler/crawl_log.h. Pure.
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Longest line that is read, in octets, without its end: more than crawl_log.h writes at its own limits.
inline constexpr std::size_t kLogLineMax = std::size_t{256} * 1024;

/// What a line says. Texts are as the log has them: in Heritrix's columns what was not printing ASCII is
/// percent-encoded. Empty texts are absent.
struct LogLine {
  base::WallTime logged{};
  std::optional<base::WallTime> begun;  ///< none: nothing was sent
  std::int64_t took_ms = 0;
  int status = 0;
  std::uint64_t octets = 0;
  std::string url;
  std::string mime;     ///< without its parameters
  std::string fate;     ///< a word of Fate, or `robots`: a request on behalf of robots.txt
  std::string error;    ///< a word of fetch::Error or of a failed request
  std::string purpose;  ///< of a request on behalf of robots.txt, when it is not for the file itself

  // Lines of older versions are without these.
  std::optional<base::Duration> interval;
  std::string reason;
  std::optional<std::int64_t> axis_ms;
  std::string robots;
  std::string group;
  std::string rule;
  std::uint64_t rule_line = 0;
  std::string behalf;
  std::string run;

  /// A request went out, or may have: an address was connected to.
  bool asked() const;
};

/// The lines of `text`, without line ends, into `line`; returns why it is none, empty when it is one.
std::string read_log_line(std::string_view text, LogLine& line);

}  // namespace crawler
