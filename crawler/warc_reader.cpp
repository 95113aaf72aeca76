#include "crawler/warc_reader.h"

#include "crawler/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace crawler {
namespace {

constexpr std::string_view kMagic = "WARC/";
constexpr std::string_view kTail = "\r\n\r\n";

std::optional<std::uint64_t> count_of(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

bool line_end(char c) {
  return c == '\r' || c == '\n';
}

}  // namespace

WarcReader::WarcReader(std::istream& in, Look look, Report report, std::uint64_t offset)
    : members_(in, offset), look_(look), report_(std::move(report)), whole_until_(offset) {
  entry_.offset = offset;
  entered_ = members_.next();
  over_ = !entered_;
  if (over_) break_record("the file is empty");
}

void WarcReader::report(std::string what) {
  report_({entry_.offset, std::move(what)});
}

/// The record, or what should be one, is not whole.
void WarcReader::break_record(std::string what) {
  intact_ = false;
  open_ = false;
  left_ = 0;
  if (members_.trouble().empty())
    report(std::move(what));
  else if (!trouble_told_ && !unreadable())
    report(members_.trouble());
  trouble_told_ = !members_.trouble().empty();
}

/// Steps over what is left of a broken member; false when there is nothing behind it that could be read.
bool WarcReader::skip_rest() {
  if (!members_.packed() || !members_.trouble().empty()) return false;
  while (!members_.peek().empty()) members_.take(members_.peek().size());
  return true;
}

/// To where a record should begin; false at the end.
bool WarcReader::go_to_record() {
  if (!members_.packed()) {
    bool lines = false;
    entry_.offset = members_.offset();
    for (auto octets = members_.peek(); !octets.empty() && line_end(octets.front());
         octets = members_.peek()) {
      members_.take(1);
      lines = true;
    }
    if (lines) {
      intact_ = false;
      report("line ends that belong to no record");
    }
    entry_.offset = members_.offset();
    if (!members_.peek().empty()) return true;
    if (!members_.trouble().empty()) break_record({});
    return false;
  }
  do {
    if (entered_) entry_.offset = members_.begin();
    if (!members_.peek().empty()) {
      if (!entered_ && alone_) report("more than one record in this member");
      alone_ = std::exchange(entered_, false);
      return true;
    }
    if (entered_ && members_.trouble().empty()) break_record("an empty member");
    entered_ = members_.trouble().empty() && members_.next();
  } while (entered_);
  entry_.offset = members_.begin();
  if (!members_.trouble().empty()) break_record({});
  return false;
}

bool WarcReader::read_header() {
  HeadText head(kWarcHeadMax);
  while (head.state() == HeadText::State::more) {
    std::string_view octets = members_.peek();
    if (octets.empty()) break;
    const std::size_t had = octets.size();
    head.feed(octets);
    members_.take(had - octets.size());
    const std::size_t seen = std::min(head.text().size(), kMagic.size());
    if (head.text().substr(0, seen) != kMagic.substr(0, seen)) break;
  }
  if (!std::string_view(head.text()).starts_with(kMagic.substr(0, head.text().size()))) {
    break_record("no record begins here");
    return false;
  }
  if (head.state() != HeadText::State::done) {
    break_record(head.state() == HeadText::State::too_long
                     ? fmt::format("a header longer than {} octets", kWarcHeadMax)
                     : "it ends within a record's header");
    return false;
  }
  HeadFields fields = read_head(head.text(), kWarcFieldsMax);
  entry_.length = 0;
  entry_.whole = false;
  entry_.head = head.text();
  entry_.version = fields.first_line.substr(kMagic.size());
  if (look_ == Look::all) {
    for (std::string& problem : check_header(entry_.version, fields)) report(std::move(problem));
  }
  entry_.fields = std::move(fields.fields);
  const auto length = count_of(entry_.field("Content-Length"));
  if (!length) {
    break_record("Content-Length is no number");
    return false;
  }
  entry_.content_length = *length;
  return true;
}

const WarcEntry* WarcReader::next() {
  if (open_) finish();
  while (!over_) {
    if (!go_to_record()) {
      over_ = true;
    } else if (read_header()) {
      left_ = entry_.content_length;
      check_.reset();
      if (look_ == Look::all) check_.emplace(entry_.fields);
      open_ = true;
      ++records_;
      return &entry_;
    } else {
      over_ = !skip_rest();
    }
  }
  return nullptr;
}

std::string_view WarcReader::read() {
  if (!open_ || left_ == 0) return {};
  const std::string_view octets = members_.peek().substr(0, left_);
  if (octets.empty()) {
    break_record(fmt::format("Content-Length is {}, and the last {} octets are not there",
                             entry_.content_length, left_));
    return {};
  }
  members_.take(octets.size());
  left_ -= octets.size();
  if (check_) check_->add(octets);
  return octets;
}

/// Behind the block there are two line ends, and in a packed file the end of the member.
bool WarcReader::read_tail() {
  std::string tail;
  while (tail.size() < kTail.size()) {
    const std::string_view octets = members_.peek();
    if (octets.empty() || !line_end(octets.front())) break;
    tail += octets.front();
    members_.take(1);
  }
  const bool more = !members_.peek().empty();
  if (tail == kTail && members_.trouble().empty()) return true;
  break_record(fmt::format("behind the block of {} octets there are not two line ends{}",
                           entry_.content_length, more ? ", so Content-Length may be wrong" : ""));
  return false;
}

const WarcEntry& WarcReader::finish() {
  while (!read().empty()) {
  }
  if (!open_) {  // broken, or finished before
    if (!entry_.whole) over_ = over_ || !skip_rest();
    return entry_;
  }
  const std::uint64_t block_end = members_.offset();
  if (!read_tail()) {
    over_ = !skip_rest();
    return entry_;
  }
  open_ = false;
  entry_.whole = true;
  const bool ends = !members_.packed() || members_.peek().empty();
  if (ends && alone_) entry_.length = (members_.packed() ? members_.offset() : block_end) - entry_.offset;
  if (check_) {
    for (std::string& problem : check_->end()) report(std::move(problem));
  }
  if (ends && intact_) whole_until_ = members_.offset();
  return entry_;
}

}  // namespace crawler
