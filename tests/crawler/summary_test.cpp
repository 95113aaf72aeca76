#include "crawler/summary.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;

std::string text(const crawler::Report& total, const crawler::Counters& before = {}) {
  return crawler::summary_line(total, before, 60s, {base::TimePoint(100s), base::WallTime(100s)}).as_text({});
}

TEST(Summary, CountsWhatIsNewSinceTheLastLine) {
  crawler::Report total;
  total.counters.requests = 150;
  total.counters.fates[static_cast<std::size_t>(crawler::Fate::fetched)] = 120;
  total.hosts.waiting = 7;
  crawler::Counters before;
  before.requests = 30;
  const std::string line = text(total, before);
  EXPECT_NE(line.find(" requests=120 per_second=2.00 requests_total=150 "), std::string::npos) << line;
  EXPECT_NE(line.find(" fetched=120 "), std::string::npos) << line;
  EXPECT_NE(line.find(" hosts_waiting=7 "), std::string::npos) << line;
  EXPECT_EQ(line.find("why_quiet"), std::string::npos) << line;
}

TEST(Summary, SaysWhyNothingHappens) {
  crawler::Report total;
  EXPECT_NE(text(total).find("why_quiet=\"nothing is owed\""), std::string::npos);
  total.urls.queued = 5;
  EXPECT_NE(text(total).find("no host can become due"), std::string::npos);
  total.next = {base::Url::parse("http://a.test/")->origin(),
                {base::TimePoint(130s), scheduler::Waiting::pause}};
  EXPECT_NE(text(total).find("first http://a.test in 30s (pause)"), std::string::npos) << text(total);
  total.hosts.in_flight = 1;
  EXPECT_NE(text(total).find("waiting for answers"), std::string::npos);
}

TEST(Summary, IsASentenceForPeople) {
  const base::Now now{base::TimePoint(100s), base::WallTime(100s)};
  crawler::Report total;
  total.urls.origins = 12;
  total.urls.queued = 96;
  total.next = {base::Url::parse("http://a.test/")->origin(),
                {base::TimePoint(103s), scheduler::Waiting::pause}};
  EXPECT_EQ(
      crawler::status_sentence(total, now),
      "12 hosts, 0 in flight, 0 ready, 96 URLs owed; every host waits politely; first http://a.test in 3s "
      "(pause)");
  total.hosts.in_flight = 3;
  EXPECT_EQ(crawler::status_sentence(total, now), "12 hosts, 3 in flight, 0 ready, 96 URLs owed");
}

TEST(Summary, AddsShardsUpAndKeepsTheFirstDue) {
  crawler::Report total;
  crawler::Report one;
  one.urls.queued = 2;
  one.next = {base::Url::parse("http://b.test/")->origin(),
              {base::TimePoint(20s), scheduler::Waiting::interval}};
  crawler::Report two;
  two.urls.queued = 3;
  two.next = {base::Url::parse("http://a.test/")->origin(),
              {base::TimePoint(10s), scheduler::Waiting::interval}};
  crawler::add_report(total, one);
  crawler::add_report(total, two);
  EXPECT_EQ(total.urls.owed(), 5U);
  EXPECT_EQ(total.next->first.text(), "http://a.test");
}

}  // namespace
