// The table of the standard with its labels, and the way to a page's own.
#include "crawler/charset.h"

#include "crawler/html_text.h"
#include "crawler/html_tokenizer.h"

#include <uchardet/uchardet.h>

#include <array>
#include <cstring>
#include <memory>

namespace crawler {
namespace {

constexpr const char* kNone = nullptr;

constexpr Charset kCharsets[] = {
    {"utf-8", " unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 ", kNone, kNone},
    {"windows-1252",
     " ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
     "iso_8859-1 "
     "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 ",
     "CP1252", "CP1252"},
    {"windows-1251", " cp1251 windows-1251 x-cp1251 ", "CP1251", "CP1251"},
    {"windows-1250", " cp1250 windows-1250 x-cp1250 ", "CP1250", "CP1250"},
    {"windows-1253", " cp1253 windows-1253 x-cp1253 ", "CP1253", "CP1253"},
    {"windows-1254",
     " cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
     "windows-1254 "
     "x-cp1254 ",
     "CP1254", "CP1254"},
    {"windows-1255", " cp1255 windows-1255 x-cp1255 ", "CP1255", "CP1255"},
    {"windows-1256", " cp1256 windows-1256 x-cp1256 ", "CP1256", "CP1256"},
    {"windows-1257", " cp1257 windows-1257 x-cp1257 ", "CP1257", "CP1257"},
    {"windows-1258", " cp1258 windows-1258 x-cp1258 ", "CP1258", "CP1258"},
    {"windows-874", " dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 ", "CP874", "CP874"},
    {"gbk", " chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk ", "GB18030",
     "GBK"},
    {"gb18030", " gb18030 ", "GB18030", "GB18030"},
    {"big5", " big5 big5-hkscs cn-big5 csbig5 x-x-big5 ", "BIG5-HKSCS", "BIG5-HKSCS"},
    {"euc-jp", " cseucpkdfmtjapanese euc-jp x-euc-jp ", "EUC-JP-MS", "EUC-JP-MS"},
    {"iso-2022-jp", " csiso2022jp iso-2022-jp ", "ISO-2022-JP", "ISO-2022-JP"},
    {"shift_jis", " csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis ", "CP932",
     "CP932"},
    {"euc-kr",
     " cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
     "windows-949 ",
     "UHC", "UHC"},
    {"iso-8859-2",
     " csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2 ",
     "ISO-8859-2", "ISO-8859-2"},
    {"iso-8859-3",
     " csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3 ",
     "ISO-8859-3", "ISO-8859-3"},
    {"iso-8859-4",
     " csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4 ",
     "ISO-8859-4", "ISO-8859-4"},
    {"iso-8859-5",
     " csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 ",
     "ISO-8859-5", "ISO-8859-5"},
    {"iso-8859-6",
     " arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
     "iso-8859-6-i iso-ir-127 "
     "iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 ",
     "ISO-8859-6", "ISO-8859-6"},
    {"iso-8859-7",
     " csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
     "iso_8859-7:1987 sun_eu_greek ",
     "ISO-8859-7", "ISO-8859-7"},
    {"iso-8859-8",
     " csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
     "iso_8859-8:1988 visual ",
     "ISO-8859-8", "ISO-8859-8"},
    {"iso-8859-8-i", " csiso88598i iso-8859-8-i logical ", "ISO-8859-8", "ISO-8859-8"},
    {"iso-8859-10", " csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6 ", "ISO-8859-10",
     "ISO-8859-10"},
    {"iso-8859-13", " iso-8859-13 iso8859-13 iso885913 ", "ISO-8859-13", "ISO-8859-13"},
    {"iso-8859-14", " iso-8859-14 iso8859-14 iso885914 ", "ISO-8859-14", "ISO-8859-14"},
    {"iso-8859-15", " csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 ", "ISO-8859-15",
     "ISO-8859-15"},
    {"iso-8859-16", " iso-8859-16 ", "ISO-8859-16", "ISO-8859-16"},
    {"koi8-r", " cskoi8r koi koi8 koi8-r koi8_r ", "KOI8-R", "KOI8-R"},
    {"koi8-u", " koi8-ru koi8-u ", "KOI8-RU", "KOI8-RU"},
    {"ibm866", " 866 cp866 csibm866 ibm866 ", "IBM866", "IBM866"},
    {"macintosh", " csmacintosh mac macintosh x-mac-roman ", "MACINTOSH", "MACINTOSH"},
    {"x-mac-cyrillic", " x-mac-cyrillic x-mac-ukrainian ", "MAC-UK", "MAC-UK"},
    {"utf-16be", " unicodefffe utf-16be ", kNone, kNone},
    {"utf-16le", " csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le ", kNone, kNone},
    // Of one octet each: U+F780 and following. A script can draw them, no server wants them.
    {"x-user-defined", " x-user-defined ", kNone, kNone},
    // Encodings that hide tags from whoever does not know them: such a page is one U+FFFD.
    {"replacement", " csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement ", kNone,
     kNone},
};

const Charset& named(std::string_view name) {
  for (const Charset& charset : kCharsets) {
    if (charset.name == name) return charset;
  }
  return kCharsets[0];
}

bool is_utf16(const Charset& charset) {
  return charset.name.starts_with("utf-16");
}

/// Behind `charset`, of a Content-Type or the content of a meta element: `=`, and a value that may be quoted.
std::string_view value_behind(std::string_view text) {
  text = without_leading_space(text);
  if (!text.starts_with('=')) return {};
  text = without_leading_space(text.substr(1));
  if (text.starts_with('"') || text.starts_with('\'')) return text.substr(1, text.find(text[0], 1) - 1);
  return text.substr(0, std::min(text.find_first_of("; \t\n\f\r"), text.size()));
}

/// The first `charset=` anywhere, as WHATWG HTML §2.5.4 looks for it.
std::string_view charset_within(std::string_view text) {
  constexpr std::string_view kWord = "charset";
  for (std::size_t at = 0; at + kWord.size() <= text.size(); ++at) {
    if (!same_word(text.substr(at, kWord.size()), kWord)) continue;
    const std::string_view value = value_behind(text.substr(at + kWord.size()));
    if (!value.empty()) return value;
  }
  return {};
}

/// What a page says of itself was read as ASCII: it cannot be UTF-16.
const Charset* told_in_ascii(std::string_view label) {
  const Charset* charset = charset_labelled(label);
  if (charset == nullptr) return nullptr;
  if (is_utf16(*charset)) return &utf8_charset();
  return charset->name == "x-user-defined" ? charset_labelled("windows-1252") : charset;
}

const Charset* told_by_meta(std::string_view head) {
  HtmlTokenizer tokenizer(head);
  for (StartTag tag; tokenizer.next(tag);) {
    if (tag.element != Element::meta) continue;
    std::string_view label;
    if (const auto& charset = tag[Attribute::charset]) {
      label = *charset;
    } else if (same_word(tag[Attribute::http_equiv].value_or(""), "content-type")) {
      label = charset_within(tag[Attribute::content].value_or(""));
    }
    if (const Charset* charset = told_in_ascii(label)) return charset;
  }
  return nullptr;
}

const Charset* told_by_xml(std::string_view head) {
  if (!head.starts_with("<?xml")) return nullptr;
  const std::string_view declaration = head.substr(0, head.find("?>"));
  const std::size_t at = declaration.find("encoding");
  return at == std::string_view::npos ? nullptr : told_in_ascii(value_behind(declaration.substr(at + 8)));
}

const Charset* marked(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) return &utf8_charset();
  if (body.starts_with("\xFE\xFF")) return &named("utf-16be");
  return body.starts_with("\xFF\xFE") ? &named("utf-16le") : nullptr;
}

std::size_t first_high_octet(std::string_view text) {
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & 0x8080808080808080U) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

const Charset& guessed(std::string_view text) {
  struct Delete {
    void operator()(uchardet_t detector) const { uchardet_delete(detector); }
  };
  const std::unique_ptr<std::remove_pointer_t<uchardet_t>, Delete> detector(uchardet_new());
  const std::string_view looked_at = text.substr(0, kGuessedOctets);
  const Charset* charset = nullptr;
  if (uchardet_handle_data(detector.get(), looked_at.data(), looked_at.size()) == 0) {
    uchardet_data_end(detector.get());
    charset = charset_labelled(uchardet_get_charset(detector.get()));
  }
  // Never one that reads `<` in another way: whoever guesses that can be made to see tags where none are.
  const bool fits = charset != nullptr && charset->decoder != nullptr && charset->like_ascii();
  return fits ? *charset : *charset_labelled("windows-1252");
}

}  // namespace

bool Charset::like_ascii() const {
  return !is_utf16(*this) && name != "iso-2022-jp" && name != "replacement";
}

bool Charset::is_utf8() const {
  return this == &kCharsets[0];
}

const Charset& utf8_charset() {
  return kCharsets[0];
}

const Charset* charset_labelled(std::string_view label) {
  label = without_space_around(label);
  constexpr std::size_t kLongest = 32;
  if (label.empty() || label.size() > kLongest) return nullptr;
  std::string word = " ";
  for (const char c : label) {
    if (is_html_space(c)) return nullptr;
    word += lowered(c);
  }
  word += ' ';
  for (const Charset& charset : kCharsets) {
    if (charset.labels.find(word) != std::string_view::npos) return &charset;
  }
  return nullptr;
}

std::string_view charset_parameter(std::string_view content_type) {
  while (!content_type.empty()) {
    const std::size_t end = content_type.find(';');
    if (end == std::string_view::npos) return {};
    content_type = without_leading_space(content_type.substr(end + 1));
    if (same_word(content_type.substr(0, 7), "charset")) {
      const std::string_view value = value_behind(content_type.substr(7));
      if (!value.empty()) return value;
    }
  }
  return {};
}

CharsetFound find_charset(std::string_view body, std::string_view content_type) {
  if (const Charset* charset = marked(body)) return {charset, true};
  if (const Charset* charset = charset_labelled(charset_parameter(content_type))) return {charset, true};
  const std::string_view head = body.substr(0, kPrescanOctets);
  if (const Charset* charset = told_by_xml(head)) return {charset, true};
  if (const Charset* charset = told_by_meta(head)) return {charset, true};
  const std::size_t high = first_high_octet(body);
  const std::string_view rest = body.substr(high);
  return {rest.empty() || is_valid_utf8(rest) ? &utf8_charset() : &guessed(rest), false};
}

bool has_high_octet(std::string_view text) {
  return first_high_octet(text) < text.size();
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = first_high_octet(text); at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
    if (size == 0 || at + size > text.size()) return false;
    for (std::size_t i = 1; i < size; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80) return false;
    }
    const auto second = size > 2 ? static_cast<unsigned char>(text[at + 1]) : 0U;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F))
      return false;  // too long; surrogates
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
      return false;  // too long; too large
    at += size;
  }
  return true;
}

}  // namespace crawler
