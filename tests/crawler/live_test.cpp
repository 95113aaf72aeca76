#include "crawler/live_hosts.h"
#include "crawler/live_screen.h"
#include "crawler/live_status.h"
#include "crawler/live_text.h"
#include "crawler/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace crawler {
namespace {

using live::Json;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::ResultOf;
using testing::StartsWith;

Json status() {
  return *live::parse(
      R"({"version":"0.1.0","state":"running","sentence":"all is well","now":"2026-11-21T18:30:00.000Z",
    "uptime_seconds":1800.0,"threads":2,"requests_per_second":1.5,"requests_per_second_minute":0.04,
    "octets_per_second":12000.5,
    "totals":{"requests":1234567,"robots_requests":2,"octets":123456,"records":7,"record_octets":99999,"violations":0},
    "urls":{"owed":5,"queued":4,"retry":1,"again":7,"seen":12,"origins":3},
    "hosts":{"ready":0,"waiting":2,"paused":3,"in_flight":1,"idle":0,"asleep":4},"next":null,
    "longest_waits":[{"origin":"http://a.test","in_seconds":3600.0,"reason":"interval"},
                     {"origin":"http://b.test","in_seconds":60.0,"reason":"crawl_delay"}],
    "fates":{"fetched":7},"errors":{"timeout":1,"reset":2},
    "disk":[{"what":"state","path":"/p","free":1000,"pause_below":500,"resume_above":4000}],"orders":1})");
}

/// Without the sequences that colour.
std::string plain(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') i = line.find('m', i);
    if (line[i] != 'm' || i == 0 || line[i - 1] < '0' || line[i - 1] > '9') out += line[i];
  }
  return out;
}

TEST(LiveText, ShowsNothingThatATerminalWouldObeyOrMeasureOtherwise) {
  EXPECT_EQ(live::fitted("a\x1b[2J\r\nb"), R"(a\x1b[2J\x0d\x0ab)");
  EXPECT_EQ(live::fitted("\u4e16\u0301\xff"), R"(\u{4e16}\u{301}\xff)");
  EXPECT_EQ(live::fitted("a…"), "a…");
}

TEST(LiveText, IsCutToItsPlace) {
  EXPECT_EQ(live::fitted("abcde", 5), "abcde");
  EXPECT_EQ(live::fitted("abcdef", 5), "abcd…");
  EXPECT_EQ(live::fitted("ab", 1), "…");
  EXPECT_EQ(live::fitted("ab", 0), "");
  const std::string endless = live::fitted(std::string(1'000'000, 'x'), 10'000);
  EXPECT_EQ(live::width_of(endless), live::kTextMax + std::string_view("…(+995904)").size() - 2);
  EXPECT_EQ(live::width_of(live::fitted(std::string(300, 'x'))), live::kCellMax);
}

TEST(LiveText, NumbersAreForPeople) {
  EXPECT_EQ(live::count_text(0), "0");
  EXPECT_EQ(live::count_text(999), "999");
  EXPECT_EQ(live::count_text(-1234567), "-1,234,567");
  EXPECT_EQ(live::count_text(std::nullopt), "-");
  EXPECT_EQ(live::count_text(1e300), "-");
  EXPECT_EQ(live::rate_text(0.04), "0.04");
  EXPECT_EQ(live::rate_text(1.5), "1.5");
  EXPECT_EQ(live::rate_text(12345.6), "12,346");
  EXPECT_EQ(live::octets_text(1023), "1023 B");
  EXPECT_EQ(live::octets_text(1024), "1.0 KiB");
  EXPECT_EQ(live::octets_text(1024.0 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(live::octets_text(1e18), "888.2 PiB");
}

TEST(LiveText, DurationsHaveTwoUnits) {
  EXPECT_EQ(live::seconds_text(-3), "0s");
  EXPECT_EQ(live::seconds_text(0.0001), "0.001s");
  EXPECT_EQ(live::seconds_text(0.12), "0.12s");
  EXPECT_EQ(live::seconds_text(4.2), "4.2s");
  EXPECT_EQ(live::seconds_text(41), "41s");
  EXPECT_EQ(live::seconds_text(59.5), "1m");
  EXPECT_EQ(live::seconds_text(3600), "1h");
  EXPECT_EQ(live::seconds_text(3661), "1h1m");
  EXPECT_EQ(live::seconds_text(86400 + 7), "1d");
  EXPECT_EQ(live::seconds_text(1e300), "-");
}

TEST(LiveText, TablesLineUpAndTheFirstColumnGivesWay) {
  live::Table table({{"NAME"}, {"N", live::Table::Side::right}, {"WHY"}});
  table.add({std::string(300, 'x'), "7", "because"});
  table.add({"short", "1,000"});
  EXPECT_THAT(table.lines(40),
              ElementsAre("NAME                          N  WHY", std::string(23, 'x') + "…      7  because",
                          "short                     1,000"));
  EXPECT_THAT(table.lines(12), Each(ResultOf(live::width_of, testing::Le(12U))));
  EXPECT_THAT(table.lines(0), Each(""));
  EXPECT_EQ(live::width_of(table.lines()[1]), live::kCellMax + 2 + 5 + 2 + 7);
}

TEST(LiveFields, WhatIsMissingOrOfAnotherKindIsAbsent) {
  EXPECT_FALSE(live::parse("{").has_value());
  EXPECT_FALSE(live::parse(std::string(1'000'000, '[')).has_value());
  EXPECT_TRUE(live::parse(std::string(live::kDepthMax, '[') + std::string(live::kDepthMax, ']')).has_value());
  EXPECT_FALSE(
      live::parse(std::string(live::kDepthMax + 2, '[') + std::string(live::kDepthMax + 2, ']')).has_value());
  const Json odd = *live::parse(R"({"n":"1","t":2,"l":{}})");
  EXPECT_EQ(live::number(odd, "n"), std::nullopt);
  EXPECT_EQ(live::text(odd, "t"), "");
  EXPECT_TRUE(live::list(odd, "l").empty());
  EXPECT_FALSE(live::flag(Json(3), "x"));
}

TEST(LiveStatus, TellsAllThereIs) {
  const auto lines = live::status_lines(status(), {100, 200, false});
  EXPECT_EQ(lines.front(), "running    all is well");
  EXPECT_THAT(lines, Contains("rate       1.5 requests/s now, 0.04 over a minute, 11.7 KiB/s"));
  EXPECT_THAT(lines, Contains("hosts      1 in flight, 0 ready, 2 waiting, 3 paused, 0 idle, 4 asleep"));
  EXPECT_THAT(lines,
              Contains("URLs       5 owed (4 new, 1 to be tried again), 7 come again, 12 seen on 3 origins"));
  EXPECT_THAT(lines, Contains("longest    http://a.test in 1h (interval)"));
  EXPECT_THAT(lines, Contains("           http://b.test in 1m (crawl_delay)"));
  EXPECT_THAT(lines, Contains("errors     timeout 1, reset 2"));
  EXPECT_THAT(lines, Contains("next       nothing can become due"));
  EXPECT_THAT(lines, Contains("politeness no violations"));
  EXPECT_THAT(lines, Contains("disk       1000 B free for state, pause below 500 B  /p"));
}

TEST(LiveStatus, LeavesOutTheLeastImportantAndIsNeverWider) {
  Json hostile = status();
  hostile["longest_waits"][0]["origin"] = "http://" + std::string(300, 'x') + "\x1b[2J";
  hostile["sentence"] = std::string(5000, 'y');
  hostile["totals"]["violations"] = 3;
  for (std::size_t i = 0; i < 100; ++i) hostile["longest_waits"].push_back(hostile["longest_waits"][0]);
  for (std::size_t i = 0; i < 100; ++i) hostile["errors"]["e" + std::to_string(i)] = i;
  for (const std::size_t columns : {0U, 1U, 5U, 11U, 12U, 40U, 80U, 1000U}) {
    for (const std::size_t rows : {0U, 1U, 2U, 5U, 12U, 100U}) {
      for (const bool colour : {false, true}) {
        const auto lines = live::status_lines(hostile, {rows, columns, colour});
        ASSERT_LE(lines.size(), std::max<std::size_t>(rows, 1));
        for (const std::string& line : lines) {
          ASSERT_LE(live::width_of(plain(line)), columns) << line;
          ASSERT_NO_THROW(Json(line).dump()) << line;  // no character is cut in two
        }
      }
    }
  }
  const auto two = live::status_lines(hostile, {2, 80, false});
  EXPECT_THAT(two, ElementsAre(StartsWith("running"), "politeness 3 violations; please report this"));
  const auto shown = live::status_lines(hostile, {100, 100, false});
  EXPECT_THAT(shown, Contains(AllOf(HasSubstr("xxx… in 1h (interval)"), Not(HasSubstr("\x1b")))));
}

TEST(LiveStatus, NothingThatIsAnsweredBreaksIt) {
  for (const char* const text :
       {"{}", "[]", "null",
        R"({"state":1,"urls":[],"hosts":null,"disk":{},"longest_waits":[1,null],"errors":[1]})",
        R"({"totals":{"requests":1e308},"fates":{"a":"b"},"next":"soon","disk":[1],"reload":[]})"}) {
    const Json odd = *live::parse(text);
    EXPECT_GE(live::status_lines(odd, {100, 100, false}).size(), 5U) << text;
    EXPECT_THAT(live::status_line(odd), HasSubstr("state=")) << text;
    EXPECT_THAT(live::hosts_table(odd, 100), testing::SizeIs(1)) << text;
    live::host_page(odd, 100);
    EXPECT_THAT(live::seeds_table(odd, 100), testing::SizeIs(1)) << text;
  }
}

TEST(LiveStatus, OneLineIsAsInTheLog) {
  EXPECT_EQ(
      live::status_line(status()),
      "2026-11-21T18:30:00.000Z state=running per_second=1.5 requests=1234567 octets=123456 owed=5 again=7"
      " hosts_in_flight=1 hosts_waiting=2 hosts_paused=3 errors=3 violations=0 sentence=\"all is well\"");
}

TEST(LiveHosts, ADayIsToldInWindows) {
  const Json day =
      *live::parse(R"([{"from":0,"to":365,"interval_seconds":2,"reason":"request_rate","open":true},
                                    {"from":365,"to":9999,"interval_seconds":2,"reason":"x","open":false}, 3])");
  EXPECT_THAT(live::day_lines(day),
              ElementsAre("00:00-06:05  2s (request_rate)", "06:05-24:00  closed", "00:00-00:00  closed"));
}

TEST(LiveHosts, AnOrderIsASentence) {
  EXPECT_EQ(live::order_text(Json()), "");
  EXPECT_EQ(live::order_text(*live::parse(R"({"paused":true,"until":"T","delay_seconds":null})")),
            "paused until T");
  EXPECT_EQ(live::order_text(*live::parse(R"({"paused":false,"until":null,"delay_seconds":90,"since":"T"})")),
            "at least 1m30s apart, since T");
}

/// A terminal that is not looked at by anybody, only what is written to it.
class Pty {
 public:
  Pty(unsigned short rows, unsigned short columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    terminal_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    resize(rows, columns);
  }
  ~Pty() {
    ::close(terminal_);
    ::close(master_);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;
  int terminal() const { return terminal_; }
  void resize(unsigned short rows, unsigned short columns) {
    const winsize size{rows, columns, 0, 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  /// What has been written since the last call, with a mark behind it so that the read never waits.
  std::string written() {
    live::write_all(terminal_, "\x04");
    std::string all;
    char octet = 0;
    while (::read(master_, &octet, 1) == 1 && octet != '\x04') all += octet;
    return all;
  }

 private:
  int master_;
  int terminal_ = -1;
};

std::size_t count_of(const std::string& text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

TEST(ProgressBlock, LogLinesStandAboveIt) {
  Pty pty(40, 80);
  {
    Progress progress(pty.terminal());
    progress.line("before");
    EXPECT_EQ(pty.written(), "before\r\n");
    progress.show(status());
    const std::string block = pty.written();
    EXPECT_THAT(block, StartsWith("running    all is well\r\n"));
    EXPECT_EQ(count_of(block, '\n'), kProgressRows - 1);
    progress.line("visit url=\"http://a.test/\"");
    EXPECT_EQ(pty.written(), "\r\x1b[11A\x1b[Jvisit url=\"http://a.test/\"\r\n" + block);
    progress.show(status());
    EXPECT_EQ(pty.written(), "\r\x1b[11A\x1b[J" + block);
  }
  EXPECT_EQ(pty.written(), "\r\x1b[11A\x1b[J");
}

TEST(ProgressBlock, LeavesARowForTheLogAndTheLastColumnFree) {
  Pty pty(5, 20);
  Progress progress(pty.terminal());
  progress.show(status());
  const std::string block = pty.written();
  EXPECT_EQ(count_of(block, '\n'), 3U);
  EXPECT_THAT(block, HasSubstr("\r\nhosts      1 in fl…"));
  pty.resize(1, 1);
  progress.show(status());
  // Each of the four lines of 19 columns at most has been broken.
  EXPECT_THAT(pty.written(), StartsWith("\r\x1b[75A\x1b[J"));
  progress.line("x");
  EXPECT_EQ(pty.written(), "\r\x1b[Jx\r\n");
}

}  // namespace
}  // namespace crawler
