#include "fetch/head_lines.h"

#include "fetch/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace fetch {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHttp = "HTTP/";
constexpr std::string_view kIcy = "ICY ";
/// Most heads are no longer.
constexpr std::size_t kUsualOctets = 1024;

Step failed(Error error, std::string detail) {
  Step step;
  step.error = error;
  step.detail = std::move(detail);
  return step;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_control(char c) {
  const auto octet = static_cast<unsigned char>(c);
  return (octet < 0x20 && c != '\t') || octet == 0x7F;
}

/// The octets of a token (RFC 9110 §5.6.2).
constexpr std::array<bool, 256> kTokenOctets = [] {
  std::array<bool, 256> octets{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    octets[static_cast<unsigned char>(c)] = true;
  return octets;
}();

bool is_token(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return kTokenOctets[static_cast<unsigned char>(c)]; });
}

bool is_token_list(std::string_view text) {
  while (!text.empty()) {
    const std::string_view element = next_element(text);
    if (!element.empty() && !is_token(element)) return false;
  }
  return true;
}

/// Control octets become blanks (RFC 9110 §5.5). Whether there were any.
bool clean(std::string& text) {
  const bool dirty = std::ranges::any_of(text, is_control);
  if (dirty) std::ranges::replace_if(text, is_control, ' ');
  return dirty;
}

bool take_word(std::string_view& rest, std::string_view word) {
  if (!same_word(rest.substr(0, word.size()), word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

/// Takes a version and returns the one of HTTP/1 that its semantics are read by: `HTTP/1.0` and `ICY`
/// are 1.0, other minor versions 1.1 (RFC 9110 §2.5), and so are 2 and 3, which a server that got our request
/// line cannot mean.
std::optional<int> take_minor_version(std::string_view& rest) {
  if (take_word(rest, kIcy)) return 0;
  if (!take_word(rest, kHttp) || rest.size() < 2 || rest[0] < '1' || rest[0] > '3') return std::nullopt;
  const bool has_minor = rest.size() > 2 && rest[1] == '.' && is_digit(rest[2]);
  if (rest[0] == '1' && !has_minor) return std::nullopt;
  const bool is_10 = rest[0] == '1' && rest[2] == '0';
  rest.remove_prefix(has_minor ? 3 : 1);
  if (rest.empty() || !is_blank(rest.front())) return std::nullopt;
  return is_10 ? 0 : 1;
}

/// Takes three digits, behind which there is no other. A reason may follow at once.
std::string_view take_status(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
  return end == 3 ? rest.substr(0, end) : std::string_view();
}

}  // namespace

bool may_become_status_line(std::string_view line) {
  std::size_t blanks = 0;
  while (blanks < line.size() && (is_blank(line[blanks]) || is_control(line[blanks]))) {
    if (++blanks > kLeadingBlanksMax) return false;
  }
  line.remove_prefix(blanks);
  const auto begins = [&](std::string_view word) {
    const std::size_t count = std::min(line.size(), word.size());
    return same_word(line.substr(0, count), word.substr(0, count));
  };
  return begins(kHttp) || begins(kIcy);
}

Step HeadLines::add(std::string_view line) {
  if (text_.empty()) return add_status_line(line);
  if (line.empty()) return end();
  if (++lines_ > kFieldsMax) return failed(Error::head_limit, "too many fields");
  return add_field_line(line);
}

Step HeadLines::add_status_line(std::string_view line) {
  std::string cleaned(line);
  odd_ = clean(cleaned) || odd_;
  std::string_view rest = trimmed(cleaned);
  if (rest.empty()) {
    odd_ = true;
    return ++empty_lines_ > kEmptyLinesMax ? failed(Error::protocol, "too many empty lines") : Step{};
  }
  const std::optional<int> minor = take_minor_version(rest);
  if (!minor) return failed(Error::protocol, "not a status line");
  const std::string_view status = take_status(rest);
  if (status.empty()) return failed(Error::protocol, "not a status line");
  if (status.front() == '0') return failed(Error::protocol, "status below 100");
  http10_ = *minor == 0;
  text_.reserve(kUsualOctets);
  text_ = http10_ ? "HTTP/1.0 " : "HTTP/1.1 ";
  text_.append(status).append(" ");
  if (!line.starts_with(text_)) odd_ = true;
  text_ += kLineEnd;  // the reason tells nothing
  return {};
}

Step HeadLines::add_field_line(std::string_view line) {
  if (is_blank(line.front())) {  // obs-fold (RFC 9112 §5.2), or blanks before the first field (§2.2)
    odd_ = true;
    if (name_.empty()) return {};
    value_ += ' ';
    value_ += trimmed(line);
    return {};
  }
  Step ended = end_field();
  if (ended.error != Error::none) return ended;
  const std::size_t colon = line.find(':');
  std::string_view name = line.substr(0, colon);
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  if (name.size() != colon) odd_ = true;  // no colon, or blanks in front of it (RFC 9112 §5.1)
  if (colon == std::string_view::npos || !is_token(name)) {
    odd_ = true;
    return {};
  }
  name_ = name;
  value_ = line.substr(colon + 1);
  return {};
}

/// The field under way has no more lines.
Step HeadLines::end_field() {
  if (name_.empty()) return {};
  odd_ = clean(value_) || odd_;
  const std::string_view value = trimmed(value_);
  if (name_.size() + value.size() > kFieldOctetsMax) return failed(Error::head_limit, "a field is too long");
  bool kept = true;
  if (same_word(name_, "content-length")) {
    add_lengths(value);
  } else if (same_word(name_, "transfer-encoding")) {
    add_transfer_codings(value);
  } else if (same_word(name_, "connection") || same_word(name_, "proxy-connection")) {
    kept = is_token_list(value);  // Beast refuses others; and whatever it says, this connection is not kept
    if (!kept) odd_ = true;
  }
  if (kept) put_field(name_, value);
  name_.clear();
  return {};
}

void HeadLines::put_field(std::string_view name, std::string_view value) {
  text_.append(name).append(": ").append(value).append(kLineEnd);
}

/// Takes all fields called `name` out of the text.
void HeadLines::drop_field(std::string_view name) {
  odd_ = true;
  std::string kept;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::size_t end = rest.find(kLineEnd) + kLineEnd.size();
    if (!same_word(rest.substr(0, rest.find(':')), name)) kept += rest.substr(0, end);
    rest.remove_prefix(end);
  }
  text_ = std::move(kept);
}

/// Two lengths are compared as they are written (fetch.spec.whatwg.org, "extract a length").
void HeadLines::add_lengths(std::string_view value) {
  for (bool more = true; more;) {
    const std::size_t comma = value.find(',');
    const std::string_view length = trimmed(value.substr(0, comma));
    lengths_repeat_ = length_text_.has_value();
    if (!length_text_) length_text_ = length;
    if (*length_text_ != length) lengths_differ_ = true;
    more = comma != std::string_view::npos;
    if (more) value.remove_prefix(comma + 1);
  }
}

void HeadLines::add_transfer_codings(std::string_view value) {
  plain_transfer_ = !transfer_encoding_ && same_word(value, "chunked");
  transfer_encoding_ = true;
  if (!plain_transfer_ || http10_) odd_ = true;  // RFC 9112 §6.1
  while (!value.empty()) {
    const std::string_view coding = next_element(value);
    if (same_word(coding, "chunked")) {
      chunked_ = true;  // said twice it is done once, which is what servers mean
    } else if (!coding.empty() && !same_word(coding, "identity")) {
      coded_transfer_ = true;
    }
  }
}

/// The head is complete: what its fields say about the body is put in order.
Step HeadLines::end() {
  Step ended = end_field();
  if (ended.error != Error::none) return ended;
  if (transfer_encoding_ && !plain_transfer_) {
    drop_field("transfer-encoding");
    if (chunked()) put_field("Transfer-Encoding", "chunked");
  }
  if (length_text_ && (chunked_ || coded_transfer_)) {
    drop_field("content-length");  // RFC 9112 §6.3
  } else if (length_text_) {
    if (lengths_differ_) return failed(Error::protocol, "two different Content-Lengths");
    const char* const last = length_text_->data() + length_text_->size();
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(length_text_->data(), last, length);
    const bool is_number = error == std::errc() && end == last;
    if (is_number) length_ = length;
    if (!is_number || lengths_repeat_) drop_field("content-length");
    if (is_number && lengths_repeat_) put_field("Content-Length", *length_text_);
  }
  text_ += kLineEnd;
  complete_ = true;
  return {};
}

}  // namespace fetch
