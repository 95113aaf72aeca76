#include "fetch/head.h"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <limits>

namespace fetch {

namespace http = boost::beast::http;

HeadReader::State HeadReader::fail(Error error, std::string detail) {
  failure_.error = error;
  failure_.detail = std::move(detail);
  return State::failed;
}

HeadReader::State HeadReader::feed(std::string_view& octets) {
  while (!octets.empty()) {
    const std::size_t end = octets.find('\n');
    const std::size_t count = end == std::string_view::npos ? octets.size() : end + 1;
    const std::uint64_t allowed = std::min<std::uint64_t>(count, octets_max_ - raw_.size());
    raw_ += octets.substr(0, allowed);
    // Before the limit and before the line end, so that it does not matter how the octets are sliced, and
    // whoever speaks another protocol is not waited for.
    if (!lines_.has_status_line() && !may_become_status_line(std::string_view(raw_).substr(line_)))
      return fail(Error::protocol, "not a status line");
    if (allowed < count) return fail(Error::head_limit, "the head is too long");
    octets.remove_prefix(count);
    if (end == std::string_view::npos) break;
    const State state = take_line();
    if (state != State::more) return state;
  }
  return State::more;
}

HeadReader::State HeadReader::take_line() {
  std::string_view line = std::string_view(raw_).substr(line_);
  line.remove_suffix(1);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  } else {
    odd_ = true;
  }
  line_ = raw_.size();
  failure_ = lines_.add(line);
  if (failure_.error != Error::none) return State::failed;
  return lines_.complete() ? parse() : State::more;
}

HeadReader::State HeadReader::parse() {
  http::response_parser<http::empty_body> parser;
  parser.header_limit(std::numeric_limits<std::uint32_t>::max());  // counted already
  parser.skip(true);
  boost::system::error_code refused;
  parser.put(boost::asio::buffer(lines_.text()), refused);
  // Not for anything that HeadLines gives; the fuzzer looks for it.
  if (refused || !parser.is_header_done()) return fail(Error::protocol, "not a response head");

  const auto& message = parser.get();
  head_.status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    head_.headers.add(std::string(field.name_string()), std::string(field.value()));
  }
  head_.keep_alive = message.keep_alive();
  head_.chunked = lines_.chunked();
  head_.coded_transfer = lines_.coded_transfer();
  head_.length = lines_.length();
  return State::done;
}

}  // namespace fetch
