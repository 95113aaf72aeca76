#pragma once
// An HTTP message as the block of a WARC record: head, then payload.
#include "crawler/head_text.h"

#include <string>
#include <string_view>

namespace crawler {

/// Longest HTTP head that is told from its payload, in octets.
inline constexpr std::size_t kHttpHeadMax = std::size_t{256} * 1024;
/// Fields of it that are looked at.
inline constexpr std::size_t kHttpFieldsMax = 1024;

class HttpBlock {
 public:
  /// The block's next octets; returns those of them that are payload. There is none when the head is too
  /// long.
  std::string_view payload(std::string_view octets);
  /// The head is there as a whole, and what follows may be read.
  bool parted() const { return head_.state() == HeadText::State::done; }
  bool too_long() const { return head_.state() == HeadText::State::too_long; }
  const std::string& head() const { return head_.text(); }
  /// 0 for a request, and for what is no HTTP.
  int status() const { return status_; }
  std::string_view field(std::string_view name) const { return find_field(fields_, name); }
  /// The last transfer coding is chunked.
  bool chunked() const;

 private:
  HeadText head_{kHttpHeadMax};
  FieldLines fields_;
  int status_ = 0;
};

/// The media type says that a block is an HTTP message.
bool is_http(std::string_view content_type);

}  // namespace crawler
