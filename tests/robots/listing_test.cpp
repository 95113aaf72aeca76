#include "robots/rules.h"

#include <gtest/gtest.h>

namespace {

using robots::Rules;

TEST(Listing, RulesAreToldInTheOrderOfTheFile) {
  const std::vector<std::string> tokens{"crawld"};
  const Rules rules = Rules::parse(
      "User-agent: *\nDisallow: /no\nUser-agent: crawld\nDisallow: /a\nAllow: /a/very/long/path\nDisallow: "
      "/b$\n",
      tokens, {});
  const auto all = rules.listing(10);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].text, "Disallow: /a");
  EXPECT_EQ(all[0].line, 4);
  EXPECT_FALSE(all[0].allow);
  EXPECT_TRUE(all[1].allow);
  EXPECT_EQ(all[2].line, 6);
  EXPECT_EQ(rules.listing(2).size(), 2U);
  EXPECT_TRUE(rules.listing(0).empty());
  EXPECT_TRUE(Rules().listing(10).empty());
}

}  // namespace
