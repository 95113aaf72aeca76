#include "tests/support/report_fixture.h"

namespace {

using namespace std::chrono_literals;
using namespace support;

// --- files ---

TEST_F(Report, RotatedFilesAreReadFromTheOldestOn) {
  write("crawl.log.10", heritrix_line(entry_of("http://a.test/1")));
  write("crawl.log.2", json_line(entry_of("http://a.test/2", 1s)));
  write("crawl.log.1", heritrix_line(entry_of("http://a.test/3", 2s)));
  const std::string newest = write("crawl.log", json_line(entry_of("http://a.test/4", 3s)));
  for (const char* other : {"crawl.log.1.gz", "crawl.log.0", "crawl.log.x", "crawl.log.", "other.log.1"}) {
    write(other, "rubbish\n");
  }
  std::filesystem::create_hard_link(path("crawl.log.1"), path("crawl.log.3"));  // rotated at this moment
  const auto urls = [](const std::vector<Json>& told) {
    std::string all;
    for (const Json& line : told)
      all += line.value("url", "").substr(std::min<std::size_t>(14, line.value("url", "").size()));
    return all;
  };
  const auto told = host(LogFiles::of_log(newest, 11), {"a.test"});
  EXPECT_EQ(urls(told), "1234");
  EXPECT_EQ(told.back()["complete_since"], "2026-11-21T01:36:56.123Z");
  EXPECT_EQ(told.back()["rotation_may_have_deleted"], false);
  EXPECT_EQ(told.back()["violations"], 0);
  EXPECT_EQ(host(LogFiles::of_log(newest, 10), {"a.test"}).back()["rotation_may_have_deleted"], true);
  // In any order, and twice.
  const auto by_hand = LogFiles::of_files(
      {newest, path("crawl.log.1"), path("crawl.log.10"), newest, path("crawl.log.2"), path("crawl.log.3")});
  EXPECT_EQ(urls(host(by_hand, {"a.test"})), "1234");
  EXPECT_EQ(talk_.str(), "");
}

TEST_F(Report, AFileThatIsRotatedMeanwhileIsFoundByItsNewName) {
  write("crawl.log.1", heritrix_line(entry_of("http://a.test/1")));
  const std::string newest = write("crawl.log", heritrix_line(entry_of("http://a.test/2", 1s)));
  LogFiles log = LogFiles::of_log(newest, 8);
  std::filesystem::rename(path("crawl.log.1"), path("crawl.log.2"));
  std::filesystem::rename(newest, path("crawl.log.1"));
  write("crawl.log", heritrix_line(entry_of("http://a.test/3", 2s)));
  EXPECT_EQ(host(log, {"a.test"}).back()["requests"], 2);
  EXPECT_EQ(talk_.str(), "");

  log = LogFiles::of_log(newest, 8);
  std::filesystem::remove(path("crawl.log.2"));
  const auto told = host(log, {"a.test"});
  EXPECT_EQ(told.back()["requests"], 2);
  EXPECT_EQ(told.back()["rotation_may_have_deleted"], true);
  EXPECT_THAT(talk_.str(), HasSubstr("crawl.log.2: was deleted"));
}

TEST_F(Report, WhatIsNotThereIsAnInputError) {
  for (const auto& open : {+[](const std::string& at) { return LogFiles::of_log(at, 8); },
                           +[](const std::string& at) { return LogFiles::of_files({at}); }}) {
    try {
      open(path("absent"));
      FAIL();
    } catch (const crawler::StartError& failure) {
      EXPECT_EQ(failure.code(), 66);
    }
  }
  LogFiles folder = LogFiles::of_files({folder_.string()});
  EXPECT_THROW(folder.read([](const LogLine&) {}, talk_), crawler::StartError);
}

TEST_F(Report, TornAndHostileLinesAreNamedAndCounted) {
  const std::string whole = heritrix_line(entry_of("http://a.test/1"));
  std::string text = whole.substr(0, 40) + "\n\n" + whole;  // torn by a crash and ended by the next run
  text += std::string(3 * crawler::kLogLineMax, 'x') + "\n";
  text += heritrix_line(entry_of("http://a.test/2", 1s));
  text += "\x1b[31mforged\r\n";
  text += heritrix_line(entry_of("http://a.test/3", 2s));
  text.pop_back();  // it may be cut anywhere
  const auto told = host(LogFiles::of_files({write("crawl.log", text)}), {"a.test"});
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told.back()["requests"], 2);
  EXPECT_EQ(told.back()["unreadable"], 4);
  EXPECT_THAT(talk_.str(), HasSubstr("crawl.log:1: cannot be read: it has not 12 columns\n"));
  EXPECT_THAT(talk_.str(), HasSubstr("crawl.log:4: cannot be read: it is longer than 262144 octets\n"));
  EXPECT_THAT(talk_.str(), HasSubstr("crawl.log:6: cannot be read: "));
  EXPECT_THAT(talk_.str(), HasSubstr("crawl.log:7: cannot be read: it has no end\n"));
  EXPECT_EQ(talk_.str().find('\x1b'), std::string::npos);
}

TEST_F(Report, OnlySoManyUnreadableLinesAreNamed) {
  for (const std::uint64_t more : {0U, 1U}) {
    talk_.str("");
    std::string text;
    for (std::uint64_t i = 0; i < crawler::kUnreadableShown + more; ++i) text += "rubbish\n";
    const auto told = tally(LogFiles::of_files({write("crawl.log", text)}), Tallied::status);
    EXPECT_EQ(told.back()["unreadable"], crawler::kUnreadableShown + more);
    EXPECT_EQ(talk_.str().find("1 more lines cannot be read") != std::string::npos, more == 1);
  }
}

// --- one host ---

TEST_F(Report, HostTellsGapsIntervalsAndRules) {
  CrawlEntry robots = entry_of("http://a.test/robots.txt");
  robots.fate = "robots";
  robots.annotations = {"robots"};
  robots.robots = robots.robots_group = robots.robots_rule = {};
  robots.robots_line = 0;
  CrawlEntry no_rule = entry_of("http://a.test/free", 2s);
  no_rule.robots_rule = {};
  no_rule.robots_line = 0;
  CrawlEntry no_file = entry_of("https://a.test/", 2100ms);
  no_file.robots = "allow_all";
  no_file.robots_group = no_file.robots_rule = {};
  no_file.robots_line = 0;
  CrawlEntry closed = entry_of("http://a.test/closed");
  closed.begun = {};
  closed.status = -9998;
  closed.fate = "disallowed";
  closed.annotations = {"disallowed"};
  CrawlEntry lost = entry_of("http://a.test/lost", 2500ms);
  lost.status = -2;
  lost.fate = "retry";
  lost.error = "refused";
  lost.annotations = {"retry", "refused"};
  for (const bool json : {false, true}) {
    std::string text;
    for (const CrawlEntry& entry :
         {robots, entry_of("http://a.test/x", 500ms), entry_of("http://b.test/a.test", 501ms),
          entry_of("http://xa.test/", 501ms), no_rule, no_file, closed, lost,
          entry_of("http://a.test/y", 2500ms)}) {
      text += line_in(json, entry);
    }
    const auto told = host(LogFiles::of_files({write("crawl.log", text)}), {"a.test"});
    ASSERT_EQ(told.size(), 7U);
    EXPECT_EQ(told[0]["time"], "2026-11-21T01:36:56.075Z");
    EXPECT_EQ(told[0]["gap_ms"], nullptr);
    EXPECT_EQ(told[0]["allowed_by"], "it is robots.txt");
    EXPECT_EQ(told[1]["gap_ms"], 500);
    EXPECT_EQ(told[1]["interval_ms"], 500.0);
    EXPECT_EQ(told[1]["reason"], "request_rate");
    EXPECT_EQ(told[1]["line"], 3);
    EXPECT_EQ(told[2]["gap_ms"], 1500);
    EXPECT_EQ(told[2]["allowed_by"], "no rule of group * is about it");
    EXPECT_EQ(told[3]["gap_ms"], nullptr);  // another origin
    EXPECT_EQ(told[3]["allowed_by"], "there is no robots.txt");
    EXPECT_EQ(told[4]["sent"], false);
    EXPECT_EQ(told[4]["gap_ms"], nullptr);
    EXPECT_EQ(told[5]["gap_ms"], 500);  // after what was sent
    const Json& all = told.back();
    EXPECT_EQ(all["requests"], 5);
    EXPECT_EQ(all["unsent"], 1);
    EXPECT_EQ(all["disallowed"], 1);
    EXPECT_EQ(all["shortest_gap_ms"], 500);
    EXPECT_EQ(all["its_interval_ms"], 500.0);
    EXPECT_EQ(all["violations"], 0);
    EXPECT_EQ(all["without_rule"], 0);
    EXPECT_EQ(all["gaps_not_judged"], 0);
  }
}

TEST_F(Report, AGapThatIsTooShortIsAViolation) {
  struct Case {
    base::Duration gap;
    base::Duration interval;
    int violations;
  };
  const Case table[] = {
      {500ms, 500ms, 0},
      {499'999us, 500ms, 1},
      {333'333'334ns, 333'333'334ns, 0},  // three in a second: the log has whole milliseconds
      {332'999us, 333'333'334ns, 1},
      {0ms, 0ms, 0},
  };
  for (const Case& each : table) {
    CrawlEntry second = entry_of("http://a.test/2", each.gap);
    second.interval = scheduler::Interval{each.interval, scheduler::Reason::request_rate};
    const std::string log =
        write("crawl.log", heritrix_line(entry_of("http://a.test/1")) + heritrix_line(second));
    const auto told = host(LogFiles::of_files({log}), {"a.test"}, each.violations > 0 ? 65 : 0);
    EXPECT_EQ(told.back()["violations"], each.violations) << each.gap.count();
  }
}

TEST_F(Report, GapsAreOfTheSteadyAxisAndNotOfTheWall) {
  CrawlEntry second = entry_of("http://a.test/2", 600ms);
  second.begun = kBegun - 1h;  // somebody has set the clock
  CrawlEntry third = entry_of("http://a.test/3", 700ms);
  third.axis = base::TimePoint(5s);  // another store
  CrawlEntry old = entry_of("http://a.test/4", 710ms);
  old.interval.reset();
  old.axis.reset();
  const std::string log = write("crawl.log", json_line(entry_of("http://a.test/1")) + json_line(second) +
                                                 json_line(third) + json_line(old));
  const auto told = host(LogFiles::of_files({log}), {"a.test"});
  EXPECT_EQ(told[1]["gap_ms"], 600);
  EXPECT_EQ(told[2]["gap_ms"], 3'600'700);
  EXPECT_EQ(told[3]["gap_ms"], 10);
  EXPECT_EQ(told[3]["interval_ms"], nullptr);
  EXPECT_EQ(told.back()["gaps_not_judged"], 2);
  EXPECT_EQ(told.back()["violations"], 0);
}

TEST_F(Report, SinceAndUntilCutTheListAndNotTheGaps) {
  std::string text;
  for (int i = 0; i < 4; ++i) text += json_line(entry_of(fmt::format("http://a.test/{}", i), i * 1s));
  const LogFiles log = LogFiles::of_files({write("crawl.log", text)});
  const auto told = host(log, {"a.test", kBegun + 1s, kBegun + 3s});
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0]["url"], "http://a.test/1");
  EXPECT_EQ(told[0]["gap_ms"], 1000);
  EXPECT_EQ(told[1]["url"], "http://a.test/2");
}

TEST_F(Report, HostSpeaksToPeople) {
  CrawlEntry second = entry_of("http://a.test/2", 500ms);
  second.robots_rule = "Allow: /\x1b[31m\u202e";
  second.run = kBegun + 1s;
  LogFiles log =
      LogFiles::of_files({write("crawl.log", json_line(entry_of("http://a.test/1")) + json_line(second))});
  std::ostringstream out;
  const crawler::UnderWay marks{false, {"http://a.test:8080"}};
  EXPECT_EQ(report_host(log, {"a.test"}, marks, out, talk_), 0);
  EXPECT_EQ(
      out.str(),
      "2026-11-21T01:36:56.075Z  GET http://a.test/1  200, 312 octets, 47 ms, interval 500ms "
      "(request_rate)  Allow: /x y\u20ac\U0001F600\\\"\\\\ (line 3, group *)\n"
      "2026-11-21T01:36:56.575Z  GET http://a.test/2  200, 312 octets, 47 ms, gap 500ms, interval 500ms "
      "(request_rate)  Allow: /\\x1b[31m\\u{202e} (line 3, group *)\n"
      "2 requests to a.test from 2026-11-21T01:36:56.075Z to 2026-11-21T01:36:56.575Z (500ms), the "
      "shortest gap 500ms where the interval was 500ms, 0 violations.\n"
      "Complete from 2026-11-21T01:36:56.123Z on.\n"
      "2 runs: what was under way when one of them was killed, at most one request to each origin, has "
      "no line.\n"
      "A request was under way when the last run was killed: http://a.test:8080.\n");
}

TEST_F(Report, OriginsBeyondTheLimitHaveNoGapsAndThatIsSaid) {
  std::string text;
  for (std::size_t i = 0; i <= crawler::kReportOriginsMax; ++i) {
    CrawlEntry entry = entry_of("");
    const std::string url = fmt::format("http://a.test:{}/", 2000 + i);
    entry.url = url;
    text += heritrix_line(entry);
    if (i + 1 == crawler::kReportOriginsMax) {
      host(LogFiles::of_files({write("fits.log", text)}), {"a.test"});
      EXPECT_EQ(talk_.str(), "");
    }
  }
  EXPECT_EQ(host(LogFiles::of_files({write("crawl.log", text)}), {"a.test"}).size(),
            crawler::kReportOriginsMax + 2);
  EXPECT_THAT(talk_.str(), HasSubstr("more than 10000 origins"));
}

// --- sums ---

TEST_F(Report, SumsUpByEachKey) {
  CrawlEntry failed = entry_of("http://b.test/", 1s);
  failed.status = -4;
  failed.fate = "retry";
  failed.error = "timeout";
  failed.annotations = {"retry", "timeout"};
  CrawlEntry busy = entry_of("http://b.test/busy", 2s);
  busy.status = 503;
  busy.fate = "retry";
  busy.mime = {};
  busy.annotations = {"retry"};
  for (const bool json : {false, true}) {
    const std::string log =
        write("crawl.log", line_in(json, entry_of("http://a.test/1")) + line_in(json, failed) +
                               line_in(json, busy) + line_in(json, entry_of("http://a.test/2", 3s)));
    const auto of = [&](Tallied what) { return tally(LogFiles::of_files({log}), what); };
    const auto status = of(Tallied::status);
    ASSERT_EQ(status.size(), 4U);
    EXPECT_EQ(status[0]["status"], "200");
    EXPECT_EQ(status[0]["lines"], 2);
    EXPECT_EQ(status[0]["octets"], 624);
    EXPECT_EQ(status[0]["last"], "2026-11-21T01:36:59.075Z");
    const auto mime = of(Tallied::mime);
    ASSERT_EQ(mime.size(), 3U);
    EXPECT_EQ(mime[0]["mime"], "text/html");
    EXPECT_EQ(mime[1]["mime"], "no-type");
    const auto hosts = of(Tallied::hosts);
    ASSERT_EQ(hosts.size(), 3U);
    EXPECT_EQ(hosts[0]["host"], "a.test");
    EXPECT_EQ(hosts[1]["fates"], Json({{"retry", 2}}));
    EXPECT_EQ(hosts[1]["requests"], 2);
    EXPECT_EQ(of(Tallied::fates)[0]["fate"], "fetched");
    const auto errors = of(Tallied::errors);
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0]["error"], "status_503");
    EXPECT_EQ(errors[0]["example"], "http://b.test/busy");
    EXPECT_EQ(errors[1]["error"], "timeout");
    EXPECT_EQ(errors.back()["lines"], 4);
  }
}

TEST_F(Report, KeysBeyondTheLimitAreOthers) {
  std::string text;
  for (std::size_t i = 0; i <= crawler::kReportKeysMax; ++i) {
    CrawlEntry entry = entry_of("http://a.test/");
    const std::string mime = fmt::format("text/{}", i);
    entry.mime = mime;
    text += heritrix_line(entry);
    if (i + 1 == crawler::kReportKeysMax) {
      EXPECT_EQ(tally(LogFiles::of_files({write("fits.log", text)}), Tallied::mime).back()["others"], 0);
      EXPECT_EQ(talk_.str(), "");
    }
  }
  const auto told = tally(LogFiles::of_files({write("crawl.log", text)}), Tallied::mime, 3);
  ASSERT_EQ(told.size(), 5U);  // three, the others, the end
  EXPECT_EQ(told[3]["mime"], "others");
  EXPECT_EQ(told[3]["lines"], 1);
  EXPECT_EQ(told.back()["distinct"], crawler::kReportKeysMax);
  EXPECT_THAT(talk_.str(), HasSubstr("1 lines of further ones are summed up as `others`"));
  EXPECT_THAT(talk_.str(), HasSubstr("--limit 0"));
}

// --- the frontier ---

using support::FrontierTool;

TEST_F(FrontierTool, ReportsWhatBecameOfSeeds) {
  config::Config config;
  for (const char* url : {"http://a.test/seed", "http://a.test/2", "http://a.test/1", "http://a.test/never",
                          "http://absent.test/"}) {
    config.seeds.push_back({*base::Url::parse(url), "seeds.txt:1"});
  }
  std::ostringstream out;
  EXPECT_EQ(crawler::report_seeds(store_, config, support::kNow, 0, false, out, talk_), 0);
  EXPECT_THAT(out.str(), HasSubstr("http://a.test/seed  fetched 200 "));
  EXPECT_THAT(out.str(), HasSubstr("http://a.test/2  owed: its host is paused until 2026-03-01T00:04:12.000Z "
                                   "(in 4m12s) (3 overloads, 0 failures)\n"));
  EXPECT_THAT(out.str(), HasSubstr("http://a.test/1  owed: it has failed 2 times and is tried again "
                                   "2026-03-01T00:01:00.000Z (in 1m)\n"));
  EXPECT_THAT(out.str(), HasSubstr("http://a.test/never  unknown: no run has taken it up yet\n"));
  EXPECT_THAT(out.str(), HasSubstr("http://absent.test/  unknown: no run has taken it up yet\n"));
  EXPECT_EQ(talk_.str(), "");

  out.str("");
  crawler::report_seeds(store_, config, support::kNow, 2, true, out, talk_);
  EXPECT_EQ(support::lines_of(out.str()).size(), 2U);
  EXPECT_EQ(Json::parse(support::lines_of(out.str())[1])["state"], "owed");
  EXPECT_THAT(talk_.str(), HasSubstr("--limit 0"));
}

TEST_F(FrontierTool, KnowsWhatWasUnderWay) {
  const auto octets = store_.get(crawler::Table::hosts, support::kKeyOfA);
  ASSERT_TRUE(octets);
  crawler::HostRecord record = *crawler::decode_host(*octets);
  for (const bool in_flight : {false, true}) {
    record.in_flight = in_flight;
    crawler::Store::Batch batch(store_);
    batch.put(crawler::Table::hosts, support::kKeyOfA, encode(record));
    store_.write(batch);
    const auto origins = crawler::under_way(store_, "a.test", false).origins;
    EXPECT_EQ(origins, in_flight ? std::vector<std::string>{"http://a.test"} : std::vector<std::string>{});
  }
  EXPECT_TRUE(crawler::under_way(store_, "www.a.test", false).origins.empty());
  EXPECT_EQ(crawler::under_way(store_, "b.test", true).origins, std::vector<std::string>{"http://b.test"});
}

}  // namespace
