#pragma once
// The native protocol of systemd-journald: a datagram of fields (systemd.io/JOURNAL_NATIVE_PROTOCOL).
#include <cstddef>
#include <string>
#include <string_view>

namespace base {

inline constexpr std::string_view kJournalSocket = "/run/systemd/journal/socket";
/// Octets of an entry's MESSAGE, and of an entry. A datagram may have some 200 KiB (net.core.wmem_default).
inline constexpr std::size_t kJournalMessageMax = std::size_t{16} * 1024;
inline constexpr std::size_t kJournalEntryMax = std::size_t{64} * 1024;

/// An entry in the making.
class JournalEntry {
 public:
  /// `key`: A-Z, 0-9 and `_`. Any octets may be in `value`: one with a line end is written with its length. A
  /// field that does not fit any more is left out, and CRAWLD_CUT=1 says so.
  void add(std::string_view key, std::string_view value);
  /// The datagram.
  std::string take();

 private:
  std::string octets_;
  bool cut_ = false;
};

/// `text` cut to `octets_max`, between two characters, with `…` at its end.
std::string cut_text(std::string text, std::size_t octets_max);

/// True when standard error goes to the journal: $JOURNAL_STREAM names its device and inode
/// (systemd.exec(5)).
bool stderr_is_journal();

}  // namespace base
