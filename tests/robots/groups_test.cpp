// ROBOTS.md §2: which group concerns us.
#include "robots/groups.h"

#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

config::Robots rfc9309() {
  config::Robots options;
  options.grouping = config::Grouping::rfc9309;
  return options;
}

bool blocks(std::string_view text, const std::string& agent, const config::Robots& options = {}) {
  return !read(text, agent, options).check("/x").allowed;
}

TEST(Groups, AnAgentValueNamesItsLeadingToken) {
  for (const char* value : {"Bot", "bOT", "Bot/2.0", "Bot (x)", "Bot*", "Bot9", "Bot, Other", "Bot.com"}) {
    EXPECT_TRUE(blocks("User-agent: " + std::string(value) + "\nDisallow: /", "bot")) << value;
  }
  for (const char* value : {"Bot-News", "Bot_x", "Robot", "Bo", "2Bot", "(Bot)", "", "*Bot", "/Bot"}) {
    EXPECT_FALSE(blocks("User-agent: " + std::string(value) + "\nDisallow: /", "bot")) << value;
  }
}

TEST(Groups, AStarMeansEveryoneUnlessATokenFollows) {
  for (const char* value : {"*", "* everyone", "*/1.0", "*9", "**", "*\xA0", "*."}) {
    EXPECT_TRUE(blocks("User-agent: " + std::string(value) + "\nDisallow: /", "bot")) << value;
  }
  for (const char* value : {"*bot", "*-", "*_"}) {
    EXPECT_FALSE(blocks("User-agent: " + std::string(value) + "\nDisallow: /", "bot")) << value;
  }
}

TEST(Groups, Rfc9309_2_2_1_OurOwnGroupsElseEveryonesElseNone) {
  const char* const both = "User-agent: *\nDisallow: /\n\nUser-agent: bot\nDisallow: /y\n";
  EXPECT_FALSE(blocks(both, "bot"));
  EXPECT_TRUE(blocks(both, "other"));
  EXPECT_EQ(read(both, "bot").group(), "bot");
  EXPECT_EQ(read(both, "other").group(), "*");
  EXPECT_EQ(read("User-agent: x\nDisallow: /", "bot").group(), "");
}

TEST(Groups, OwnAndEveryonesAreNeverCombinedAlsoNotForRates) {
  const Rules rules = read(
      "User-agent: *\nCrawl-delay: 9\nRequest-rate: 1/9s\nVisit-time: 0100-0200\n\nUser-agent: "
      "bot\nDisallow: /y",
      "bot");
  EXPECT_FALSE(rules.crawl_delay());
  EXPECT_TRUE(rules.request_rates().empty());
  EXPECT_TRUE(rules.visit_times().empty());
}

TEST(Groups, TheFirstTokenThatHasAGroupWins) {
  const std::string text = "User-agent: general\nDisallow: /g\n\nUser-agent: *\nDisallow: /e\n";
  const std::vector<std::string> tokens{"special", "General"};
  EXPECT_EQ(Rules::parse(text, tokens, {}).group(), "General") << "as the config writes it";
  EXPECT_EQ(Rules::parse(text + "User-agent: special\n", tokens, {}).group(), "special");
  const std::vector<std::string> strangers{"x", "y"};
  EXPECT_EQ(Rules::parse(text, strangers, {}).group(), "*");
}

TEST(Groups, RepeatedGroupsAreMerged) {
  const Rules rules = read(
      "User-agent: bot\nDisallow: /a\nCrawl-delay: 2\nUser-agent: other\nDisallow: /o\n"
      "User-agent: third\nUser-agent: BOT/2\nDisallow: /b\nCrawl-delay: 5\nRequest-rate: 1/7s\n",
      "bot");
  EXPECT_FALSE(rules.check("/a").allowed);
  EXPECT_FALSE(rules.check("/b").allowed);
  EXPECT_TRUE(rules.check("/o").allowed);
  EXPECT_EQ(rules.crawl_delay(), 5);
  EXPECT_EQ(rules.request_rates().size(), 1U);
}

TEST(Groups, InSectionModeAnyRecordOfASectionEndsTheRunOfAgents) {
  for (const char* record :
       {"Allow: /a", "Disallow: /a", "Disallow:", "Allow:", "Crawl-delay: 1", "Crawl-delay: x",
        "Request-rate: 1/1s", "Robot-version: 1.0", "Visit-time: 0000-0100"}) {
    const std::string text =
        "User-agent: bot\n" + std::string(record) + "\nUser-agent: other\nDisallow: /x\n";
    EXPECT_FALSE(blocks(text, "bot")) << record;
    EXPECT_TRUE(blocks(text, "other")) << record;
  }
  for (const char* record :
       {"Sitemap: /s", "Host: a.test", "Clean-param: x", "unknown: y", "nonsense", "# remark", ""}) {
    EXPECT_TRUE(
        blocks("User-agent: bot\n" + std::string(record) + "\nUser-agent: other\nDisallow: /x\n", "bot"))
        << record;
  }
}

TEST(Groups, InRfc9309ModeOnlyAllowAndDisallowEndTheRun) {
  for (const char* record : {"Crawl-delay: 1", "Request-rate: 1/1s", "Robot-version: 1.0",
                             "Visit-time: 0000-0100", "Sitemap: /s"}) {
    EXPECT_TRUE(blocks("User-agent: bot\n" + std::string(record) + "\nUser-agent: other\nDisallow: /x\n",
                       "bot", rfc9309()))
        << record;
  }
  for (const char* record : {"Allow: /a", "Disallow:"}) {
    EXPECT_FALSE(blocks("User-agent: bot\n" + std::string(record) + "\nUser-agent: other\nDisallow: /x\n",
                        "bot", rfc9309()))
        << record;
  }
}

TEST(Groups, InRfc9309ModeARateBetweenAgentsConcernsTheWholeGroup) {
  const char* const text = "User-agent: bot\nCrawl-delay: 4\nUser-agent: other\nDisallow: /x\n";
  EXPECT_EQ(read(text, "bot", rfc9309()).crawl_delay(), 4);
  EXPECT_EQ(read(text, "other", rfc9309()).crawl_delay(), 4);
  EXPECT_FALSE(read(text, "other").crawl_delay()) << "sections keep them apart";
}

TEST(Groups, RecordsBeforeTheFirstAgentAreIgnoredSaveSitemapAndCrawlDelay) {
  const char* const text =
      "Disallow: /x\nRequest-rate: 1/9s\nCrawl-delay: 3\nCrawl-delay: 6\nSitemap: /s\nUser-agent: "
      "slow\nCrawl-delay: 9\n"
      "User-agent: bot\nDisallow: /y\n";
  const Rules rules = read(text, "bot");
  EXPECT_TRUE(rules.check("/x").allowed);
  EXPECT_TRUE(rules.request_rates().empty());
  EXPECT_EQ(rules.crawl_delay(), 6);
  EXPECT_EQ(read(text, "slow").crawl_delay(), 9) << "the group's own comes first";
  EXPECT_EQ(read(text, "nobody").crawl_delay(), 6);
  EXPECT_EQ(rules.sitemaps().size(), 1U);
  EXPECT_EQ(rules.warning_count(), 2U);
}

TEST(Groups, AGroupWithoutRulesAllowsAll) {
  EXPECT_FALSE(blocks("User-agent: *\nDisallow: /\n\nUser-agent: bot", "bot"));
  EXPECT_FALSE(blocks("User-agent: bot\nUser-agent: other", "bot"));
}

}  // namespace
}  // namespace robots
