// Octets in every encoding: what comes out is UTF-8 (unless UTF-8 went in), a query becomes ASCII, a page has
// an encoding.
#include "crawler/charset.h"

#include <algorithm>
#include <cstdlib>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::string_view kLabels[] = {
      "utf-8",    "latin1",      "windows-1255",   "windows-1258", "gbk",        "gb18030", "big5",
      "euc-jp",   "iso-2022-jp", "shift_jis",      "euc-kr",       "iso-8859-8", "koi8-u",  "macintosh",
      "utf-16le", "utf-16be",    "x-user-defined", "replacement"};
  if (size == 0) return 0;
  const crawler::Charset* charset = crawler::charset_labelled(kLabels[data[0] % std::size(kLabels)]);
  check(charset != nullptr);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string utf8 = crawler::decoded(text, *charset);
  check(charset->is_utf8() || crawler::is_valid_utf8(utf8));
  check(utf8 == crawler::decoded(text, *charset));
  if (!crawler::has_high_octet(text) && charset->like_ascii() && charset->name != "replacement")
    check(utf8 == text);
  const std::string reference = "a?" + utf8;
  const std::string encoded = crawler::with_encoded_query(reference, *charset);
  const std::string_view query = std::string_view(encoded).substr(0, encoded.find('#'));
  if (charset->encoder != nullptr) {
    check(!crawler::has_high_octet(query));
  } else {
    check(encoded == reference);
  }
  crawler::with_encoded_query(text, *charset);
  const auto found = crawler::find_charset(text, text.substr(0, 64));
  check(found.charset != nullptr && crawler::charset_labelled(found.charset->name) == found.charset);
  check(!found.charset->is_utf8() || found.told || crawler::is_valid_utf8(text));
  return 0;
}
