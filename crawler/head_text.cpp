#include "crawler/head_text.h"

#include "crawler/html_text.h"

namespace crawler {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

HeadText::State HeadText::feed(std::string_view& octets) {
  while (state_ == State::more && !octets.empty()) {
    const std::size_t feed = octets.find('\n');
    const std::size_t length = feed == std::string_view::npos ? octets.size() : feed + 1;
    if (length > octets_max_ - text_.size()) return state_ = State::too_long;
    text_ += octets.substr(0, length);
    octets.remove_prefix(length);
    if (feed == std::string_view::npos) break;
    const std::string_view line = std::string_view(text_).substr(line_);
    if (line == "\n" || line == "\r\n") state_ = State::done;
    line_ = text_.size();
  }
  return state_;
}

HeadFields read_head(std::string_view text, std::size_t fields_max) {
  HeadFields out;
  bool first = true;
  bool kept = false;  // the field before is among out.fields
  while (!text.empty()) {
    const std::size_t feed = text.find('\n');
    std::string_view line = text.substr(0, feed);
    text.remove_prefix(feed == std::string_view::npos ? text.size() : feed + 1);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    else
      out.bare_feed = true;
    if (first) {
      out.first_line = line;
      first = false;
      continue;
    }
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (kept) (out.fields.back().second += ' ') += without_blanks(line);
      continue;
    }
    const std::size_t colon = line.find(':');
    kept = colon != std::string_view::npos && colon > 0 && out.fields.size() < fields_max;
    if (kept) {
      out.fields.emplace_back(without_blanks(line.substr(0, colon)), without_blanks(line.substr(colon + 1)));
    } else {
      (colon == std::string_view::npos || colon == 0 ? out.no_colon : out.too_many) = true;
    }
  }
  return out;
}

std::string_view find_field(const FieldLines& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (same_word(key, name)) return value;
  }
  return {};
}

}  // namespace crawler
