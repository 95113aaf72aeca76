#include "base/tasks.h"

#include "tests/support/manual_clock.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace std::chrono_literals;

base::Async<> sleep_then(base::Clock& clock, base::Executor executor, base::Duration wait,
                         std::function<void()> act) {
  auto alarm = clock.alarm(executor);
  co_await alarm->wait_until(clock.now().steady + wait);
  act();
}

TEST(Tasks, CountJoinAndHearExceptions) {
  boost::asio::io_context loop{1};
  support::ManualClock clock({});
  std::vector<std::string> heard;
  base::Tasks tasks(loop.get_executor(), clock, [&](std::exception_ptr escaped) {
    try {
      std::rethrow_exception(escaped);
    } catch (const std::exception& failure) {
      heard.emplace_back(failure.what());
    }
  });
  bool done = false;
  bool joined = false;
  tasks.spawn(sleep_then(clock, loop.get_executor(), 10s, [&] { done = true; }));
  tasks.spawn(sleep_then(clock, loop.get_executor(), 5s, [] { throw std::runtime_error("seen"); }));
  base::Tasks outer(loop.get_executor(), clock, [](std::exception_ptr) { FAIL(); });
  const auto join = [&]() -> base::Async<> {
    co_await tasks.join();
    joined = true;
  };
  outer.spawn(join());
  EXPECT_EQ(tasks.size(), 2U);
  clock.run(loop, base::TimePoint(7s));
  EXPECT_EQ(heard, std::vector<std::string>{"seen"});
  EXPECT_FALSE(joined);
  clock.run(loop, base::TimePoint(11s));
  EXPECT_TRUE(done);
  EXPECT_TRUE(joined);
  EXPECT_EQ(tasks.size(), 0U);
}

TEST(SystemAlarm, RingsAtItsInstantAndWhenRung) {
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  base::Tasks tasks(loop.get_executor(), clock,
                    [](std::exception_ptr escaped) { std::rethrow_exception(escaped); });
  auto alarm = clock.alarm(loop.get_executor());
  base::TimePoint woke{};
  const base::TimePoint start = clock.now().steady;
  const auto wait = [&]() -> base::Async<> {
    co_await alarm->wait_until(start + 20ms);
    woke = clock.now().steady;
    alarm->ring();  // before the wait: it returns at once
    co_await alarm->wait_until(start + 1h);
    co_await alarm->wait_until(start - 1h);
  };
  tasks.spawn(wait());
  loop.run();
  EXPECT_GE(woke, start + 20ms);
  EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
