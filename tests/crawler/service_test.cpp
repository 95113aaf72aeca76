// What a service manager hears in the course of a crawl.
#include "crawler/service.h"

#include "tests/support/datagrams.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using Messages = std::vector<std::string>;

base::Now at(base::Duration time) {
  return {base::TimePoint(time), base::WallTime(time)};
}

crawler::Report report(std::uint64_t origins, std::uint64_t owed) {
  crawler::Report made;
  made.urls.origins = origins;
  made.urls.queued = owed;
  return made;
}

class ServiceTest : public ::testing::Test {
 protected:
  crawler::Service& service(std::optional<base::Duration> watchdog) {
    service_.emplace(crawler::ServiceEnvironment{manager_.address(), watchdog}, log_);
    EXPECT_EQ(manager_.take(), Messages{"STATUS=opening the frontier"});
    service_->begin(2);
    return *service_;
  }

  std::vector<std::string> lines_;
  base::Log log_{lines_, base::Log::Format::text, base::Level::info};
  tests::Datagrams manager_;
  std::optional<crawler::Service> service_;
};

TEST_F(ServiceTest, IsReadyWhenAShardHasTurnedItsLoop) {
  crawler::Service& service = this->service(60s);
  EXPECT_EQ(service.next(), base::TimePoint::min());
  EXPECT_EQ(service.look(at(100s)), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(service.next(), base::TimePoint(105s));
  service.store_answered();
  EXPECT_EQ(manager_.take(), Messages{});
  service.answered(1, report(2, 3), at(100s));
  EXPECT_EQ(manager_.take(), Messages{"READY=1"});
  service.answered(0, report(1, 4), at(100s));
  EXPECT_EQ(manager_.take(),
            Messages{"STATUS=3 hosts, 0 in flight, 0 ready, 7 URLs owed; no host can become due by itself"});
  service.look(at(105s));
  EXPECT_EQ(manager_.take(), Messages{"WATCHDOG=1"});
  service.answered(0, report(1, 4), at(105s));
  service.look(at(110s));  // neither shard 1 nor the store has answered
  EXPECT_EQ(manager_.take(), Messages{});
  service.look(at(135s));
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_NE(lines_[0].find("warning watchdog silent=shard shard=1"), std::string::npos) << lines_[0];
  EXPECT_NE(lines_[1].find("warning watchdog silent=store"), std::string::npos) << lines_[1];
}

TEST_F(ServiceTest, TellsOfReloadsOnlyOnceItIsReady) {
  crawler::Service& service = this->service(std::nullopt);
  service.reloading();
  service.reloaded();
  EXPECT_EQ(manager_.take(), Messages{});
  service.look(at(0s));
  service.answered(0, {}, at(0s));
  service.reloading();
  service.reloaded();
  const Messages told = manager_.take();
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0], "READY=1");
  EXPECT_TRUE(told[1].starts_with("RELOADING=1\nMONOTONIC_USEC=")) << told[1];
  EXPECT_EQ(told[2], "READY=1");
}

TEST_F(ServiceTest, SaysWhyItWaitsAndWhyItEnds) {
  crawler::Service& service = this->service(std::nullopt);
  service.hold("the disk is nearly full");
  service.look(at(0s));
  service.answered(0, {}, at(0s));
  service.answered(1, {}, at(0s));
  EXPECT_EQ(
      manager_.take().back(),
      "STATUS=paused, the disk is nearly full: 0 hosts, 0 in flight, 0 ready, 0 URLs owed; nothing is owed");
  service.hold("");
  service.stopping("SIGTERM");
  EXPECT_EQ(manager_.take(),
            (Messages{"STOPPING=1", "STATUS=ending: SIGTERM", "EXTEND_TIMEOUT_USEC=30000000"}));
  service.store_answered();
  service.look(at(5s));
  EXPECT_EQ(manager_.take(), Messages{"EXTEND_TIMEOUT_USEC=30000000"});
}

TEST_F(ServiceTest, AsksForMoreTimeNotForEver) {
  crawler::Service& service = this->service(std::nullopt);
  service.stopping("SIGTERM");
  std::int64_t asked = 0;
  for (int i = 0; i < 1'000; ++i) {
    service.look(at(i * 5s));
    for (const std::string& message : manager_.take()) asked += message.starts_with("EXTEND_TIMEOUT") ? 1 : 0;
  }
  EXPECT_EQ(asked, crawler::Service::kEndMax / crawler::Service::kEvery);
}

TEST_F(ServiceTest, WhileTheStoreIsClosedAThreadSpeaks) {
  service(60s).closing();
  service_.reset();  // ends the thread at once, whatever it waits for
  const Messages told = manager_.take();
  ASSERT_GE(told.size(), 1U);
  EXPECT_EQ(told[0], "STATUS=ending: writing what is left to the disk");
}

TEST_F(ServiceTest, WithoutAManagerThereIsNeverATurn) {
  crawler::Service alone({}, log_);
  alone.begin(2);
  EXPECT_EQ(alone.next(), base::TimePoint::max());
  alone.stopping("SIGTERM");
  alone.closing();
}

}  // namespace
