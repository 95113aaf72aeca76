// ROBOTS.md §1: from octets to records.
#include "robots/lines.h"

#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

using namespace std::string_literals;

std::string utf16(std::string_view ascii, bool big_endian) {
  std::string out = big_endian ? "\xFE\xFF"s : "\xFF\xFE"s;
  for (const char c : ascii) {
    if (big_endian) out.push_back('\0');
    out.push_back(c);
    if (!big_endian) out.push_back('\0');
  }
  return out;
}

/// Line numbers and values of the records of `text`.
std::vector<std::pair<int, std::string>> values(std::string_view text) {
  Warnings warnings;
  std::vector<std::pair<int, std::string>> out;
  for (const Record& record : read_records(text, warnings)) out.emplace_back(record.line, record.value);
  return out;
}

using Values = std::vector<std::pair<int, std::string>>;

TEST(Lines, CrLfAndBothEndALineAndAreCountedOnce) {
  EXPECT_EQ(values("Allow: /a\nAllow: /b\rAllow: /c\r\nAllow: /d\n\rAllow: /e"),
            (Values{{1, "/a"}, {2, "/b"}, {3, "/c"}, {4, "/d"}, {6, "/e"}}));
}

TEST(Lines, NulEndsALineToo) {
  EXPECT_EQ(values("Allow: /a\0Allow: /b\nAllow: /c"s), (Values{{1, "/a"}, {1, "/b"}, {2, "/c"}}));
}

TEST(Lines, OtherUnicodeLineEndsAreOctetsOfTheValue) {
  const std::string next_line =
      "/a\xC2\x85"
      "Allow: /b";
  EXPECT_EQ(values("Allow: " + next_line + "\nAllow: /c\xE2\x80\xA8"),
            (Values{{1, next_line}, {2, "/c\xE2\x80\xA8"}}));
}

TEST(Lines, BlanksAroundKeyColonAndValueMeanNothing) {
  EXPECT_EQ(values("\t\v\f Allow \t:\v\f /a b \t"), (Values{{1, "/a b"}}));
}

TEST(Lines, AHashBeginsACommentAnywhere) {
  EXPECT_EQ(values("# Allow: /x\nAllow: /a#b\nAllow: #\nAl#low: /c\n"), (Values{{2, "/a"}, {3, ""}}));
}

TEST(Lines, TwoWordsNeedNoColonAndThreeDo) {
  EXPECT_EQ(
      values("Disallow /a\nDisallow\t \t/b\nDisallow /c d\nDisallow\nhello world\nSitemap http://a.test/\n"),
      (Values{{1, "/a"}, {2, "/b"}}));
}

TEST(Lines, EachBadLineIsAWarningWithItsNumber) {
  Warnings warnings;
  EXPECT_EQ(read_records("<html>\n\n# fine\nAllow: /\nfoo: bar\n", warnings).size(), 1U);
  ASSERT_EQ(warnings.count(), 2U);
  EXPECT_EQ(warnings.all()[0].line, 1);
  EXPECT_EQ(warnings.all()[1].line, 5);
}

TEST(Lines, WarningsBeyondTheLimitAreOnlyCounted) {
  std::string text;
  for (std::size_t i = 0; i < kWarningsMax + 5; ++i) text += "nonsense\n";
  const Rules rules = read(text);
  EXPECT_EQ(rules.warnings().size(), kWarningsMax);
  EXPECT_EQ(rules.warning_count(), kWarningsMax + 5);
}

TEST(Lines, MisspellingsThatTightenCountAndThoseThatLoosenDoNot) {
  for (const char* key : {"disalow", "dissallow", "dissalow", "disallaw", "diasllow", "desallow", "disllow",
                          "disallowed", "DISALLOWS", "dis-allow", "dis allow"}) {
    EXPECT_FALSE(read("User-agent: *\n"s + key + ": /x").check("/x").allowed) << key;
  }
  for (const char* key : {"useragent", "user agent", "User-Agents", "user_agent", "user-agnet"}) {
    EXPECT_FALSE(read(key + ": *\nDisallow: /x"s).check("/x").allowed) << key;
  }
  for (const char* key : {"allowed", "allowance", "alow", "allows", "alllow", "allow all"}) {
    EXPECT_FALSE(read("User-agent: *\nDisallow: /x\n"s + key + ": /x/y").check("/x/y").allowed) << key;
  }
  for (const char* key : {"crawldelay", "crawl delay", "Crawl_Delay"}) {
    EXPECT_EQ(read("User-agent: *\n"s + key + ": 7").crawl_delay(), 7) << key;
  }
  EXPECT_EQ(read("Site-map: /a\nsitemaps: /b").sitemaps().size(), 2U);
  EXPECT_TRUE(read("User-agent: *\nrequestrate: 9/1s").request_rates().empty()) << "it may loosen";
  EXPECT_TRUE(read("User-agent: *\ndisallowing: /x\nnodisallow: /x").check("/x").allowed);
}

TEST(Lines, Utf8ByteOrderMarkIsSkippedEvenInPart) {
  for (const std::string& mark : {"\xEF\xBB\xBF"s, "\xEF\xBB"s, "\xEF"s}) {
    EXPECT_FALSE(read(mark + "User-agent: *\nDisallow: /x").check("/x").allowed);
  }
  EXPECT_TRUE(read("\xBB\xBFUser-agent: *\nDisallow: /x").check("/x").allowed) << "not the beginning of one";
}

TEST(Lines, Utf16WithByteOrderMarkIsRead) {
  for (const bool big_endian : {false, true}) {
    const std::string body = utf16("User-agent: *\r\nDisallow: /x\r\n", big_endian);
    EXPECT_FALSE(read(body).check("/x").allowed);
    EXPECT_TRUE(read(body).check("/y").allowed);
    EXPECT_FALSE(read(body + "\x2F").check("/x").allowed) << "an odd octet at the end";
  }
}

TEST(Lines, Utf16BeyondAsciiBecomesUtf8) {
  // é, 中, 😀, a lone surrogate
  const std::string word = "\xFF\xFE\xE9\x00\x2D\x4E\x3D\xD8\x00\xDE\x00\xD8"s;
  std::string storage;
  EXPECT_EQ(decoded(word, storage), "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBD");
}

TEST(Lines, Latin1OctetsAreKept) {
  const Rules rules = read("User-agent: *\nDisallow: /caf\xE9");
  EXPECT_FALSE(rules.check("/caf%E9").allowed);
  EXPECT_FALSE(rules.check("/caf%e9/x").allowed);
  EXPECT_TRUE(rules.check("/caf%C3%A9").allowed);
}

/// `size` octets: a group, comments to fill, and `last` at the end.
std::string filled(std::size_t size, std::string_view last) {
  std::string text = "User-agent: *\nDisallow: /first\n";
  while (text.size() + last.size() + 80 < size) text += "#" + std::string(60, '.') + "\n";
  text += "#" + std::string(size - text.size() - last.size() - 2, '.') + "\n";
  return text.append(last);
}

TEST(Lines, Rfc9309_2_5_NothingBehindTheLimitIsReadAndAPartialLastLineIsDropped) {
  const std::string last = "Disallow: /last";
  const auto forbids = [](const std::string& body) { return !read(body).check("/last").allowed; };
  EXPECT_TRUE(forbids(filled(kFileOctetsMax - 1, last))) << "a whole file";
  EXPECT_TRUE(forbids(filled(kFileOctetsMax, last) + "\nAllow: /last")) << "the line ends at the limit";
  EXPECT_TRUE(forbids(filled(kFileOctetsMax, last + "\n") + "Allow: /last"));
  EXPECT_FALSE(forbids(filled(kFileOctetsMax, last) + "-and-more\n")) << "the line goes on behind the limit";
  EXPECT_FALSE(forbids(filled(kFileOctetsMax, last))) << "nobody knows whether it does";
  EXPECT_FALSE(forbids(filled(kFileOctetsMax + 1, last)));
  EXPECT_FALSE(read(filled(kFileOctetsMax + 1, last)).check("/first").allowed)
      << "the rest of the file counts";
}

TEST(Lines, AFileOfOneLineBeyondTheLimitSaysNothing) {
  EXPECT_TRUE(read(std::string(2 * kFileOctetsMax, 'x')).check("/").allowed);
}

TEST(Lines, LongLinesAreRead) {
  const std::string filler(20'000, ' ');
  EXPECT_FALSE(read("User-agent: *" + filler + "\n" + filler + "Disallow:" + filler + "/x" + filler)
                   .check("/x")
                   .allowed);
}

}  // namespace
}  // namespace robots
