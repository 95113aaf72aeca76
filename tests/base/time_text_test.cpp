#include "base/time_text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace std::chrono_literals;
using base::Duration;
using base::parse_duration;

base::WallTime at(int y, int m, int d, Duration since_midnight) {
  return base::WallTime(std::chrono::sys_days(std::chrono::year(y) / m / d)) + since_midnight;
}

TEST(Durations, AreReadWithTheirUnits) {
  EXPECT_EQ(parse_duration("10s"), Duration(10s));
  EXPECT_EQ(parse_duration("250ms"), Duration(250ms));
  EXPECT_EQ(parse_duration("1h30m"), Duration(90min));
  EXPECT_EQ(parse_duration("2d"), Duration(48h));
  EXPECT_EQ(parse_duration("1.5s"), Duration(1500ms));
  EXPECT_EQ(parse_duration("0.25h"), Duration(15min));
  EXPECT_EQ(parse_duration("7us3ns"), Duration(7003));
  EXPECT_EQ(parse_duration("0"), Duration(0));
  EXPECT_EQ(parse_duration("0s"), Duration(0));
}

TEST(Durations, WithoutUnitOrSenseAreRefused) {
  for (const char* bad :
       {"",        "10",   "s",   "-1s",  "+1s",  "1 s",  " 1s",   "1s ",           "1x",
        "1s1h",    "1s1s", "1.s", ".5s",  "1e3s", "0x1s", "0.1ns", "1.1234567891s", "99999999999999999999s",
        "200000d", "1S",   "inf", "10s\n"}) {
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  }
}

TEST(Durations, AreWrittenSoThatTheyReadBack) {
  for (const Duration d :
       {Duration(0), Duration(1), Duration(999), Duration(1500us), Duration(250ms), Duration(10s),
        Duration(9600ms), Duration(90min), Duration(48h + 1ns), Duration(61s), Duration::max()}) {
    EXPECT_EQ(parse_duration(base::duration_text(d)), d) << base::duration_text(d);
  }
  EXPECT_EQ(base::duration_text(9600ms), "9.6s");
  EXPECT_EQ(base::duration_text(90min), "1h30m");
  EXPECT_EQ(base::duration_text(0s), "0s");
  EXPECT_EQ(base::duration_text(-2s), "-2s");
}

TEST(Instants, Rfc3339RoundTrips) {
  const auto t = at(2026, 11, 21, 1h + 36min + 56s + 123ms);
  EXPECT_EQ(base::rfc3339(t), "2026-11-21T01:36:56.123Z");
  EXPECT_EQ(base::parse_rfc3339("2026-11-21T01:36:56.123Z"), t);
  EXPECT_EQ(base::parse_rfc3339("2026-11-21T03:36:56.123+02:00"), t);
  EXPECT_EQ(base::parse_rfc3339("2026-11-20T23:06:56.123-02:30"), t);
  EXPECT_EQ(base::rfc3339(at(1969, 12, 31, 23h + 59min + 59s + 999ms)), "1969-12-31T23:59:59.999Z");
  for (const char* bad : {"", "2026-11-21", "2026-11-21T01:36:56", "2026-13-21T01:36:56Z",
                          "2026-02-29T01:36:56Z", "2026-11-21T24:00:00Z", "2026-11-21T01:36:56Zx",
                          "2026-11-21T01:36:56+2:00", "9999-01-01T00:00:00Z"}) {
    EXPECT_EQ(base::parse_rfc3339(bad), std::nullopt) << bad;
  }
}

TEST(Instants, Rfc9110_5_6_7_AllThreeDateForms) {
  const auto t = at(1994, 11, 6, 8h + 49min + 37s);
  EXPECT_EQ(base::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), t);
  EXPECT_EQ(base::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), t);
  EXPECT_EQ(base::parse_http_date("Sun Nov  6 08:49:37 1994"), t);
  for (const char* bad : {"", "Sun, 06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 08:49:37 GMT",
                          "Sun, 31 Feb 1994 08:49:37 GMT", ", "}) {
    EXPECT_EQ(base::parse_http_date(bad), std::nullopt) << bad;
  }
}

TEST(RetryAfter, Rfc9110_10_2_3_SecondsAndDates) {
  const auto now = at(2026, 3, 1, 12h);
  EXPECT_EQ(base::parse_retry_after("120", now), Duration(120s));
  EXPECT_EQ(base::parse_retry_after(" 0 ", now), Duration(0));
  EXPECT_EQ(base::parse_retry_after("Sun, 01 Mar 2026 12:05:00 GMT", now), Duration(5min));
  EXPECT_EQ(base::parse_retry_after("Sun, 01 Mar 2026 11:05:00 GMT", now), Duration(0));
  EXPECT_EQ(base::parse_retry_after("Mon, 01 Jan 1700 00:00:00 GMT", now), Duration(0))
      << "further back than an interval reaches";
  EXPECT_EQ(base::parse_retry_after("99999999999999999999999", now), Duration::max());
  EXPECT_EQ(base::parse_retry_after("9223372036854775807", now), Duration::max());
  for (const char* bad : {"", "soon", "-5", "1.5", "12 s", "0x10"}) {
    EXPECT_EQ(base::parse_retry_after(bad, now), std::nullopt) << bad;
  }
}

}  // namespace
