#pragma once
// URLs as browsers read them, http and https only (WHATWG URL Standard), normalised once.
// Fragment and user name are dropped while reading: neither is ever sent, logged or stored.
#include "base/hash.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace base {

/// Longest URL that can exist, in octets of the normal form. Longer input is refused.
inline constexpr std::size_t kUrlOctetsMax = 8192;
/// Longest input that is looked at. More than the above, because white space, user name and fragment fall
/// away.
inline constexpr std::size_t kUrlInputOctetsMax = 4 * kUrlOctetsMax;

enum class UrlError {
  ok = 0,
  too_long,
  no_scheme,  ///< relative, and nothing to resolve against
  not_http,   ///< a scheme other than http and https
  bad_host,   ///< empty, forbidden code point, invalid IDN or IP address
  bad_port,   ///< not a number, or above 65535
};
boost::system::error_code make_error_code(UrlError);

/// Scheme + host + port (RFC 6454), in canonical text: `https://example.com`, `http://[::1]:8080`. The host
/// is lower case, an A-label or an IP address; the default port is left out. Key of robots.txt and
/// politeness.
class Origin {
 public:
  Origin() = default;
  std::string_view text() const { return text_; }
  bool secure() const { return text_.starts_with("https:"); }
  std::string_view host() const;  ///< with brackets around IPv6
  std::uint16_t port() const;     ///< effective: 80 and 443 when not written
  friend auto operator<=>(const Origin&, const Origin&) = default;

 private:
  friend class Url;
  explicit Origin(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// An absolute, normalised http(s) URL: one buffer and offsets, immutable. normal(normal(u)) == normal(u).
/// A default-constructed Url is empty and only good for being assigned to.
class Url {
 public:
  Url() = default;
  /// Reads an absolute URL.
  static Result<Url> parse(std::string_view input);
  /// Reads `reference` (absolute or relative) as found in a document at `base`.
  static Result<Url> resolve(std::string_view reference, const Url& base);
  /// The same into this Url, whose memory is used again: for those who look at many and keep few. `reference`
  /// is no part of it, and `base` another. It is empty after an error.
  UrlError assign(std::string_view reference, const Url& base);

  std::string_view text() const { return text_; }
  bool secure() const { return text_.starts_with("https:"); }
  std::string_view host() const;  ///< with brackets around IPv6
  std::uint16_t port() const;     ///< effective
  /// Path + `?query`: what a request line sends and robots.txt rules are compared with. Starts with `/`.
  std::string_view target() const { return std::string_view(text_).substr(origin_end_); }
  std::string_view path() const;
  /// The text of origin(): a prefix of text(), no copy.
  std::string_view origin_text() const { return std::string_view(text_).substr(0, origin_end_); }
  Origin origin() const { return Origin(std::string(origin_text())); }
  bool empty() const { return text_.empty(); }
  friend bool operator==(const Url& a, const Url& b) { return a.text_ == b.text_; }
  friend auto operator<=>(const Url& a, const Url& b) { return a.text_ <=> b.text_; }

 private:
  UrlError read(std::string_view input, const Url* base);

  std::string text_;
  std::uint32_t origin_end_ = 0;
};

}  // namespace base

template <>
struct boost::system::is_error_code_enum<base::UrlError> : std::true_type {};

template <>
struct std::hash<base::Origin> {
  std::size_t operator()(const base::Origin& o) const noexcept { return base::secret_hash(o.text()); }
};
