#include "fetch/framing.h"

#include <algorithm>

namespace fetch {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Framing::State Framing::state() const {
  switch (at_) {
    case At::done: return State::done;
    case At::malformed: return State::malformed;
    case At::trailer_limit: return State::trailer_limit;
    default: return State::more;
  }
}

std::string_view Framing::next(std::string_view& octets) {
  while (!octets.empty() && state() == State::more) {
    if (at_ == At::counted) return take(octets, At::done);
    if (at_ == At::data) return take(octets, At::data_return);
    if (at_ == At::until_close) {
      const std::string_view all = octets;
      octets = {};
      return all;
    }
    line_octet(octets.front());
    octets.remove_prefix(1);
  }
  return {};
}

std::string_view Framing::take(std::string_view& octets, At after) {
  const std::string_view content = octets.substr(0, std::min<std::uint64_t>(left_, octets.size()));
  octets.remove_prefix(content.size());
  left_ -= content.size();
  if (left_ == 0) at_ = after;
  return content;
}

/// One octet of what is not content: chunk-size lines, the ends of chunks, trailers.
void Framing::line_octet(char octet) {
  switch (at_) {
    case At::size: return size_octet(octet);
    case At::extension:
      if (octet == '\n') {
        odd_ = true;
        return after_size();
      }
      if (octet == '\r') {
        at_ = At::size_line_feed;
      } else if (++line_octets_ > kChunkExtensionMax) {
        at_ = At::malformed;
      }
      return;
    case At::size_line_feed:
      if (octet != '\n')
        at_ = At::malformed;
      else
        after_size();
      return;
    case At::data_return:
      if (octet == '\n') odd_ = true;
      at_ = octet == '\r' ? At::data_line_feed : octet == '\n' ? At::size : At::malformed;
      return;
    case At::data_line_feed: at_ = octet == '\n' ? At::size : At::malformed; return;
    default: break;
  }
  // The trailer section: lines that are skipped, up to an empty one.
  if (trailer_left_ == 0) {
    at_ = At::trailer_limit;
    return;
  }
  --trailer_left_;
  const bool empty_line = at_ == At::trailer || at_ == At::trailer_line_feed;
  if (octet == '\n') {
    if (at_ == At::trailer) odd_ = true;
    at_ = empty_line ? At::done : At::trailer;
  } else if (at_ == At::trailer_line_feed) {
    at_ = At::malformed;
  } else {
    at_ = octet == '\r' && at_ == At::trailer ? At::trailer_line_feed : At::trailer_line;
  }
}

void Framing::size_octet(char octet) {
  const int digit = hex(octet);
  if (digit >= 0 && digits_ == line_octets_) {
    if (++line_octets_ > kChunkSizeMax) {
      at_ = At::malformed;
      return;
    }
    ++digits_;
    left_ = left_ << 4U | static_cast<unsigned>(digit);
    return;
  }
  // Some servers fill the line with blanks.
  if (digits_ > 0 && (octet == ' ' || octet == '\t')) {
    if (++line_octets_ > kChunkSizeMax) at_ = At::malformed;
    return;
  }
  if (digits_ == 0 || (octet != ';' && octet != '\r' && octet != '\n')) {
    at_ = At::malformed;
    return;
  }
  if (octet == '\n') {
    odd_ = true;
    return after_size();
  }
  line_octets_ = 0;
  at_ = octet == ';' ? At::extension : At::size_line_feed;
}

void Framing::after_size() {
  at_ = left_ == 0 ? At::trailer : At::data;
  line_octets_ = 0;
  digits_ = 0;
}

}  // namespace fetch
