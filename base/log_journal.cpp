#include "base/log_journal.h"

#include "base/log.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace base {
namespace {

constexpr std::string_view kCut = "CRAWLD_CUT=1\n";

/// Of syslog(3).
std::string_view priority_of(Level level) {
  switch (level) {
    case Level::trace:
    case Level::debug: return "7";
    case Level::info: return "6";
    case Level::warning: return "4";
    case Level::error: return "3";
  }
  return "6";
}

/// `warc_file` becomes `CRAWLD_WARC_FILE`.
std::string journal_key(std::string_view key) {
  std::string out = "CRAWLD_";
  for (const char c : key) out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

}  // namespace

void JournalEntry::add(std::string_view key, std::string_view value) {
  std::string field(key);
  if (value.find('\n') == std::string_view::npos) {
    field.append("=").append(value).append("\n");
  } else {
    field += '\n';
    for (unsigned shift = 0; shift < 64; shift += 8) {  // 64 bits, the low octet first
      field += static_cast<char>((std::uint64_t{value.size()} >> shift) & 0xFFU);
    }
    field.append(value).append("\n");
  }
  if (octets_.size() + field.size() + kCut.size() > kJournalEntryMax) {
    cut_ = true;
  } else {
    octets_ += field;
  }
}

std::string JournalEntry::take() {
  if (cut_) octets_ += kCut;
  cut_ = false;
  return std::exchange(octets_, {});
}

std::string cut_text(std::string text, std::size_t octets_max) {
  constexpr std::string_view kMore = "…";
  if (text.size() <= octets_max) return text;
  std::size_t end = octets_max - kMore.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text.append(kMore);
}

std::string priority_prefix(Level level) {
  return std::string("<").append(priority_of(level)).append(">");
}

std::string Line::as_journal() const {
  JournalEntry entry;
  entry.add("MESSAGE", cut_text(words(), kJournalMessageMax));
  entry.add("PRIORITY", priority_of(level_));
  entry.add("SYSLOG_IDENTIFIER", "crawld");
  const std::string_view id = event_of(event_).message_id;
  if (!id.empty()) entry.add("MESSAGE_ID", id);
  entry.add("CRAWLD_EVENT", event_);
  for (const Field& field : fields_) entry.add(journal_key(field.key), printable(field));
  return entry.take();
}

bool stderr_is_journal() {
  const char* const stream = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &status) != 0) return false;
  return std::string_view(stream) == std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

}  // namespace base
