#pragma once
// Encodings of pages (WHATWG Encoding Standard) and which of them a page is in. Pure.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Octets in which a page may tell its encoding (WHATWG HTML §13.2.3.2).
inline constexpr std::size_t kPrescanOctets = 1024;
/// Octets that are looked at to guess an encoding, from the first that is not ASCII.
inline constexpr std::size_t kGuessedOctets = std::size_t{32} * 1024;
/// Octets of no meaning in a text that is decoded; behind that many more the rest of it is dropped. Each
/// costs a call of iconv.
inline constexpr std::size_t kDecodeErrorsMax = 10'000;

/// One encoding: a row of a table that lives as long as the program, compared by address.
struct Charset {
  std::string_view name;    ///< as the standard calls it, in lower case: `utf-8`, `windows-1251`
  std::string_view labels;  ///< between blanks, in lower case
  const char* decoder;      ///< what iconv calls it; null: not by iconv
  const char* encoder;      ///< of queries; null: those are UTF-8

  /// `<`, `"`, `&` and their kind stand for themselves wherever they are, so that a page can be read as it
  /// comes.
  bool like_ascii() const;
  bool is_utf8() const;
};

const Charset& utf8_charset();

/// The encoding with this label, in any case and with blanks around it; null when there is none.
const Charset* charset_labelled(std::string_view label);

/// The encoding of a page, and whether it told (byte order mark, then `charset` of `content_type`, then
/// <meta> or
/// <?xml?> in the first kPrescanOctets). Without a word of it: UTF-8 when it is that, else what it looks
/// like, else windows-1252.
struct CharsetFound {
  const Charset* charset;
  bool told = false;
};
CharsetFound find_charset(std::string_view body, std::string_view content_type);

/// `charset` of a Content-Type, unquoted (RFC 9110 §8.3.2); empty when there is none.
std::string_view charset_parameter(std::string_view content_type);

/// Whether an octet is not ASCII.
bool has_high_octet(std::string_view text);
bool is_valid_utf8(std::string_view text);

/// `octets` without a byte order mark, in UTF-8. What means nothing becomes U+FFFD, once kDecodeErrorsMax is
/// passed the rest is left out. Of UTF-8 the octets come back as they are.
std::string decoded(std::string_view octets, const Charset& charset);

/// A reference in UTF-8 whose query is percent-encoded in the encoding of its page (WHATWG URL, query state
/// with an encoding): what the encoding lacks becomes `%26%23NNN%3B`. Path and fragment stay as they are.
std::string with_encoded_query(std::string_view reference, const Charset& charset);

}  // namespace crawler
