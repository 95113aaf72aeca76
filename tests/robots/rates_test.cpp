// ROBOTS.md §5 and §6: the grammars.
#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

namespace robots {
namespace {

TEST(CrawlDelay, SecondsWithDecimals) {
  EXPECT_EQ(parse_crawl_delay("3"), 3);
  EXPECT_EQ(parse_crawl_delay("3.0"), 3);
  EXPECT_EQ(parse_crawl_delay("0.5"), 0.5);
  EXPECT_EQ(parse_crawl_delay(".5"), 0.5);
  EXPECT_EQ(parse_crawl_delay("5."), 5);
  EXPECT_EQ(parse_crawl_delay("10s"), 10);
  EXPECT_EQ(parse_crawl_delay("10 S"), 10);
  EXPECT_EQ(parse_crawl_delay("\t7 "), 7);
  EXPECT_EQ(parse_crawl_delay("0"), 0);
  EXPECT_EQ(parse_crawl_delay("007"), 7);
  EXPECT_EQ(parse_crawl_delay("86400"), 86400);
  EXPECT_EQ(parse_crawl_delay("18446744073709551616"), 18446744073709551616.0);
}

TEST(CrawlDelay, EverythingElseIsIgnored) {
  for (const char* value : {"", ".", "s", "-1", "+1", "0,5", "inf", "nan", "slow", "1e3", "0x10", "1.2.3",
                            "1 2", "10sec", "10m", "1s2", "1ss", "\xD9\xA3"}) {
    EXPECT_FALSE(parse_crawl_delay(value)) << value;
  }
  EXPECT_FALSE(parse_crawl_delay(std::string(400, '9'))) << "beyond what a double holds";
}

TEST(CrawlDelay, TheLargestOfSeveralCounts) {
  EXPECT_EQ(everyone("Crawl-delay: 2\nCrawl-delay: 8\nCrawl-delay: x\nCrawl-delay: 3").crawl_delay(), 8);
  EXPECT_EQ(everyone("Crawl-delay: x").crawl_delay(), std::nullopt);
  EXPECT_EQ(everyone("Crawl-delay: x").warning_count(), 1U);
}

/// documents/seconds, and the window as written
std::string shown(std::string_view value) {
  const auto rate = parse_request_rate(value);
  if (!rate) return "none";
  std::string out = std::to_string(rate->documents) + "/" + std::to_string(rate->seconds);
  if (rate->window)
    out += " " + std::to_string(rate->window->written_from) + "-" + std::to_string(rate->window->written_to);
  return out;
}

TEST(RequestRate, Grammar) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"1/10s", "1/10"},
      {"100/15m", "100/900"},
      {"400/1h", "400/3600"},
      {"9000/1d", "9000/86400"},
      {"1/5", "1/5"},
      {"30/1M", "30/60"},
      {"1 / 10s", "1/10"},
      {"1/10 s", "1/10"},
      {"10/m", "10/60"},
      {"10/ m", "10/60"},
      {"1/2min", "1/120"},
      {"1/2 minutes", "1/120"},
      {"1/2Hours", "1/7200"},
      {"1/3 seconds", "1/3"},
      {"1/2 days", "1/172800"},
      {"0/1m", "0/60"},
      {"007/010", "7/10"},
      {"1/10s 1800-1900", "1/10 1800-1900"},
      {"1/10 1800-1900", "1/10 1800-1900"},
      {"1/10s\t1800 - 1900", "1/10 1800-1900"},
      {"1/10 s 18:00-19:30 UTC", "1/10 1800-1930"},
      {"10/m 0000-2400", "10/60 0-2400"},
      {"1/18446744073709551615", "1/18446744073709551615"},
      {"18446744073709551615/1", "18446744073709551615/1"},
      {"1/213503982334601d", "1/18446744073709526400"},
  };
  for (const auto& [value, expected] : cases) EXPECT_EQ(shown(value), expected) << value;
}

TEST(RequestRate, AnythingElseIsIgnored) {
  for (const char* value : {"",
                            "10",
                            "1/",
                            "/10",
                            "1/0",
                            "1/0s",
                            "-1/5",
                            "+1/5",
                            "1/-5",
                            "1.5/10",
                            "1/2.5",
                            "1/1w",
                            "1/1 ms",
                            "1/s s",
                            "1:10",
                            "1/10s1800-1900",
                            "1/10 1800",
                            "1/10 1800-",
                            "1/10 1800-1900 x",
                            "1/10 2500-1900",
                            "1/10s,",
                            "bogus",
                            "1//2",
                            "1/10s 1800-1900 2000-2100",
                            "18446744073709551616/1",
                            "1/18446744073709551616",
                            "99999999999999999999/1s",
                            "1/213503982334602d",
                            "1/18446744073709551615m",
                            "1/ 1800-1900",
                            "1 0/5"}) {
    EXPECT_EQ(shown(value), "none") << value;
  }
}

TEST(RequestRate, AllLinesAreKeptInOrderAndBadOnesWarnedOf) {
  const Rules rules =
      everyone("Request-rate: 1/5\nRequest-rate: bogus\nRequest-rate: 1/9 0100-0200\nRequest-rate: 1/5");
  ASSERT_EQ(rules.request_rates().size(), 3U);
  EXPECT_EQ(rules.request_rates()[1].seconds, 9U);
  EXPECT_EQ(rules.warning_count(), 1U);
}

struct Window {
  const char* text;
  int from;
  int to;
};

TEST(Windows, Grammar) {
  for (const Window& w : std::vector<Window>{
           {"1800-1900", 1080, 1140},
           {"18:00-19:30", 1080, 1170},
           {"1800 - 19:00", 1080, 1140},
           {"0000-2400", 0, 1440},
           {"00:00-24:00", 0, 1440},
           {"2200-0600", 1320, 360},
           {"1300-1659", 780, 1020},
           {"1700-0459", 1020, 300},
           {"1700-2359", 1020, 1440},
           {"0600-0845Z", 360, 525},
           {"0600-0845 utc", 360, 525},
           {"0600 GMT - 0845 GMT", 360, 525},
           {"0600Z-0845Z", 360, 525},
           {" 0600-0845 ", 360, 525},
       }) {
    const auto window = parse_window(w.text);
    ASSERT_TRUE(window) << w.text;
    EXPECT_EQ(window->from, w.from) << w.text;
    EXPECT_EQ(window->to, w.to) << w.text;
  }
}

TEST(Windows, AnythingElseIsNone) {
  for (const char* text :
       {"",           "1800",          "1800-",        "-1900",     "18-19",      "180-1900",
        "18000-1900", "1800-19000",    "2400-0100",    "1800-2401", "1800-2500",  "1860-1900",
        "1800-1960",  "1800-1900 CET", "1800-1900 +1", "1800 1900", "1800--1900", "1800-1900-2000",
        "a800-1900",  "18:0-19:00",    "18::00-1900",  "-1800-1900"}) {
    EXPECT_FALSE(parse_window(text)) << text;
  }
}

/// How many minutes of the day lie inside.
int minutes(const char* text) {
  const base::DailyWindow window = *parse_window(text);
  int count = 0;
  for (int minute = 0; minute < 1440; ++minute) count += window.contains(minute) ? 1 : 0;
  return count;
}

TEST(Windows, CoverWhatTheySay) {
  EXPECT_EQ(minutes("1800-1900"), 60);
  EXPECT_EQ(minutes("1800-1859"), 60);
  EXPECT_EQ(minutes("2200-0600"), 480);
  EXPECT_EQ(minutes("0000-2400"), 1440);
  EXPECT_EQ(minutes("0000-2359"), 1440);
  EXPECT_EQ(minutes("0000-0000"), 1440);
  EXPECT_EQ(minutes("1200-1200"), 1440) << "from = to";
  EXPECT_EQ(minutes("1759-1759"), 1440) << "from = to, at minute 59 too";
  EXPECT_EQ(minutes("1800-1759"), 1440);
  EXPECT_EQ(minutes("2359-2400"), 1);
  EXPECT_EQ(minutes("2359-0000"), 1);
  EXPECT_EQ(minutes("1300-1659") + minutes("1700-0459") + minutes("0500-1259"), 1440) << "no gap, no overlap";
}

TEST(VisitTime, IsReadLikeAWindow) {
  const Rules rules = everyone("Visit-time: 0600-0845\nVisit-time: 20:00 - 2400 UTC\nVisit-time: at night");
  ASSERT_EQ(rules.visit_times().size(), 2U);
  EXPECT_EQ(rules.visit_times()[1].written_to, 2400);
  EXPECT_EQ(rules.warning_count(), 1U);
}

}  // namespace
}  // namespace robots
