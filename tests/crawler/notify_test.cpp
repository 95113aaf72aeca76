#include "crawler/notify.h"

#include "tests/support/datagrams.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

namespace {

using namespace std::chrono_literals;
using crawler::Notify;
using Messages = std::vector<std::string>;

TEST(Notify, SaysWhatTheManagerUnderstands) {
  for (const bool abstract : {false, true}) {
    const tests::Datagrams manager(abstract);
    const Notify notify(manager.address());
    EXPECT_TRUE(notify.on());
    EXPECT_TRUE(notify.ready());
    EXPECT_TRUE(notify.reloading(1234567us + 999ns));
    EXPECT_TRUE(notify.status("2 hosts\nREADY=1"));
    EXPECT_TRUE(notify.watchdog());
    EXPECT_TRUE(notify.extend_timeout(30s));
    EXPECT_TRUE(notify.stopping());
    EXPECT_EQ(manager.take(),
              (Messages{"READY=1", "RELOADING=1\nMONOTONIC_USEC=1234567", "STATUS=2 hosts READY=1",
                        "WATCHDOG=1", "EXTEND_TIMEOUT_USEC=30000000", "STOPPING=1"}))
        << abstract;
  }
}

TEST(Notify, AStatusIsShort) {
  const tests::Datagrams manager;
  const Notify notify(manager.address());
  notify.status(std::string(crawler::kStatusMax, 'x'));
  notify.status(std::string(crawler::kStatusMax + 1, 'x'));
  const Messages told = manager.take();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], "STATUS=" + std::string(crawler::kStatusMax, 'x'));
  EXPECT_EQ(told[1], "STATUS=" + std::string(crawler::kStatusMax - 3, 'x') + "…");
}

TEST(Notify, NobodyIsTold) {
  const Notify notify("");
  EXPECT_FALSE(notify.on());
  EXPECT_FALSE(notify.ready());
  for (const std::string address : {"relative", "@", "/", "/no/such/socket"}) {
    EXPECT_FALSE(Notify(address).ready()) << address;
  }
  EXPECT_FALSE(Notify("/" + std::string(200, 'x')).ready());
}

TEST(Notify, AFullOrLostSocketHoldsNobodyUp) {
  std::optional<tests::Datagrams> manager(std::in_place);
  const Notify notify(manager->address());
  std::size_t through = 0;
  for (int i = 0; i < 20'000; ++i) through += notify.ready() ? 1U : 0U;
  EXPECT_GT(through, 0U);
  EXPECT_LT(through, 20'000U);
  EXPECT_EQ(manager->take().size(), through);
  EXPECT_TRUE(notify.ready());
  manager.reset();
  EXPECT_FALSE(notify.ready());
}

class ServiceEnvironmentTest : public ::testing::Test {
 protected:
  ~ServiceEnvironmentTest() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  }
  static std::optional<base::Duration> watchdog(const std::string& usec, const std::string& pid) {
    ::setenv("WATCHDOG_USEC", usec.c_str(), 1);
    ::setenv("WATCHDOG_PID", pid.c_str(), 1);
    return crawler::take_service_environment().watchdog;
  }
};

TEST_F(ServiceEnvironmentTest, IsReadOnce) {
  ::setenv("NOTIFY_SOCKET", "@name", 1);
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  const crawler::ServiceEnvironment found = crawler::take_service_environment();
  EXPECT_EQ(found.socket, "@name");
  EXPECT_EQ(found.watchdog, base::Duration(60s));
  for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) {
    EXPECT_EQ(std::getenv(name), nullptr) << name;
  }
  EXPECT_EQ(crawler::take_service_environment().socket, "");
}

TEST_F(ServiceEnvironmentTest, AWatchdogIsForOneProcess) {
  EXPECT_EQ(watchdog("1", std::to_string(::getpid())), base::Duration(1us));
  EXPECT_EQ(watchdog("1000000", ""), base::Duration(1s));  // of everybody
  EXPECT_EQ(watchdog("1000000", std::to_string(::getpid() + 1)), std::nullopt);
  for (const std::string wrong : {"", "0", "-1", "x", "1s", "99999999999999999999", "9000000000000000000"}) {
    EXPECT_EQ(watchdog(wrong, ""), std::nullopt) << wrong;
  }
}

}  // namespace
