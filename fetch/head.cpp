#include "fetch/head.h"

#include "fetch/fields.h"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <limits>

namespace fetch {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kLineEnd = "\r\n";

std::string_view name_of(std::string_view line) {
  return line.substr(0, line.find(':'));
}

std::string_view value_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view() : trimmed(line.substr(colon + 1));
}

/// `HTTP/1.1 200`, where Beast wants another blank.
bool lacks_reason(std::string_view line) {
  constexpr std::size_t kVersionAndStatus = 12;
  return line.size() == kVersionAndStatus && line.starts_with("HTTP/");
}

/// `text` without its Content-Length lines.
std::string without_lengths(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::size_t end = text.find(kLineEnd) + kLineEnd.size();
    const std::string_view line = text.substr(0, end);
    if (!same_word(name_of(line), "content-length")) rest += line;
    text.remove_prefix(end);
  }
  return rest;
}

}  // namespace

HeadReader::State HeadReader::fail(Error error, std::string detail) {
  error_ = error;
  detail_ = std::move(detail);
  return State::failed;
}

HeadReader::State HeadReader::feed(std::string_view& octets) {
  while (!octets.empty()) {
    const std::size_t end = octets.find('\n');
    const std::size_t count = end == std::string_view::npos ? octets.size() : end + 1;
    if (count > octets_max_ - octets_) return fail(Error::head_limit, "the head is too long");
    octets_ += count;
    text_ += octets.substr(0, count);
    octets.remove_prefix(count);
    if (end == std::string_view::npos) break;
    const State state = take_line();
    if (state != State::more) return state;
  }
  return State::more;
}

HeadReader::State HeadReader::take_line() {
  text_.pop_back();
  if (text_.size() > line_begin_ && text_.back() == '\r') {
    text_.pop_back();
  } else {
    odd_ = true;
  }
  const std::string_view line = std::string_view(text_).substr(line_begin_);
  const bool last = line.empty();
  if (last && lines_ == 0) return fail(Error::protocol, "an empty line before the status line");
  if (!last && ++lines_ > kFieldsMax + 1) return fail(Error::head_limit, "too many fields");
  if (lines_ == 1 && lacks_reason(line)) {
    text_ += ' ';
    odd_ = true;
  } else if (same_word(name_of(line), "transfer-encoding")) {
    if (same_word(value_of(line), "identity")) {
      odd_ = true;
      text_.resize(line_begin_);
      return State::more;
    }
    transfer_encoding_ = true;
  }
  text_ += kLineEnd;
  line_begin_ = text_.size();
  return last ? parse() : State::more;
}

HeadReader::State HeadReader::parse() {
  if (transfer_encoding_) {
    std::string text = without_lengths(text_);
    if (text.size() != text_.size()) odd_ = true;
    text_ = std::move(text);
  }
  http::response_parser<http::empty_body> parser;
  parser.header_limit(std::numeric_limits<std::uint32_t>::max());  // counted already
  parser.skip(true);
  boost::system::error_code failed;
  parser.put(boost::asio::buffer(text_), failed);
  if (failed) return fail(Error::protocol, failed.message());
  if (!parser.is_header_done()) return fail(Error::protocol, "not a response head");

  const auto& message = parser.get();
  head_.status = static_cast<int>(message.result_int());
  if (head_.status < 100) return fail(Error::protocol, "status below 100");
  for (const auto& field : message) {
    head_.headers.add(std::string(field.name_string()), std::string(field.value()));
  }
  head_.keep_alive = message.keep_alive();
  const std::string coding = head_.headers.joined("Transfer-Encoding");
  head_.chunked = same_word(coding, "chunked");
  head_.coded_transfer = transfer_encoding_ && !head_.chunked;
  if (const auto length = parser.content_length()) head_.length = *length;
  return State::done;
}

}  // namespace fetch
