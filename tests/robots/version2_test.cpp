// ROBOTS.md §4: Robot-version 2.0.
#include "robots/glob.h"
#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

struct Case {
  const char* rule;
  const char* target;
  bool matches;
};

void expect(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(!allows2("Disallow: " + std::string(c.rule), c.target), c.matches) << c.rule << " " << c.target;
  }
}

/// In force: `/a` matches only itself.
bool in_force(const std::string& section, const config::Robots& options = {}) {
  const Rules rules = read(section, "bot", options);
  EXPECT_FALSE(rules.check("/a").allowed) << section;
  return rules.check("/ab").allowed;
}

TEST(Version2, IsInForceWhenItIsTheFirstRecordOfItsSection) {
  for (const char* value : {"2", "2.0", "2.0.0"}) {
    EXPECT_TRUE(in_force("User-agent: bot\nRobot-version: " + std::string(value) + "\nDisallow: /a"))
        << value;
  }
  for (const char* value : {"1.0", "2.1", "3", "", "2.0 beta", "v2", "02"}) {
    EXPECT_FALSE(in_force("User-agent: bot\nRobot-version: " + std::string(value) + "\nDisallow: /a"))
        << value;
  }
  EXPECT_TRUE(in_force(
      "User-agent: x\nUser-agent: bot\n\n# remark\nnonsense\nSitemap: /s\nRobot-version: 2.0\nDisallow: /a"));
  EXPECT_FALSE(in_force("User-agent: bot\nDisallow: /a\nRobot-version: 2.0"));
  EXPECT_FALSE(in_force("User-agent: bot\nDisallow:\nRobot-version: 2.0\nDisallow: /a"));
  EXPECT_FALSE(in_force("User-agent: bot\nCrawl-delay: 1\nRobot-version: 2.0\nDisallow: /a"));
  EXPECT_FALSE(in_force("User-agent: bot\nRobot-version: 1.0\nRobot-version: 2.0\nDisallow: /a"));
  EXPECT_FALSE(in_force("Robot-version: 2.0\nUser-agent: bot\nDisallow: /a"));
}

TEST(Version2, ALateOneIsWarnedOf) {
  EXPECT_EQ(everyone("Disallow: /a\nRobot-version: 2.0").warning_count(), 1U);
  EXPECT_EQ(everyone("Robot-version: 2.0\nDisallow: /a").warning_count(), 0U);
}

TEST(Version2, CoversItsSectionOnly) {
  const Rules rules =
      read("User-agent: bot\nRobot-version: 2.0\nDisallow: /a\n\nUser-agent: bot\nDisallow: /b\n", "bot");
  EXPECT_TRUE(rules.check("/ax").allowed);
  EXPECT_FALSE(rules.check("/bx").allowed);
}

TEST(Version2, CanBeSwitchedOff) {
  config::Robots options;
  options.version2 = false;
  EXPECT_FALSE(in_force("User-agent: bot\nRobot-version: 2.0\nDisallow: /a", options));
}

TEST(Version2, InRfc9309ModeTheSectionGoesOnBehindIt) {
  config::Robots options;
  options.grouping = config::Grouping::rfc9309;
  const char* const text = "User-agent: bot\nRobot-version: 2.0\nUser-agent: other\nDisallow: /a";
  EXPECT_TRUE(in_force(text, options));
  EXPECT_TRUE(read(text, "other", options).check("/ab").allowed);
}

TEST(Version2, PatternsMatchTheWholeTarget) {
  expect({
      {"/helpme", "/helpme", true},
      {"/helpme", "/helpme.html", false},
      {"/helpme", "/helpme?x", false},
      {"/helpme*", "/helpme/x?y", true},
      {"*.cgi", "/a/run.cgi", true},
      {"*.cgi", "/a/run.cgi?x", false},
      {"/a*b*c", "/axbxc", true},
      {"/a*b*c", "/axbxcx", false},
      {"/a*a", "/a", false},
      {"*", "/", true},
      {"/a**", "/a", true},
  });
}

TEST(Version2, AQuestionMarkIsOneCharacterOrOneTriplet) {
  expect({
      {"/file?", "/files", true},
      {"/file?", "/file", false},
      {"/file?", "/file12", false},
      {"/file?", "/file?", true},
      {"/file?", "/file%C3", true},
      {"/file?", "/file%C3%A9", false},
      {"/file??", "/file%C3%A9", true},
      {"/file?", "/file%41", true},
      {"/?*", "/", false},
      {"/?*", "/a", true},
      {"/a?*b?", "/axbbc", true},
      {"/*?", "/%C3", true},
      {"/*??", "/%C3", false},
      {"/*?x?", "/%C3x%C3", true},
      {"/*?", "/", false},
  });
}

TEST(Version2, SetsMatchOneCharacterOfThem) {
  expect({
      {"/x[abc]", "/xb", true},
      {"/x[abc]", "/xd", false},
      {"/x[abc]", "/x", false},
      {"/x[a-c]", "/xb", true},
      {"/x[a-c]", "/xd", false},
      {"/x[a-cx-z0-9]", "/xy", true},
      {"/x[a-cx-z0-9]", "/x5", true},
      {"/x[a-cx-z0-9]", "/xe", false},
      {"/x[!abc]", "/xd", true},
      {"/x[!abc]", "/xa", false},
      {"/x[!abc]", "/x", false},
      {"/x[^a-c]", "/x%C3", true},
      {"/x[^a-c]", "/xb", false},
      {"/x[^/]y", "/x/y", false},
      {"/x[!b]y", "/x/y", true},
      {"/x[]]", "/x]", true},
      {"/x[]a]", "/xa", true},
      {"/x[!]a]", "/x]", false},
      {"/x[!]a]", "/xb", true},
      {"/x[-a]", "/x-", true},
      {"/x[a-]", "/x-", true},
      {"/x[a-]", "/xb", false},
      {"/x[a!]", "/x!", true},
      {"/x[a^]", "/x%5E", true},
      {"/x[*?]", "/x*", true},
      {"/x[*?]", "/x?", true},
      {"/x[*?]", "/xa", false},
      {"/x[$]", "/x$", true},
      {"/x[c-a]", "/xb", false},
      {"/x[%C3]", "/x%c3", true},
      {"/x[%C3-%C5]", "/x%C4", true},
      {"/x[%C3-%C5]", "/x%C6", false},
      {"/x[\xC3\xA9]", "/x%A9", true},
      {"/x[%41]", "/xA", true},
      {"/x[%2F]", "/x/", false},
      {"/x[%2F]", "/x%2F", true},
      {"/x[ ]", "/x%20", true},
      {"/x[\\]]", "/x]", true},
      {"/x[\\]]", "/x%5C", false},
      {"/x[\\\\]", "/x%5C", true},
      {"/x[a\\-c]", "/xb", false},
      {"/x[a\\-c]", "/x-", true},
      {"/x[\\!a]", "/x!", true},
      {"*[0-9]", "/page/7", true},
      {"/[a-z]*[0-9].html", "/page7.html", true},
  });
}

TEST(Version2, AnUnterminatedSetIsLiteral) {
  expect({
      {"/x[abc", "/x[abc", true},
      {"/x[abc", "/xa", false},
      {"/x[", "/x[", true},
      {"/x[!", "/x[!", true},
      {"/x[]", "/x[]", true},
      {"/x[!]", "/x[!]", true},
      {"/x[a\\]", "/x[a]", true},
      {"/x[?", "/x[y", true},
      {"/x]", "/x]", true},
  });
}

TEST(Version2, ABackslashMakesTheNextCharacterLiteral) {
  expect({
      {"/file\\?", "/file?", true},
      {"/file\\?", "/files", false},
      {"/file\\?", "/file?x=1", false},
      {"/file\\?*", "/file?x=1", true},
      {"/a\\*b", "/a*b", true},
      {"/a\\*b", "/a%2Ab", true},
      {"/a\\*b", "/axb", false},
      {"/a\\[b]", "/a[b]", true},
      {"/a\\[b]", "/ab", false},
      {"/a\\\\b", "/a%5Cb", true},
      {"/a\\b", "/ab", true},
      {"/a\\", "/a%5C", true},
      {"/a\\%2f", "/a%2F", true},
      {"/a\\$", "/a$", true},
      {"/a\\$", "/a", false},
  });
}

TEST(Version2, AFinalDollarChangesNothing) {
  expect({
      {"/a$", "/a", true},
      {"/a$", "/ab", false},
      {"/a*$", "/ab", true},
      {"/a$b", "/a$b", true},
      {"/a?$", "/ab", true},
      {"/a$$", "/a$", true},
  });
}

TEST(Version2, ABareSlashForbidsEverythingByDefault) {
  EXPECT_FALSE(allows2("Disallow: /", "/"));
  EXPECT_FALSE(allows2("Disallow: /", "/page"));
  EXPECT_TRUE(allows2("Disallow: /\nAllow: /page", "/page")) << "a longer rule still wins";
  EXPECT_FALSE(allows2("Disallow: /\nAllow: /page", "/pages"));
  EXPECT_TRUE(allows2("Disallow: /$", "/page")) << "not bare";
  EXPECT_FALSE(allows2("Disallow: /p*\nAllow: /", "/page")) << "only of Disallow";
  config::Robots options;
  options.version2_bare_slash = config::BareSlash::root_only;
  const Rules rules = everyone("Robot-version: 2.0\nDisallow: /", options);
  EXPECT_FALSE(rules.check("/").allowed);
  EXPECT_TRUE(rules.check("/page").allowed);
}

TEST(Version2, TheWrittenPatternHasTheRank) {
  EXPECT_TRUE(allows2("Disallow: /a*\nAllow: /?b", "/ab")) << "a tie";
  EXPECT_FALSE(allows2("Disallow: /a*\nAllow: /?", "/a"));
  EXPECT_FALSE(allows2("Disallow: /\\a*\nAllow: /a*", "/a")) << "the backslash counts";
  EXPECT_FALSE(allows2("Disallow: /a*$\nAllow: /a*", "/a")) << "so does the $";
}

TEST(Version2, RatesAndDelaysWorkAsWell) {
  const Rules rules = everyone("Robot-version: 2.0\nRequest-rate: 100/15m\nCrawl-delay: 3\nDisallow: /a");
  EXPECT_EQ(rules.request_rates().size(), 1U);
  EXPECT_EQ(rules.crawl_delay(), 3);
}

TEST(Version2, ACutDisallowGoesOnWithAnything) {
  const std::string path = "/" + std::string(kRuleOctetsMax - 1, 'a');
  EXPECT_FALSE(allows2("Disallow: " + path + "bcd", path + "x"));
  EXPECT_FALSE(allows2("Disallow: /?" + path.substr(2) + "bcd", path + "x"));
  EXPECT_FALSE(allows2("Disallow: /" + path.substr(4) + "[abc]x", "/" + path.substr(4) + "zzz"))
      << "the set is left out as a whole";
  EXPECT_FALSE(allows2("Disallow: /\nAllow: " + path + "b", path + "b"));
}

TEST(Version2, SetsBeyondTheLimitTighten) {
  std::string records;
  for (std::size_t i = 0; i < kSetsMax; ++i) {
    std::string name = "z";
    for (std::size_t bit = 0; bit < 12; ++bit) {
      if ((i >> bit & 1U) != 0) name.push_back(static_cast<char>('a' + bit));
    }
    records += "Disallow: /none[" + name + "]\n";
  }
  EXPECT_TRUE(allows2(records, "/x1"));
  EXPECT_FALSE(allows2(records + "Disallow: /x[2]\n", "/x1")) << "one set too many: cut there";
  EXPECT_FALSE(allows2("Disallow: /x*\n" + records + "Allow: /x[2]zzzzzz\n", "/x2zzzzzz")) << "dropped";
  EXPECT_EQ(everyone("Robot-version: 2.0\n" + records + "Disallow: /y[z]").warning_count(), 0U)
      << "a set that is there";
}

TEST(Version2, WhenTheStepsAreUsedUpTheRestIsTakenStrictly) {
  std::string spender;
  const std::string binary = [] {
    std::string out = "/";
    std::uint32_t state = 1;
    while (out.size() < 8'000) {
      state = state * 1664525U + 1013904223U;
      out.push_back(state >> 31U != 0 ? 'a' : 'b');
    }
    return out;
  }();
  for (std::uint32_t i = 0; i < 250; ++i) {
    spender +=
        "Allow: /*a" + std::string(1'500, '?') + std::string(i % 29, 'a') + std::string(30, 'b') + "c?*\n";
  }
  const std::string target = binary + "c";
  EXPECT_TRUE(allows2(spender, target)) << "nothing forbids";
  EXPECT_FALSE(allows2(spender + "Disallow: /*b[a]c?*ca[ab]\n", target + "cab"))
      << "unknown: taken as matching";
  EXPECT_FALSE(allows2(spender + "Allow: /*[ab]c\nDisallow: /*c", target))
      << "unknown: taken as not matching";
  EXPECT_TRUE(allows2(spender + "Disallow: /q[a]", target)) << "what the cheap tests rule out stays out";
}

}  // namespace
}  // namespace robots
