// ROBOTS.md §3 and §7: what a rule matches, which one wins, and what a decision says.
#include "robots/rules.h"

#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

TEST(Rules, WithoutAnyAllIsAllowed) {
  const Decision decision = Rules().check("/x");
  EXPECT_TRUE(decision.allowed);
  EXPECT_EQ(decision.group, "");
  EXPECT_EQ(decision.rule, "");
  EXPECT_EQ(decision.line, 0);
  EXPECT_TRUE(everyone("").check("/x").allowed);
  EXPECT_EQ(everyone("").check("/x").group, "*");
}

TEST(Rules, ADecisionNamesGroupRecordAndLine) {
  const Rules rules = read("User-agent: Bot\n# remark\n  DISALLOW :  /a*b$ # why\nAllow: /\n", "bot");
  const Decision decision = rules.check("/axb");
  EXPECT_FALSE(decision.allowed);
  EXPECT_EQ(decision.group, "bot");
  EXPECT_EQ(decision.rule, "DISALLOW :  /a*b$");
  EXPECT_EQ(decision.line, 3);
  EXPECT_EQ(rules.check("/c").rule, "Allow: /");
  EXPECT_EQ(rules.check("/c").line, 4);
}

TEST(Rules, OfEqualRulesTheFirstLineIsNamed) {
  EXPECT_EQ(everyone("Disallow: /a\nDisallow: /a").check("/a").line, 2);
}

TEST(Rules, Rfc9309_2_2_2_TheLongestMatchWinsInAnyOrder) {
  for (const char* records :
       {"Disallow: /\nAllow: /a/\nDisallow: /a/b/", "Disallow: /a/b/\nAllow: /a/\nDisallow: /"}) {
    EXPECT_FALSE(allows(records, "/x"));
    EXPECT_TRUE(allows(records, "/a/x"));
    EXPECT_FALSE(allows(records, "/a/b/x"));
  }
}

TEST(Rules, AllowWinsATie) {
  EXPECT_TRUE(allows("Disallow: /p\nAllow: /p", "/p/1"));
  EXPECT_TRUE(allows("Disallow: /*.pdf\nAllow: /files", "/files.pdf"));
  EXPECT_FALSE(allows("Disallow: /*.pdf\nAllow: /doc", "/doc.pdf"));
}

TEST(Rules, StarsCountForTheRankBeforeTheyAreCollapsed) {
  EXPECT_TRUE(allows("Disallow: /*.pdf*\nAllow: /doc****", "/doc.pdf"));
  EXPECT_FALSE(allows("Disallow: /*.pdf*\nAllow: /files", "/files.pdf"));
  EXPECT_TRUE(allows("Disallow: /***\nAllow: /****", "/x"));
  EXPECT_FALSE(allows("Disallow: /****\nAllow: /***", "/x"));
}

TEST(Rules, ADollarCountsForTheRank) {
  EXPECT_TRUE(allows("Disallow: /ab\nAllow: /a*$", "/ab"));
  EXPECT_TRUE(allows("Disallow: /a$c\nAllow: /a*c", "/a$c")) << "a literal $ counts one octet, not three";
}

TEST(Rules, OctetsOfTheCanonicalFormAreCounted) {
  EXPECT_FALSE(allows("Disallow: /%C3%A9\nAllow: /????xyz\nAllow: /*abc", "/\xC3\xA9"));
  EXPECT_TRUE(allows("Disallow: /%61%62\nAllow: /*ab", "/ab")) << "decoded: three octets against four";
  EXPECT_TRUE(allows("Disallow: /caf\xC3\xA9\nAllow: /caf%C3%A9", "/caf%c3%a9")) << "the same length";
}

TEST(Rules, ThePathRobotsTxtIsAlwaysAllowed) {
  EXPECT_TRUE(allows("Disallow: /", "/robots.txt"));
  EXPECT_TRUE(allows("Disallow: /", "/robots%2Etxt"));
  EXPECT_FALSE(allows("Disallow: /", "/robots.txt?"));
  EXPECT_FALSE(allows("Disallow: /", "/robots.txt?x=1"));
  EXPECT_FALSE(allows("Disallow: /", "/Robots.txt"));
  EXPECT_FALSE(allows("Disallow: /", "/robots.txts"));
  EXPECT_FALSE(allows("Disallow: /", "/a/robots.txt"));
}

TEST(Rules, AnEmptyRuleIsNoRule) {
  EXPECT_TRUE(allows("Disallow:", "/x"));
  EXPECT_FALSE(allows("Disallow:\nDisallow: /x", "/x"));
  EXPECT_FALSE(allows("Allow:\nDisallow: /", "/x"));
  EXPECT_EQ(everyone("Disallow:\nAllow:").rule_count(), 0U);
}

TEST(Rules, APathBeginsWithASlashOrAStar) {
  for (const char* path : {"x", "http://a.test/x", "$", "?x", "%2Fx", "[x"}) {
    const Rules rules = everyone("Disallow: " + std::string(path));
    EXPECT_TRUE(rules.check("/x").allowed) << path;
    EXPECT_EQ(rules.rule_count(), 0U) << path;
    EXPECT_EQ(rules.warning_count(), 1U) << path;
  }
  EXPECT_FALSE(allows("Disallow: *x", "/a/x"));
  EXPECT_FALSE(allows("Disallow: *", "/"));
}

struct Case {
  const char* rule;
  const char* target;
  bool matches;
};

TEST(Rules, Rfc9309_2_2_3_SpecialCharacters) {
  for (const Case& c : std::vector<Case>{
           {"/fish", "/fish.html", true},
           {"/fish", "/Fish", false},
           {"/fish*", "/fishheads", true},
           {"/fish*$", "/fishing", true},
           {"/*.php", "/a/b.php?x", true},
           {"/*.php$", "/a.php", true},
           {"/*.php$", "/a.php?x", false},
           {"/*.php$", "/a.php.php", true},
           {"*.php$", "/a.phps", false},
           {"/a*b*c$", "/abcbc", true},
           {"/a*b*c$", "/acb", false},
           {"/ab*ba", "/aba", false},
           {"/ab*ba$", "/abba", true},
           {"/ab*b$", "/ab", false},
           {"/a**b", "/ab", true},
           {"/$", "/", true},
           {"/$", "/x", false},
           {"/$", "/?x", false},
           {"/talk$", "/talk", true},
           {"/talk$", "/talk-01", false},
           {"/earn$*", "/earn$x", true},
           {"/earn$*", "/earn", false},
           {"/a$b", "/a$bc", true},
           {"/a$b", "/a%24b", true},
           {"/a$$", "/a$", true},
           {"/a$$", "/a$$", false},
           {"/a*$$", "/abc$", true},
           {"/x?y", "/xzy", false},
           {"/x?y", "/x?yz", true},
           {"/x[12]", "/x1", false},
           {"/x[12]", "/x[12]", true},
           {"/x\\*", "/x*", false},
           {"//x", "/x", false},
           {"/x", "//x", false},
       }) {
    EXPECT_EQ(!allows("Disallow: " + std::string(c.rule), c.target), c.matches) << c.rule << " " << c.target;
  }
}

TEST(Rules, Rfc9309_2_2_2_OneCanonicalFormForRulesAndUrls) {
  for (const Case& c : std::vector<Case>{
           {"/caf\xC3\xA9", "/caf%C3%A9", true},
           {"/caf%c3%a9", "/caf%C3%A9", true},
           {"/caf%C3%A9", "/caf\xC3\xA9", true},
           {"/%7Ejoe", "/~joe", true},
           {"/~joe", "/%7ejoe", true},
           {"/%62ar", "/bar", true},
           {"/bar", "/%62%61%72", true},
           {"/a%2Fb", "/a/b", false},
           {"/a/b", "/a%2Fb", false},
           {"/a%2fb", "/a%2Fb", true},
           {"/a%3Fb", "/a?b", false},
           {"/a b", "/a%20b", true},
           {"/a+b", "/a%20b", false},
           {"/a|b", "/a%7Cb", true},
           {"/a\"b", "/a%22b", true},
           {"/a%2Ab", "/a*b", true},
           {"/a%2Ab", "/axb", false},
           {"/a%2ab", "/a%2Ab", true},
           {"/pay-%24", "/pay-$", true},
           {"/pay-%24", "/pay-", false},
           {"/pay$x", "/pay%24x", true},
           {"/100%", "/100%25", true},
           {"/100%", "/100%", true},
           {"/a%4", "/a%254", true},
           {"/a%zz", "/a%25zz", true},
           {"/s?q='x'", "/s?q=%27x%27", true},
           {"/s?q=%27x", "/s?q='x", true},
           {"/it's", "/it%27s", false},
           {"/it's", "/it's", true},
       }) {
    EXPECT_EQ(!allows("Disallow: " + std::string(c.rule), c.target), c.matches) << c.rule << " " << c.target;
  }
}

TEST(Rules, EveryReservedCharacterDiffersFromItsEncodedForm) {
  for (const char c : std::string(":/?[]@!&()+,;=")) {
    const char code[] = {'%', "0123456789ABCDEF"[c / 16], "0123456789ABCDEF"[c % 16], 0};
    EXPECT_TRUE(allows("Disallow: /x" + std::string(1, c), "/x" + std::string(code))) << c;
    EXPECT_TRUE(allows("Disallow: /x" + std::string(code), "/x" + std::string(1, c))) << c;
    EXPECT_FALSE(allows("Disallow: /x" + std::string(1, c), "/x" + std::string(1, c))) << c;
  }
}

TEST(Rules, ALongDisallowIsCutAndALongAllowIsDropped) {
  const std::string path = "/" + std::string(kRuleOctetsMax - 1, 'a');
  EXPECT_FALSE(allows("Disallow: " + path + "b", path)) << "cut: stricter";
  EXPECT_FALSE(allows("Disallow: " + path + "b", path + "c"));
  EXPECT_TRUE(allows("Disallow: " + path, path.substr(1))) << "just as long as it may be";
  EXPECT_FALSE(allows("Disallow: /\nAllow: " + path + "b", path + "b")) << "dropped: stricter";
  EXPECT_TRUE(allows("Disallow: /\nAllow: " + path, path + "b"));
  EXPECT_EQ(everyone("Disallow: " + path + "b").warning_count(), 1U);
  EXPECT_EQ(everyone("Disallow: " + path).warning_count(), 0U);
}

TEST(Rules, ACutNeverMakesAnEndOrHalfACharacter) {
  const std::string path = "/" + std::string(kRuleOctetsMax - 2, 'a');
  EXPECT_FALSE(allows("Disallow: " + path + "$b", path + "$zzz")) << "a $ that was in the middle is no end";
  EXPECT_FALSE(allows("Disallow: " + path + "%41", path + "xyz")) << "the triplet is left out as a whole";
  EXPECT_FALSE(allows("Disallow: " + path + "b$", path + "bc")) << "the $ behind the limit is cut too";
  EXPECT_FALSE(allows("Disallow: " + path + "xyz\nAllow: " + path + "x", path + "xyz"))
      << "it keeps its rank";
}

TEST(Rules, ATargetThatNoUrlHasIsRefusedWhereThereAreRules) {
  const std::string longest = "/" + std::string(base::kUrlOctetsMax - 1, 'a');
  EXPECT_TRUE(allows("Disallow: /b", longest));
  EXPECT_FALSE(allows("Disallow: /b", longest + "a"));
  EXPECT_TRUE(allows("", longest + "a"));
  EXPECT_FALSE(allows("Disallow: /*%22$", "/" + std::string(base::kUrlOctetsMax - 1, '"')))
      << "three octets for each";
}

TEST(Rules, NestedHeadsAreAllSeen) {
  std::string records;
  for (std::size_t i = 1; i <= 600; ++i)
    records += (i % 2 == 0 ? "Allow: /" : "Disallow: /") + std::string(i, 'a') + "\n";
  const Rules rules = everyone(records);
  for (std::size_t i = 1; i <= 600; ++i)
    EXPECT_EQ(rules.check("/" + std::string(i, 'a') + "b").allowed, i % 2 == 0) << i;
  EXPECT_TRUE(rules.check("/b").allowed);
}

TEST(Rules, HostileStarRulesAreAnsweredExactly) {
  std::string records;
  for (int i = 0; i < 9'000; ++i)
    records += "Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*" + std::to_string(i) + "b\n";
  const Rules rules = everyone(records);
  EXPECT_TRUE(rules.check("/0123456789b" + std::string(8'000, 'a')).allowed);
  EXPECT_TRUE(rules.check("/b" + std::string(8'000, 'a')).allowed);
  EXPECT_FALSE(rules.check("/0123456789b" + std::string(8'000, 'a') + "8999b").allowed);
  EXPECT_TRUE(rules.check("/0123456789b" + std::string(8'000, 'a') + "9000").allowed);
}

TEST(Sitemaps, StandAnywhereInOrderWithoutDuplicates) {
  const Rules rules = read(
      "Sitemap: /b.xml\nUser-agent: x\nSitemap: http://a.test/c.xml\nDisallow: /\nSitemap: "
      "/b.xml\nSitemap:\nSitemap: /a.xml",
      "bot");
  EXPECT_EQ((std::vector<std::string>(rules.sitemaps().begin(), rules.sitemaps().end())),
            (std::vector<std::string>{"/b.xml", "http://a.test/c.xml", "/a.xml"}));
}

TEST(Sitemaps, AreResolvedAgainstRobotsTxtAndOnlyHttp) {
  const Rules rules = read(
      "Sitemap: /a.xml\nSitemap: javascript:alert(1)\nSitemap: ftp://a.test/x\nSitemap: "
      "https://b.test/B.xml\nSitemap: http://A.test/a.xml\nSitemap: c.xml\n");
  std::vector<std::string> found;
  for (const base::Url& url : resolved_sitemaps(rules, *base::Url::parse("http://a.test/robots.txt")))
    found.emplace_back(url.text());
  EXPECT_EQ(found,
            (std::vector<std::string>{"http://a.test/a.xml", "https://b.test/B.xml", "http://a.test/c.xml"}));
}

}  // namespace
}  // namespace robots
