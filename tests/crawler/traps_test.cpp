#include "crawler/traps.h"

#include <gtest/gtest.h>

namespace {

using crawler::strip;
using crawler::Trap;
using crawler::trap_of;

base::Url url(const std::string& target) {
  return base::Url::parse("http://a.test" + target).value();
}

std::string verdict(const std::string& target, const config::Traps& limits = {}) {
  const auto trap = trap_of(url(target), limits);
  return trap ? std::string(to_string(*trap)) : "fine";
}

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Traps, UsualUrlsAreFine) {
  for (const char* target :
       {"/", "/?", "/2024/01/01/", "/2011/11/11/11-things", "/1/1/1", "/000/000/000/17.jpg", "/a//b///c",
        "/de/de/de/x", "/wiki/Talk:Talk/Talk", "/news/news/2024/news/", "/?next=/a/a/a/a/a/a/a",
        "/search?q=a&page=2&sort=asc&filter=x", "/a/b/a/c/a/d/a/e/a/f", "/x/a/b/c/a/b/c/a/b/c"}) {
    EXPECT_EQ(verdict(target), "fine") << target;
  }
}

TEST(Traps, EachLimitHoldsAtItsEdge) {
  config::Traps limits;
  limits.max_url_length = 100;
  const std::string head = "http://a.test/";
  EXPECT_EQ(verdict("/" + std::string(100 - head.size(), 'x'), limits), "fine");
  EXPECT_EQ(verdict("/" + std::string(101 - head.size(), 'x'), limits), "long_url");

  limits.max_path_segments = 3;
  EXPECT_EQ(verdict("/a/b/c", limits), "fine");
  EXPECT_EQ(verdict("/a/b/c/", limits), "fine");
  EXPECT_EQ(verdict("/a/b/c/d", limits), "deep_path");
  EXPECT_EQ(verdict("/a//c/d", limits), "deep_path");

  limits.max_parameters = 2;
  EXPECT_EQ(verdict("/?a&b=1&", limits), "fine");
  EXPECT_EQ(verdict("/?a&&b=1&c", limits), "parameters");
  limits.max_parameters = 0;
  EXPECT_EQ(verdict("/?", limits), "fine");
  EXPECT_EQ(verdict("/?&&", limits), "fine");
  EXPECT_EQ(verdict("/?a", limits), "parameters");
}

TEST(Traps, APartOfThePathMayRepeatSoOftenAndNoMore) {
  config::Traps limits;
  limits.max_url_length = 8192;
  limits.max_path_segments = 4096;
  for (std::uint32_t most = 1; most <= 4; ++most) {
    limits.max_repeats = most;
    for (std::size_t length = 1; length <= crawler::kRepeatedPartMax; ++length) {
      std::string part;
      for (std::size_t i = 0; i < length; ++i) part += "/s" + std::to_string(i);
      const std::string often = "/x/y" + times(most, part);
      EXPECT_EQ(verdict(often + "/z", limits), "fine") << often;
      EXPECT_EQ(verdict(often + "/s", limits), "fine") << often;
      EXPECT_EQ(verdict(often + part, limits), "repeats") << often;
      EXPECT_EQ(verdict(often + part + "/z", limits), "repeats") << often;
    }
    std::string longer;
    for (std::size_t i = 0; i <= crawler::kRepeatedPartMax; ++i) longer += "/s" + std::to_string(i);
    EXPECT_EQ(verdict(times(most + 1, longer), limits), "fine");
  }
  limits.max_repeats = 3;
  EXPECT_EQ(verdict("/1/1/1/1", limits), "repeats");
  EXPECT_EQ(verdict("/a/////", limits), "repeats");
  EXPECT_EQ(verdict(times(4000, "/"), limits), "repeats");
}

// The rule told without cleverness: every part at every place.
bool repeats_naively(const std::vector<std::string>& segments, std::size_t most) {
  const auto same = [&](std::size_t at, std::size_t length, std::size_t time) {
    for (std::size_t i = 0; i < length; ++i) {
      if (segments[at + i] != segments[at + time * length + i]) return false;
    }
    return true;
  };
  for (std::size_t at = 0; at < segments.size(); ++at) {
    for (std::size_t length = 1; length <= crawler::kRepeatedPartMax; ++length) {
      if (at + length * (most + 1) > segments.size()) break;
      std::size_t time = 1;
      while (time <= most && same(at, length, time)) ++time;
      if (time > most) return true;
    }
  }
  return false;
}

TEST(Traps, AgreesWithTheNaiveRuleOnEveryShortPathOfTwoWords) {
  config::Traps limits;
  std::size_t traps = 0;
  for (std::uint32_t size = 1; size <= 12; ++size) {
    for (std::uint32_t bits = 0; bits < (1U << size); ++bits) {
      std::string target;
      std::vector<std::string> segments;
      for (std::uint32_t i = 0; i < size; ++i) segments.emplace_back((bits >> i & 1U) != 0 ? "a" : "b");
      for (const std::string& segment : segments) target += "/" + segment;
      const base::Url found = url(target);
      for (limits.max_repeats = 1; limits.max_repeats <= 4; ++limits.max_repeats) {
        const bool expected = repeats_naively(segments, limits.max_repeats);
        traps += expected ? 1U : 0U;
        ASSERT_EQ(trap_of(found, limits) == Trap::repeats, expected) << target << ' ' << limits.max_repeats;
      }
    }
  }
  EXPECT_GT(traps, 1000U);
}

TEST(Strip, DropsWhatPatternsNameAndKeepsTheRestInOrder) {
  const std::vector<std::string> patterns{"sessionid", "utm_*"};
  const struct {
    const char* from;
    const char* to;
  } rows[] = {
      {"/a", "/a"},
      {"/a?", "/a?"},
      {"/a?&&", "/a?&&"},
      {"/a?b=1&&c=2", "/a?b=1&&c=2"},
      {"/a?utm_source=x", "/a"},
      {"/a?sessionid=1&utm_medium=y&", "/a"},
      {"/a?z=1&utm_source=x&b=%20&sessionid&a=2", "/a?z=1&b=%20&a=2"},
      {"/a?utm_=1&utm=2&xutm_a=3", "/a?utm=2&xutm_a=3"},
      {"/a?SessionId=1&sessionid2=2", "/a?SessionId=1&sessionid2=2"},
      {"/a?utm%5fsource=x&%73essionid=1&b", "/a?b"},
      {"/a?b=sessionid&c=utm_x", "/a?b=sessionid&c=utm_x"},
      {"/a?x?utm_b=1", "/a?x?utm_b=1"},
      {"/a?utm_%=1&utm%5=2&utm%zz=3", "/a?utm%5=2&utm%zz=3"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(strip(url(row.from), patterns), url(row.to)) << row.from;
    EXPECT_EQ(strip(url(row.from), {}), url(row.from)) << row.from;
  }
  EXPECT_EQ(strip(url("/a?my+id=1&b"), {"my id"}), url("/a?b"));
  EXPECT_EQ(strip(url("/a?b&c"), {"*"}), url("/a"));
}

TEST(Strip, LeavesMoreParametersThanItsLimitAlone) {
  const std::string most = "/?x" + times(crawler::kStrippedParametersMax - 1, "&s=1");
  EXPECT_EQ(strip(url(most), {"s"}), url("/?x"));
  EXPECT_EQ(strip(url(most + "&s=1"), {"s"}), url(most + "&s=1"));
}

}  // namespace
