// How much a cache keeps, and what goes first.
#include "tests/robots/cache_fixture.h"

namespace robots {
namespace {

TEST_F(CacheTest, TheLeastRecentlyUsedOriginGoesFirst) {
  options.cache_entries = 3;
  const auto one = [](int i) {
    return base::Url::parse("http://h" + std::to_string(i) + ".test/")->origin();
  };
  const auto learn = [&](int i) {
    ASSERT_TRUE(cache().want(one(i), now, random));
    cache().learn(one(i), {200, kBody, {}, {}, {}, {}, {}}, now, random);
  };
  learn(1);
  learn(2);
  learn(3);
  cache().check(*base::Url::parse("http://h1.test/"), now);
  learn(4);
  EXPECT_EQ(cache().size(), 3U);
  EXPECT_EQ(cache().access(one(2)), Access::unknown);
  for (const int i : {1, 3, 4}) EXPECT_EQ(cache().access(one(i)), Access::rules) << i;
}

TEST_F(CacheTest, AnEntryInFlightIsNeverEvicted) {
  options.cache_entries = 2;
  ASSERT_NE(ask(), "");
  for (int i = 0; i < 10; ++i) {
    const base::Origin other = base::Url::parse("http://h" + std::to_string(i) + ".test/")->origin();
    ASSERT_TRUE(cache().want(other, now, random));
    cache().learn(other, {404, {}, {}, {}, {}, {}, {}}, now, random);
    EXPECT_LE(cache().size(), 2U);
    EXPECT_EQ(cache().due(origin, now), std::nullopt);
  }
  tell(200, kBody);
  EXPECT_EQ(access(), Access::rules);
}

TEST_F(CacheTest, CopiesTogetherStayWithinTheirMemory) {
  std::string body = "User-agent: *\n";
  for (int i = 1000; body.size() < kFileOctetsMax - 2'000; ++i) {
    body += "allow:*" + std::to_string(i) + std::string(1'900, '"') + "\n";
  }
  fetch(200, body);
  const std::size_t each = cache().rules(origin)->octets();
  ASSERT_GT(each, kFileOctetsMax);
  const std::size_t fits = kCacheOctetsMax / each;
  for (std::size_t i = 0; i < fits + 3; ++i) {
    const base::Origin other = base::Url::parse("http://h" + std::to_string(i) + ".test/")->origin();
    ASSERT_TRUE(cache().want(other, now, random));
    cache().learn(other, {200, body, {}, {}, {}, {}, {}}, now, random);
  }
  EXPECT_EQ(cache().size(), fits);
  EXPECT_EQ(access(), Access::unknown);
}

TEST_F(CacheTest, TheMemoryOfCopiesIsTheOwnersToSet) {
  const auto one = [](int i) {
    return base::Url::parse("http://h" + std::to_string(i) + ".test/")->origin();
  };
  const std::size_t each = Rules::parse(kBody, std::vector<std::string>{"crawld"}, options).octets();
  made.emplace(std::vector<std::string>{"crawld"}, options, 3 * each);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache().want(one(i), now, random));
    cache().learn(one(i), {200, kBody, {}, {}, {}, {}, {}}, now, random);
    EXPECT_EQ(cache().size(), static_cast<std::size_t>(std::min(i + 1, 3))) << i;
  }
  EXPECT_EQ(cache().access(one(0)), Access::unknown);
}

}  // namespace
}  // namespace robots
