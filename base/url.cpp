// The state machine of the standard, told as functions: scheme, authority, path, query. Each writes its
// normal form behind the last, so that one growing string holds the result and `..` only has to cut it. What
// the standard does for other schemes has no place here. Octets that are no UTF-8 are percent-encoded as they
// are: a server that sent them knows them.
#include "base/url.h"

#include "base/url_host.h"
#include "base/url_octets.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace base {
namespace {

constexpr bool is_slash(char c) {
  return c == '/' || c == '\\';
}
constexpr bool is_alpha(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Appends `text`, percent-encoding the octets of class `encode`.
void append_encoded(std::string_view text, std::uint8_t encode, std::string& out) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    if ((kOctets[octet] & encode) == 0) continue;
    out.append(text, plain, i - plain);
    const char escaped[3] = {'%', kHex[octet >> 4U], kHex[octet & 15U]};
    out.append(escaped, sizeof escaped);
    plain = i + 1;
  }
  out.append(text, plain, text.size() - plain);
}

/// How many dots a path segment stands for: 1 for `.` and `%2e`, 2 for `..` and its spellings, 0 for a name.
int dots_of(std::string_view segment) {
  int dots = 0;
  while (!segment.empty()) {
    if (segment.front() == '.') {
      segment.remove_prefix(1);
    } else if (segment.size() >= 3 && segment[0] == '%' && segment[1] == '2' && (segment[2] | 0x20) == 'e') {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

/// Appends the segments of `path` to those that `out` has from `origin_end` on. `path` has no leading slash.
void append_path(std::string_view path, std::size_t origin_end, std::string& out) {
  while (true) {
    std::size_t end = 0;
    std::uint8_t classes = 0;
    for (; end < path.size(); ++end) {
      const std::uint8_t octet = kOctets[static_cast<unsigned char>(path[end])];
      if ((octet & kEndsSegment) != 0) break;
      classes |= octet;
    }
    const std::string_view segment = path.substr(0, end);
    const bool last = end == path.size();
    const int dots = segment.empty() || (segment[0] != '.' && segment[0] != '%') ? 0 : dots_of(segment);
    if (dots == 2 && out.size() > origin_end) out.resize(out.rfind('/'));
    if (dots == 0) {
      out += '/';
      if ((classes & kEncodeInPath) != 0) {
        append_encoded(segment, kEncodeInPath, out);
      } else {
        out.append(segment);
      }
    } else if (last) {
      out += '/';
    }
    if (last) return;
    path.remove_prefix(end + 1);
  }
}

/// Splits `text` at its first `c`; the second half comes without it.
bool cut(std::string_view& text, char c, std::string_view& rest) {
  const std::size_t at = text.find(c);
  if (at == std::string_view::npos) return false;
  rest = text.substr(at + 1);
  text = text.substr(0, at);
  return true;
}

/// A reference without white space around it and without fragment.
struct Reference {
  std::string_view text;
  /// Nothing to encode, no tab or line end, no backslash in the path, no segment that may stand for `.` or
  /// `..`: append_path() and append_encoded() would do no more than copy any part of it that begins with a
  /// segment or a query. Said of the whole, scheme and host included, because nearly all links are so; the
  /// others are read at leisure.
  bool plain = false;
  /// Has octets that no path may hold: tabs and line ends may be among them.
  bool foreign = false;
};

Reference look_at(std::string_view input) {
  const auto is_edge = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!input.empty() && is_edge(input.front())) input.remove_prefix(1);
  while (!input.empty() && is_edge(input.back())) input.remove_suffix(1);

  std::size_t at = 0;
  std::uint8_t in_path = 0;
  bool dots = false;
  for (std::uint8_t before = kBeginsSegment; at < input.size(); ++at) {
    const std::uint8_t octet = kOctets[static_cast<unsigned char>(input[at])];
    if ((octet & kEndsPath) != 0) break;
    if ((octet & kMayBeDot) != 0 && (before & kBeginsSegment) != 0) {
      // Of all percent-encodings only %2e is a dot.
      dots = dots || input[at] == '.' || input.substr(at + 1, 1) == "2";
    }
    in_path |= octet;
    before = octet;
  }
  std::uint8_t in_query = 0;
  if (at < input.size() && input[at] == '?') {
    for (; at < input.size() && input[at] != '#'; ++at) {
      in_query |= kOctets[static_cast<unsigned char>(input[at])];
    }
  }
  const bool copies = (in_path & (kEncodeInPath | kBackslash)) == 0 && (in_query & kEncodeInQuery) == 0;
  return {input.substr(0, at), copies && !dots, ((in_path | in_query) & kEncodeInPath) != 0};
}

/// Path and query. `path` has no leading slash; `plain` as in Reference.
void append_target(std::string_view path, bool plain, std::size_t origin_end, std::string& out) {
  if (plain) {
    out += '/';
    out.append(path);
    return;
  }
  std::string_view query;
  const bool has_query = cut(path, '?', query);
  append_path(path, origin_end, out);
  if (!has_query) return;
  out += '?';
  append_encoded(query, kEncodeInQuery, out);
}

/// Appends `:port` unless it is the default. Leading zeros and an empty port are fine.
UrlError append_port(std::string_view digits, bool secure, std::string& out) {
  std::uint32_t port = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return UrlError::bad_port;
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > 65535) return UrlError::bad_port;
  }
  if (digits.empty() || port == (secure ? 443U : 80U)) return UrlError::ok;
  std::array<char, 8> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), port).ptr;
  out += ':';
  out.append(text.data(), end);
  return UrlError::ok;
}

/// Host and port out of `user:password@host:port`.
UrlError append_authority(std::string_view authority, bool secure, std::string& out) {
  authority.remove_prefix(authority.rfind('@') + 1);
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = bracket == std::string_view::npos ? bracket : authority.find(':', bracket);
  const std::string_view host = authority.substr(0, colon);
  if (host.empty() || !append_host(host, out)) return UrlError::bad_host;
  return colon == std::string_view::npos ? UrlError::ok
                                         : append_port(authority.substr(colon + 1), secure, out);
}

struct Draft {
  std::string& text;  ///< empty
  bool plain = false;
  std::size_t origin_end = 0;

  /// `rest` is what follows the scheme and all of its slashes.
  UrlError read_absolute(std::string_view rest, bool secure) {
    const std::string_view scheme = secure ? "https://" : "http://";
    text.reserve(scheme.size() + rest.size() + 1);
    text = scheme;
    std::size_t end = 0;
    while (end < rest.size() && (kOctets[static_cast<unsigned char>(rest[end])] & kEndsSegment) == 0) ++end;
    const UrlError error = append_authority(rest.substr(0, end), secure, text);
    if (error != UrlError::ok) return error;
    origin_end = text.size();
    rest.remove_prefix(end);
    if (!rest.empty() && is_slash(rest.front())) rest.remove_prefix(1);
    append_target(rest, plain, origin_end, text);
    return UrlError::ok;
  }

  /// Whether `reference` begins with the origin of `base`, in its canonical text and up to its end: then its
  /// host need not be read. Only for what is plain.
  bool read_same_origin(std::string_view reference, const Url& base) {
    const std::string_view origin = base.origin_text();
    const bool same =
        reference.size() > origin.size() && reference[origin.size()] == '/' && reference.starts_with(origin);
    if (!same) return false;
    text = reference;
    origin_end = origin.size();
    return true;
  }

  void read_relative(std::string_view reference, const Url& base) {
    const std::string_view origin = base.origin_text();
    const std::string_view path = base.path();
    origin_end = origin.size();
    text.reserve(origin.size() + path.size() + reference.size() + 1);
    if (reference.empty()) {
      text = base.text();
    } else if (is_slash(reference.front())) {
      text = origin;
      append_target(reference.substr(1), plain, origin_end, text);
    } else if (reference.front() == '?') {
      text = base.text().substr(0, origin.size() + path.size());
      text += '?';
      append_encoded(reference.substr(1), kEncodeInQuery, text);
    } else {
      text = base.text().substr(0, origin.size() + path.rfind('/'));
      append_target(reference, plain, origin_end, text);
    }
  }
};

/// Length of `scheme` in `scheme:`, or 0 when the reference is relative.
std::size_t scheme_size(std::string_view reference) {
  if (reference.empty() || !is_alpha(reference.front())) return 0;
  for (std::size_t i = 1; i < reference.size(); ++i) {
    const char c = reference[i];
    if (c == ':') return i;
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return 0;
  }
  return 0;
}

bool is_scheme(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

UrlError read(std::string_view reference, const Url* base, Draft& draft) {
  if (draft.plain && base != nullptr && draft.read_same_origin(reference, *base)) return UrlError::ok;
  const std::size_t scheme_end = scheme_size(reference);
  bool secure = base != nullptr && base->secure();
  bool same_scheme = base != nullptr;
  if (scheme_end > 0) {
    const std::string_view scheme = reference.substr(0, scheme_end);
    const bool https = is_scheme(scheme, "https");
    if (!https && !is_scheme(scheme, "http")) return UrlError::not_http;
    same_scheme = base != nullptr && secure == https;
    secure = https;
    reference.remove_prefix(scheme_end + 1);
  }
  if (scheme_end == 0 && base == nullptr) return UrlError::no_scheme;
  const bool has_authority = reference.size() >= 2 && is_slash(reference[0]) && is_slash(reference[1]);
  if (same_scheme && !has_authority) {
    draft.read_relative(reference, *base);
    return UrlError::ok;
  }
  while (!reference.empty() && is_slash(reference.front())) reference.remove_prefix(1);
  return draft.read_absolute(reference, secure);
}

bool is_line_end(char c) {
  return c == '\t' || c == '\n' || c == '\r';
}

UrlError read_input(std::string_view input, const Url* base, Draft& draft) {
  if (input.size() > kUrlInputOctetsMax) return UrlError::too_long;
  const Reference reference = look_at(input);
  draft.plain = reference.plain;
  UrlError error = UrlError::ok;
  if (reference.foreign && std::any_of(reference.text.begin(), reference.text.end(), is_line_end)) {
    std::string joined(reference.text);
    std::erase_if(joined, is_line_end);
    error = read(joined, base, draft);
  } else {
    error = read(reference.text, base, draft);
  }
  if (error != UrlError::ok) return error;
  return draft.text.size() > kUrlOctetsMax ? UrlError::too_long : UrlError::ok;
}

/// Octets of the host in the text of an origin: [first, second).
std::pair<std::size_t, std::size_t> host_range(std::string_view origin) {
  const std::size_t begin = origin.starts_with("https:") ? 8 : 7;
  if (origin.size() <= begin) return {origin.size(), origin.size()};
  const std::size_t colon = origin.rfind(':');
  const bool written = colon >= begin && origin.back() != ']';
  return {begin, written ? colon : origin.size()};
}

std::string_view host_of(std::string_view origin) {
  const auto [begin, end] = host_range(origin);
  return origin.substr(begin, end - begin);
}

std::uint16_t port_of(std::string_view origin) {
  const std::size_t end = host_range(origin).second;
  if (end == origin.size()) return origin.starts_with("https:") ? 443 : 80;
  std::uint16_t port = 0;
  std::from_chars(origin.data() + end + 1, origin.data() + origin.size(), port);
  return port;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wnon-virtual-dtor"  // never destroyed through its base, whose destructor is protected
class UrlCategory final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "url"; }
  std::string message(int value) const override {
    switch (static_cast<UrlError>(value)) {
      case UrlError::ok: return "success";
      case UrlError::too_long: return "URL too long";
      case UrlError::no_scheme: return "relative URL without a base";
      case UrlError::not_http: return "scheme is neither http nor https";
      case UrlError::bad_host: return "invalid host";
      case UrlError::bad_port: return "invalid port";
    }
    return "unknown URL error";
  }
};
#pragma GCC diagnostic pop

}  // namespace

boost::system::error_code make_error_code(UrlError error) {
  static const UrlCategory category;
  return {static_cast<int>(error), category};
}

std::string_view Origin::host() const {
  return host_of(text_);
}
std::uint16_t Origin::port() const {
  return port_of(text_);
}

UrlError Url::read(std::string_view input, const Url* base) {
  text_.clear();
  Draft draft{text_};
  const UrlError error = read_input(input, base, draft);
  if (error != UrlError::ok) text_.clear();
  origin_end_ = error == UrlError::ok ? static_cast<std::uint32_t>(draft.origin_end) : 0;
  return error;
}

Result<Url> Url::parse(std::string_view input) {
  Url url;
  if (const UrlError error = url.read(input, nullptr); error != UrlError::ok) return make_error_code(error);
  return url;
}

Result<Url> Url::resolve(std::string_view reference, const Url& base) {
  Url url;
  if (const UrlError error = url.assign(reference, base); error != UrlError::ok) {
    return make_error_code(error);
  }
  return url;
}

UrlError Url::assign(std::string_view reference, const Url& base) {
  return read(reference, base.empty() ? nullptr : &base);
}

std::string_view Url::host() const {
  return host_of(origin_text());
}
std::uint16_t Url::port() const {
  return port_of(origin_text());
}

std::string_view Url::path() const {
  const std::string_view whole = target();
  return whole.substr(0, whole.find('?'));
}

}  // namespace base
