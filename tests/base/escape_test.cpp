#include "base/escape.h"

#include "base/log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace {

using base::escaped;
using base::json_quoted;

TEST(Escape, KeepsOrdinaryTextOfAnyScript) {
  EXPECT_EQ(escaped("http://a.test/?q=1"), "http://a.test/?q=1");
  EXPECT_EQ(escaped("Příliš žluťoučký 漢字 😀"), "Příliš žluťoučký 漢字 😀");
}

TEST(Escape, NothingForgesALineOrMovesTheCursor) {
  EXPECT_EQ(escaped("a\n[2026] forged\x1b[31m\x07"), "a\\x0a[2026] forged\\x1b[31m\\x07");
  EXPECT_EQ(escaped("\"\\"), "\\\"\\\\");
  EXPECT_EQ(escaped("\u202E\u2066\u2028\u200B\uFEFF"), "\\u{202e}\\u{2066}\\u{2028}\\u{200b}\\u{feff}");
  EXPECT_EQ(escaped("\xC2\x85\x7f"), "\\u{85}\\x7f");
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Escape, OctetsThatAreNotUtf8AreShown) {
  EXPECT_EQ(escaped("\xff\xc0\xaf\xed\xa0\x80\xf5\x80"), "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\x80");
  EXPECT_EQ(escaped("\xE2\x82"), "\\xe2\\x82");
}

TEST(Escape, CutsAtTheLimitAndSaysHowMuch) {
  EXPECT_EQ(escaped(std::string(base::kLoggedOctetsMax, 'x')), std::string(base::kLoggedOctetsMax, 'x'));
  EXPECT_EQ(escaped(std::string(base::kLoggedOctetsMax + 3, 'x')),
            std::string(base::kLoggedOctetsMax, 'x') + "…(+3)");
  EXPECT_EQ(escaped("ab€", 3), "ab…(+3)");  // not within a code point
}

TEST(Escape, JsonIsReadBackByAnotherParser) {
  const std::string text = "a\"\\\n\x1b \u202E 😀 \U000E0041";
  EXPECT_EQ(nlohmann::json::parse(json_quoted(text)).get<std::string>(), text);
  EXPECT_EQ(nlohmann::json::parse(json_quoted("\xff")).get<std::string>(), "\uFFFD");
}

TEST(Escape, AnyOctetsGiveOneSafeLine) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const std::string out = escaped(text);
    for (const char c : out) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << out;
    ASSERT_TRUE(nlohmann::json::accept(json_quoted(text))) << out;
  }
}

TEST(LogLines, AreTheSameFactsInTextAndJson) {
  base::Line line(base::Level::info, "visit");
  line.text("url", "http://a.test/\"\n").word("fate", "fetched").number("status", 200);
  const base::WallTime at(std::chrono::milliseconds(1'700'000'000'123));
  EXPECT_EQ(line.as_text(at),
            "2023-11-14T22:13:20.123Z info visit url=\"http://a.test/\\\"\\x0a\" fate=fetched status=200");
  const auto json = nlohmann::json::parse(line.as_json(at));
  EXPECT_EQ(json["url"], "http://a.test/\"\n");
  EXPECT_EQ(json["fate"], "fetched");
  EXPECT_EQ(json["status"], 200);
  EXPECT_EQ(json["event"], "visit");
}

TEST(LogLines, BelowTheLevelAreNotWritten) {
  std::vector<std::string> lines;
  base::Log log(lines, base::Log::Format::text, base::Level::warning);
  log.write(base::Line(base::Level::info, "quiet"), {});
  log.write(base::Line(base::Level::error, "loud"), {});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("error loud"), std::string::npos);
}

TEST(Escape, ACutNeverSplitsACodePointWhateverStandsBehindIt) {
  EXPECT_EQ(base::escaped("\xF0\x9F\x98\x80\x80", 4), "\xF0\x9F\x98\x80…(+1)");
  EXPECT_EQ(base::escaped("\xF0\x9F\x98\x80\x80", 3), "…(+5)");
  EXPECT_EQ(base::escaped("a\x80\x80\x80\x80", 3), "a\\x80\\x80…(+2)")
      << "octets that are none are cut anywhere";
}

TEST(Escape, BlankLettersAreShown) {
  EXPECT_EQ(base::escaped("\u3164\U0001D173", 100), "\\u{3164}\\u{1d173}");
}

}  // namespace
