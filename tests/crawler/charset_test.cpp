#include "crawler/charset.h"

#include "crawler/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using testing::ElementsAre;

constexpr std::string_view kAllNames[] = {
    "utf-8",        "windows-1252", "windows-1251",   "windows-1250", "windows-1253", "windows-1254",
    "windows-1255", "windows-1256", "windows-1257",   "windows-1258", "windows-874",  "gbk",
    "gb18030",      "big5",         "euc-jp",         "iso-2022-jp",  "shift_jis",    "euc-kr",
    "iso-8859-2",   "iso-8859-3",   "iso-8859-4",     "iso-8859-5",   "iso-8859-6",   "iso-8859-7",
    "iso-8859-8",   "iso-8859-8-i", "iso-8859-10",    "iso-8859-13",  "iso-8859-14",  "iso-8859-15",
    "iso-8859-16",  "koi8-r",       "koi8-u",         "ibm866",       "macintosh",    "x-mac-cyrillic",
    "utf-16be",     "utf-16le",     "x-user-defined", "replacement"};

const Charset& charset(std::string_view label) {
  const Charset* found = charset_labelled(label);
  if (found == nullptr) throw std::invalid_argument(std::string(label));
  return *found;
}

std::string_view found(std::string_view body, std::string_view content_type = "text/html") {
  return find_charset(body, content_type).charset->name;
}

std::vector<std::string> targets(std::string_view body, std::string_view content_type) {
  const base::Url url = base::Url::parse("http://h/").value();
  std::vector<std::string> out;
  for (const Link& link : read_page(body, content_type, "", url, {}).links)
    out.emplace_back(link.url.target());
  return out;
}

TEST(Charset, AllOfTheStandardAreThereByTheirOwnName) {
  EXPECT_EQ(std::size(kAllNames), 40U);
  for (const std::string_view name : kAllNames) EXPECT_EQ(charset(name).name, name);
}

TEST(Charset, ThisMachineConvertsAllOfThem) {
  for (const std::string_view name : kAllNames) {
    const Charset& one = charset(name);
    if (one.decoder == nullptr) continue;
    EXPECT_EQ(decoded("ab<\"&~", one), "ab<\"&~") << name;
    const std::string high = one.like_ascii() ? "\xC1\xC1" : "\x1B$B0!\x1B(B";
    EXPECT_NE(decoded(high, one), high) << name;
    const bool has_all = name == "gb18030";
    EXPECT_EQ(with_encoded_query("\u0391?a\uFFFFb", one),
              has_all ? "\u0391?a%841%A49b" : "\u0391?a%26%2365535%3Bb")
        << name;
  }
}

TEST(Charset, LabelsAreReadAsBrowsersDo) {
  EXPECT_EQ(charset("latin1").name, "windows-1252");
  EXPECT_EQ(charset("US-ASCII").name, "windows-1252");
  EXPECT_EQ(charset(" \tISO-8859-1\n").name, "windows-1252");
  EXPECT_EQ(charset("iso-8859-9").name, "windows-1254");
  EXPECT_EQ(charset("tis-620").name, "windows-874");
  EXPECT_EQ(charset("GB2312").name, "gbk");
  EXPECT_EQ(charset("ks_c_5601-1987").name, "euc-kr");
  EXPECT_EQ(charset("UTF8").name, "utf-8");
  EXPECT_EQ(charset("unicode").name, "utf-16le");
  EXPECT_EQ(charset("hz-gb-2312").name, "replacement");
  for (const std::string_view none : {"", " ", "utf", "utf-7", "latin1 utf-8", "cp1252 x-cp1252",
                                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    EXPECT_EQ(charset_labelled(none), nullptr) << none;
  }
}

TEST(Charset, OfTheHeaderIsFoundAmongItsParameters) {
  EXPECT_EQ(charset_parameter("text/html; charset=koi8-r"), "koi8-r");
  EXPECT_EQ(charset_parameter("text/html;q=1;CHARSET = \"koi8-r\"; a=b"), "koi8-r");
  EXPECT_EQ(charset_parameter("text/html; charset=koi8-r;a"), "koi8-r");
  EXPECT_EQ(charset_parameter("text/html; charset='koi8-r'"), "koi8-r");
  for (const std::string_view none :
       {"", "charset=utf-8", "text/html", "text/html;", "text/html; xcharset=a", "text/html; charset",
        "text/html; charset=", "text/html; charset=\"\""}) {
    EXPECT_EQ(charset_parameter(none), "") << none;
  }
}

TEST(Charset, TheMarkWinsThenTheHeaderThenThePage) {
  const std::string meta = "<meta charset=koi8-r>";
  EXPECT_EQ(found("\xEF\xBB\xBF" + meta, "text/html; charset=big5"), "utf-8");
  EXPECT_EQ(found("\xFE\xFF" + meta, "text/html; charset=big5"), "utf-16be");
  EXPECT_EQ(found("\xFF\xFE" + meta, "text/html; charset=big5"), "utf-16le");
  EXPECT_EQ(found(meta, "text/html; charset=big5"), "big5");
  EXPECT_EQ(found(meta, "text/html; charset=nonsense"), "koi8-r");
  EXPECT_EQ(found(meta), "koi8-r");
  EXPECT_TRUE(find_charset(meta, "").told);
  EXPECT_FALSE(find_charset("<p>", "").told);
}

TEST(Charset, IsToldByThePageInManyWays) {
  EXPECT_EQ(found("<META CharSet = 'koi8-r'>"), "koi8-r");
  EXPECT_EQ(found("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>"), "koi8-r");
  EXPECT_EQ(found("<meta content='charset = \"koi8-r\"' http-equiv=content-type>"), "koi8-r");
  EXPECT_EQ(found("<meta content='charset charset=koi8-r' http-equiv=content-type>"), "koi8-r");
  EXPECT_EQ(found("<?xml version='1.0' encoding='koi8-r'?><html>"), "koi8-r");
  EXPECT_EQ(found("<meta charset=none><meta charset=koi8-r>"), "koi8-r");
  EXPECT_EQ(found("<meta content='text/html; charset=koi8-r'>"), "utf-8");
  EXPECT_EQ(found("<!-- <meta charset=koi8-r> -->"), "utf-8");
  EXPECT_EQ(found("<meta charset=utf-16>"), "utf-8") << "whoever reads this does not read UTF-16";
  EXPECT_EQ(found("<meta charset=x-user-defined>"), "windows-1252");
}

TEST(Charset, IsLookedForInTheFirstOctetsOnly) {
  const std::string meta = "<meta charset=koi8-r>";
  const std::string room(kPrescanOctets - meta.size(), ' ');
  EXPECT_EQ(found(room + meta), "koi8-r");
  EXPECT_EQ(found(room + " " + meta), "utf-8");
}

TEST(Charset, OfASilentPageIsGuessed) {
  EXPECT_EQ(found(""), "utf-8");
  EXPECT_EQ(found("<a href=x>"), "utf-8");
  EXPECT_EQ(found("<p>caf\u00E9 \U0001F600"), "utf-8");
  EXPECT_EQ(found("<p>\xE9"), "windows-1252");
  std::string russian;
  // Это обычный русский текст, и в нём достаточно слов
  for (int i = 0; i < 10; ++i) {
    russian +=
        "<p>\xDD\xF2\xEE \xEE\xE1\xFB\xF7\xED\xFB\xE9 \xF0\xF3\xF1\xF1\xEA\xE8\xE9 \xF2\xE5\xEA\xF1\xF2, "
        "\xE8 \xE2 "
        "\xED\xB8\xEC \xE4\xEE\xF1\xF2\xE0\xF2\xEE\xF7\xED\xEE \xF1\xEB\xEE\xE2</p>";
  }
  EXPECT_EQ(found(russian), "windows-1251");
  EXPECT_FALSE(find_charset(russian, "").told);
  EXPECT_EQ(found(std::string(2 * kGuessedOctets, 'x') + russian), "windows-1251")
      << "ASCII in front does not count";
}

TEST(Charset, Utf8IsToldFromWhatOnlyLooksLikeIt) {
  for (const std::string_view good :
       {"", "a", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF0\x90\x80\x80",
        "\xF4\x8F\xBF\xBF", "12345678\xC3\xA9"}) {
    EXPECT_TRUE(is_valid_utf8(good)) << testing::PrintToString(good);
  }
  for (const std::string_view bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "12345678\xC3"}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << testing::PrintToString(bad);
  }
}

TEST(Charset, WhatMeansNothingIsReplaced) {
  EXPECT_EQ(decoded("a\xFF\x41", charset("shift_jis")), "a\uFFFDA");
  EXPECT_EQ(decoded("a\x95", charset("shift_jis")), "a\uFFFD") << "cut off";
  EXPECT_EQ(decoded("\x81\x80", charset("windows-1252")), "\u0081\u20AC")
      << "controls, as the standard has it";
  EXPECT_EQ(decoded("\xAA", charset("windows-1253")), "\uFFFD");
  EXPECT_EQ(decoded("a\x80\xFF", charset("x-user-defined")), "a\uF780\uF7FF");
  EXPECT_EQ(decoded("<a href=x>", charset("replacement")), "\uFFFD");
  EXPECT_EQ(decoded("", charset("replacement")), "");
}

TEST(Charset, DecodingEndsAfterTooManyErrors) {
  const std::string broken(kDecodeErrorsMax, '\xFF');
  EXPECT_TRUE(decoded(broken + "end", charset("euc-kr")).ends_with("end"));
  EXPECT_FALSE(decoded(broken + "\xFF" + "end", charset("euc-kr")).ends_with("end"));
}

TEST(Charset, QueriesAreEncodedAsBrowsersDo) {
  const auto query = [](std::string_view reference, std::string_view label) {
    return with_encoded_query(reference, charset(label));
  };
  EXPECT_EQ(query("\u00E9?\u00E9=\u00E9#\u00E9", "latin1"), "\u00E9?%E9=%E9#\u00E9") << "the query only";
  EXPECT_EQ(query("?\u20AC\u0436", "windows-1252"), "?%80%26%231078%3B");
  EXPECT_EQ(query("?\U0001F600\U0001F600", "windows-1252"), "?%26%23128512%3B%26%23128512%3B");
  EXPECT_EQ(query("?\u8868", "shift_jis"), "?%95\\") << "octets of ASCII are not encoded";
  EXPECT_EQ(query("?\u65E5a\u65E5", "iso-2022-jp"), "?%1B$BF|%1B(Ba%1B$BF|%1B(B");
  EXPECT_EQ(query("?\u65E5\U0001F600\u65E5", "iso-2022-jp"), "?%1B$BF|%1B(B%26%23128512%3B%1B$BF|%1B(B");
  EXPECT_EQ(query("?\u00E9", "utf-8"), "?\u00E9");
  EXPECT_EQ(query("?\u00E9", "utf-16le"), "?\u00E9");
  EXPECT_EQ(query("\u00E9#?\u00E9", "latin1"), "\u00E9#?\u00E9");
  EXPECT_EQ(query("?\xFF", "latin1"), "?%26%2365533%3B") << "no UTF-8";
}

TEST(Charset, LinksComeOutAsBrowsersReadThem) {
  struct Case {
    std::string_view charset;
    std::string_view word;  ///< in the page's encoding
    std::string_view path;
    std::string_view query;
  };
  for (const Case& one : std::initializer_list<Case>{
           {"windows-1251", "\xF2\xE5\xF1\xF2", "%D1%82%D0%B5%D1%81%D1%82", "%F2%E5%F1%F2"},
           {"koi8-r", "\xD4\xC5\xD3\xD4", "%D1%82%D0%B5%D1%81%D1%82", "%D4%C5%D3%D4"},
           {"shift_jis", "\x95\x5C\x8E\xA6", "%E8%A1%A8%E7%A4%BA", "%95\\%8E%A6"},
           {"gb18030", "\xD6\xD0\xCE\xC4", "%E4%B8%AD%E6%96%87", "%D6%D0%CE%C4"},
           {"gb2312", "\xD6\xD0\xCE\xC4", "%E4%B8%AD%E6%96%87", "%D6%D0%CE%C4"},
           {"euc-kr", "\xC7\xD1\xB1\xB9", "%ED%95%9C%EA%B5%AD", "%C7%D1%B1%B9"},
           {"big5", "\xA4\xA4\xA4\xE5", "%E4%B8%AD%E6%96%87", "%A4%A4%A4%E5"},
           {"euc-jp", "\xC6\xFC\xCB\xDC", "%E6%97%A5%E6%9C%AC", "%C6%FC%CB%DC"},
           {"iso-2022-jp", "\x1B$BF|K\\\x1B(B", "%E6%97%A5%E6%9C%AC", "%1B$BF|K\\%1B(B"},
           {"iso-8859-1", "caf\xE9", "caf%C3%A9", "caf%E9"},
           {"utf-8", "caf\u00E9", "caf%C3%A9", "caf%C3%A9"},
       }) {
    const std::string word(one.word);
    const std::string body =
        "<base href='/b/" + word + "/'><a href='" + word + "?" + word + "&amp;x'><a href=y>";
    const std::string base = "/b/" + std::string(one.path) + "/";
    const auto expected =
        ElementsAre(base + std::string(one.path) + "?" + std::string(one.query) + "&x", base + "y");
    const std::string name(one.charset);
    EXPECT_THAT(targets(body, "text/html; charset=" + name), expected) << name;
    EXPECT_THAT(targets("<meta charset=" + name + ">" + body, "text/html"), expected) << name;
  }
}

TEST(Charset, LinksOfUtf16AreReadWithAndWithoutAMark) {
  std::string little;
  for (const char c : std::string_view("<a href='?\xE9'>")) little += {c, '\0'};
  EXPECT_THAT(targets(little, "text/html; charset=utf-16"), ElementsAre("/?%C3%A9"));
  EXPECT_THAT(targets("\xFF\xFE" + little, "text/html"), ElementsAre("/?%C3%A9"));
  EXPECT_THAT(targets(little.substr(0, little.size() - 1), "text/html; charset=utf-16"), ElementsAre());
}

TEST(Charset, AReplacedPageHasNoLinks) {
  EXPECT_THAT(targets("<a href=x>", "text/html; charset=iso-2022-kr"), ElementsAre());
  EXPECT_THAT(targets("<a href=x>", "text/html; charset=iso-2022-jp"), ElementsAre("/x"));
}

/// Encoding Standard §12.2.2 and §13.1.2: the encoders know less than the decoders.
TEST(Charset, WhatBrowsersNeverWriteInAQueryIsAReference) {
  EXPECT_EQ(with_encoded_query("?q=\u00E9\u3042", *charset_labelled("euc-jp")), "?q=%26%23233%3B%A4%A2");
  EXPECT_EQ(with_encoded_query("?q=\u00E9\u4E00", *charset_labelled("big5")), "?q=%26%23233%3B%A4@");
}

}  // namespace
}  // namespace crawler
