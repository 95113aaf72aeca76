#include "crawler/http_block.h"

#include "crawler/html_text.h"
#include "fetch/fields.h"

namespace crawler {
namespace {

int status_of(std::string_view line) {
  if (!same_word(line.substr(0, 5), "HTTP/")) return 0;
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos || line.size() < blank + 4) return 0;
  int status = 0;
  for (const char c : line.substr(blank + 1, 3)) {
    if (!is_decimal(c)) return 0;
    status = status * 10 + (c - '0');
  }
  return status;
}

}  // namespace

std::string_view HttpBlock::payload(std::string_view octets) {
  if (parted()) return octets;
  if (head_.feed(octets) != HeadText::State::done) return {};
  HeadFields read = read_head(head_.text(), kHttpFieldsMax);
  status_ = status_of(read.first_line);
  fields_ = std::move(read.fields);
  return octets;
}

bool HttpBlock::chunked() const {
  std::string_view rest = field("Transfer-Encoding");
  std::string_view last;
  while (!rest.empty()) last = fetch::next_element(rest);
  return same_word(last, "chunked");
}

bool is_http(std::string_view content_type) {
  constexpr std::string_view kHttp = "application/http";
  return same_word(content_type.substr(0, kHttp.size()), kHttp);
}

}  // namespace crawler
