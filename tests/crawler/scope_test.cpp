#include "crawler/scope.h"

#include <gtest/gtest.h>

namespace {

base::Url url(std::string_view text) {
  return *base::Url::parse(text);
}

TEST(Scope, FollowsHostDomainOrAny) {
  const std::vector<config::Seed> seeds{{url("http://www.a.co.uk/"), "test"}};
  config::Scope config;
  config.max_depth = 2;
  const struct {
    config::Follow follow;
    const char* url;
    bool in;
  } rows[] = {
      {config::Follow::host, "https://www.a.co.uk:8080/x", true},
      {config::Follow::host, "http://a.co.uk/", false},
      {config::Follow::domain, "http://b.a.co.uk/", true},
      {config::Follow::domain, "http://b.co.uk/", false},
      {config::Follow::any, "http://b.example/", true},
  };
  for (const auto& row : rows) {
    config.follow = row.follow;
    const crawler::Scope scope(config, seeds);
    EXPECT_EQ(scope.check(url(row.url), 2) == crawler::InScope::yes, row.in) << row.url;
    EXPECT_EQ(scope.check(url(row.url), 3), crawler::InScope::too_deep) << row.url;
    EXPECT_TRUE(scope.possible(url(row.url)) || !row.in) << row.url;
  }
}

TEST(Scope, ASeedsRedirectWidensItOnlyWithinItsRegistrableDomain) {
  crawler::Scope scope({}, {{url("http://a.test/"), "test"}});
  EXPECT_TRUE(scope.follow_seed("www.a.test"));
  EXPECT_FALSE(scope.follow_seed("www.a.test"));
  EXPECT_FALSE(scope.follow_seed("www.b.test"));
  EXPECT_EQ(scope.check(url("http://www.a.test/x"), 0), crawler::InScope::yes);
  EXPECT_EQ(scope.check(url("http://www.b.test/x"), 0), crawler::InScope::foreign_host);
}

}  // namespace
