#include "crawler/dates.h"

#include "base/time_text.h"

#include <gtest/gtest.h>

namespace crawler {
namespace {

std::string shown(std::optional<base::WallTime> time) {
  return time ? base::rfc3339(*time).substr(0, 19) : "none";
}

TEST(Dates, OfAllPrecisionsAreRead) {
  struct Pair {
    std::string_view text;
    std::string_view time;
  };
  for (const Pair& one : std::initializer_list<Pair>{
           {"2026", "2026-01-01T00:00:00"},
           {"2026-08", "2026-08-01T00:00:00"},
           {"2026-08-01", "2026-08-01T00:00:00"},
           {"2026-08-01T09:30Z", "2026-08-01T09:30:00"},
           {"2026-08-01T09:30:15+02:00", "2026-08-01T07:30:15"},
           {"2026-08-01T09:30:15.123456789012-0130", "2026-08-01T11:00:15"},
           {"2026-08-01 09:30:15", "2026-08-01T09:30:15"},
           {" 2026-08-01t09:30:15z\n", "2026-08-01T09:30:15"},
           {"Sat, 01 Aug 2026 09:00:00 GMT", "2026-08-01T09:00:00"},
           {"1 Aug 26 09:00 EST", "2026-08-01T14:00:00"},
           {"Saturday, 01-Aug-26 09:00:00 UTC", "2026-08-01T09:00:00"},
           {"01-Aug-1995 09:00:00 -0700", "1995-08-01T16:00:00"},
           {"25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00"},
           {"sat, 1 august 2026", "2026-08-01T00:00:00"},
           {"2024-02-29", "2024-02-29T00:00:00"},
           {"1678-01-01", "1678-01-01T00:00:00"},
           {"2261-12-31T23:59:60-23:59", "2262-01-01T23:59:00"},
       }) {
    EXPECT_EQ(shown(read_date(one.text)), one.time) << one.text;
  }
}

TEST(Dates, NonsenseIsNone) {
  for (const std::string_view text : {"",
                                      "x",
                                      "26",
                                      "20260801",
                                      "2026-8-1",
                                      "2026-13",
                                      "2026-02-30",
                                      "2026-08-01T",
                                      "2026-08-01T9",
                                      "2026-08-01T25:00Z",
                                      "2026-08-01T09:60Z",
                                      "2026-08-01T09:30:61Z",
                                      "2026-08-01T09:30Zx",
                                      "2026-08-01T09:30+2",
                                      "1677-12-31",
                                      "2262-01-01",
                                      "Xyz, 01 Aug 2026",
                                      "01 Foo 2026",
                                      "01 Aug",
                                      "01 Aug 126",
                                      "1 Aug 2026 9",
                                      "99999999999999999999",
                                      "-1"}) {
    EXPECT_EQ(shown(read_date(text)), "none") << text;
  }
}

TEST(Dates, AreTakenOffTheFrontOfAText) {
  for (const std::string_view rest : {", nofollow", " noindex", ";x", ""}) {
    const std::string text = " 01 Aug 2026 09:00:00 GMT" + std::string(rest);
    std::string_view left = text;
    EXPECT_EQ(shown(take_date(left)), "2026-08-01T09:00:00");
    EXPECT_EQ(left, rest);
  }
  std::string_view words = " noindex";
  EXPECT_FALSE(take_date(words));
  EXPECT_EQ(words, " noindex");
  std::string_view untimed = "2026-08-01 noindex";
  EXPECT_TRUE(take_date(untimed));
  EXPECT_EQ(untimed, " noindex");
}

}  // namespace
}  // namespace crawler
