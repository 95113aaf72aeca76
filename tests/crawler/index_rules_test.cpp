// unavailable_after and whose rules count; the other words are tested with the links.
#include "crawler/index_rules.h"

#include "base/time_text.h"

#include <gtest/gtest.h>

namespace crawler {
namespace {

const std::vector<std::string> kTokens = {"crawld"};

std::string shown(const IndexRules& rules) {
  return std::string(rules.nofollow ? "F" : "") + (rules.noindex ? "I" : "") + (rules.noarchive ? "A" : "") +
         (rules.unavailable_after ? base::rfc3339(*rules.unavailable_after).substr(0, 16) : "");
}
std::string tag(std::string_view value) {
  return shown(read_robots_tag(value, kTokens));
}
std::string meta(std::string_view content) {
  IndexRules rules;
  add_meta_rules(content, rules);
  return shown(rules);
}

TEST(IndexRules, UnavailableAfterIsReadInAllItsSpellings) {
  for (const std::string_view date :
       {"25 Jun 2030 15:00:00 GMT", "Tue, 25 Jun 2030 15:00:00 GMT", "Tuesday, 25-Jun-30 15:00:00 UTC",
        "25 Jun 2030 07:00:00 PST", "2030-06-25T15:00:00+00:00", "2030-06-25T15:00", "2030-06-25 15:00:00"}) {
    for (const std::string_view separator : {":", ": ", ":  "}) {
      const std::string rule = "unavailable_after" + std::string(separator) + std::string(date);
      EXPECT_EQ(tag(rule + ", noindex"), "I2030-06-25T15:00") << rule;
      EXPECT_EQ(meta("noarchive," + rule + ", nofollow"), "FA2030-06-25T15:00") << rule;
    }
  }
  EXPECT_EQ(tag("Unavailable_After: 2030"), "2030-01-01T00:00");
}

TEST(IndexRules, ADateThatCannotBeReadLeavesTheRest) {
  EXPECT_EQ(tag("unavailable_after: soon, noindex"), "I");
  EXPECT_EQ(tag("unavailable_after:"), "");
  EXPECT_EQ(meta("unavailable_after, noindex"), "I");
  EXPECT_EQ(meta("unavailable_after: 99 Jun 2030 15:00:00 GMT, nofollow"), "F");
}

TEST(IndexRules, OfOthersDoNotCount) {
  EXPECT_EQ(tag("otherbot: unavailable_after: 2030-06-25, noindex"), "");
  EXPECT_EQ(tag("otherbot: noindex, crawld: unavailable_after: 2030-06-25, nofollow"), "F2030-06-25T00:00");
  EXPECT_EQ(tag("otherbot:unavailable_after:2030-06-25\nunavailable_after:2031"), "2031-01-01T00:00");
}

TEST(IndexRules, AllTakesNothingBackAndUnknownWordsMeanNothing) {
  EXPECT_EQ(tag("all"), "");
  EXPECT_EQ(tag("noindex, all, index, follow"), "I");
  EXPECT_EQ(tag("nosnippet, notranslate, noimageindex, max-snippet:-1, noai"), "");
  EXPECT_EQ(tag("crawld: all\nnofollow"), "F") << "general rules hold beside our own";
}

TEST(IndexRules, OfSeveralPlacesAddUpToTheEarliestEnd) {
  IndexRules rules = read_robots_tag("noindex, unavailable_after: 2031", kTokens);
  rules.add(read_robots_tag("nofollow, unavailable_after: 2030", kTokens));
  rules.add(read_robots_tag("unavailable_after: 2032", kTokens));
  rules.add({});
  EXPECT_EQ(shown(rules), "FI2030-01-01T00:00");
  EXPECT_EQ(tag("unavailable_after: 2031\nunavailable_after: 2030"), "2030-01-01T00:00");
}

}  // namespace
}  // namespace crawler
