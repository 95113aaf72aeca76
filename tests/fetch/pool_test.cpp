#include "fetch/pool.h"

#include "tests/fetch/net.h"
#include "tests/support/raw_server.h"

#include <boost/asio/redirect_error.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>

namespace fetch {
namespace {

using support::Peer;
using support::RawServer;

class PoolTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> connect(const std::string& origin = "http://a.test") {
    EXPECT_TRUE(budget_->try_take());
    auto link = std::make_unique<Connection>(io_.get_executor(), origin, loopback_, Ticket(budget_));
    Step step;
    tasks_.spawn(connect_into(link->socket(), step));
    io_.restart();
    io_.run_for(1s);
    EXPECT_EQ(step.error, Error::none) << step.detail;
    return link;
  }
  base::Async<> connect_into(Socket& socket, Step& step) {
    Timer wake(io_.get_executor(), Timer::time_point::max());
    step = start_connect(socket, {loopback_, server_.port(), {}}, guard_, [&](Step result) {
      step = std::move(result);
      wake.cancel();
    });
    boost::system::error_code ignored;
    if (step.error == Error::none)
      co_await wake.async_wait(boost::asio::redirect_error(base::use_async, ignored));
    io_.stop();
  }
  void run_for(std::chrono::milliseconds d) {
    io_.restart();
    io_.run_for(d);
  }

  boost::asio::io_context io_{1};
  base::SystemClock clock_;
  base::Tasks tasks_{io_.get_executor(), clock_, [](const std::exception_ptr&) { ADD_FAILURE(); }};
  RawServer server_{[](Peer& peer) { peer.wait_closed(); }};
  base::IpAddress loopback_ = *base::IpAddress::parse("127.0.0.1");
  Guard guard_{{*base::Cidr::parse("127.0.0.1")}};
  std::shared_ptr<ConnectionBudget> budget_ = std::make_shared<ConnectionBudget>(100);
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>(io_.get_executor(), clock_, 10s);
};

TEST_F(PoolTest, SocketsAreCloseOnExecAndDoNotWait) {
  const auto link = connect();
  EXPECT_NE(::fcntl(link->socket().native_handle(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(link->socket().native_handle(), F_GETFL) & O_NONBLOCK, 0);
  boost::asio::ip::tcp::no_delay no_delay;
  link->socket().get_option(no_delay);
  EXPECT_TRUE(no_delay.value());
}

TEST_F(PoolTest, GivesBackTheLastOneFirst) {
  auto a = connect();
  auto b = connect();
  const Connection* const second = b.get();
  pool_->put(std::move(a));
  pool_->put(std::move(b));
  EXPECT_EQ(pool_->take("http://b.test", loopback_), nullptr);
  EXPECT_EQ(pool_->take("http://a.test", *base::IpAddress::parse("127.0.0.2")), nullptr);
  EXPECT_EQ(pool_->take("http://a.test", loopback_).get(), second);
  EXPECT_EQ(pool_->size(), 1U);
}

TEST_F(PoolTest, KeepsABoundedNumberForAnOrigin) {
  for (std::size_t i = 0; i <= kIdlePerOriginMax; ++i) pool_->put(connect());
  EXPECT_EQ(pool_->size(), kIdlePerOriginMax);
  EXPECT_EQ(budget_->taken(), kIdlePerOriginMax);
  pool_->put(connect("http://b.test"));
  EXPECT_EQ(pool_->size(), kIdlePerOriginMax + 1);
}

TEST_F(PoolTest, ClosesWhatWaitsTooLong) {
  pool_ = std::make_shared<Pool>(io_.get_executor(), clock_, 300ms);
  pool_->put(connect());
  run_for(20ms);
  EXPECT_EQ(pool_->size(), 1U);
  run_for(400ms);
  EXPECT_EQ(pool_->size(), 0U);
  EXPECT_EQ(budget_->taken(), 0U);
}

TEST_F(PoolTest, ClosesTheOldestFirst) {
  auto a = connect("http://a.test");
  auto b = connect("http://b.test");
  pool_->put(std::move(a));
  pool_->put(std::move(b));
  EXPECT_TRUE(pool_->close_oldest());
  EXPECT_EQ(pool_->take("http://a.test", loopback_), nullptr);
  EXPECT_NE(pool_->take("http://b.test", loopback_), nullptr);
  EXPECT_FALSE(pool_->close_oldest());
}

TEST_F(PoolTest, LeavesTheLoopNothingToDoWhenItIsEmpty) {
  pool_->put(connect());
  EXPECT_NE(pool_->take("http://a.test", loopback_), nullptr);
  const auto time = taken([&] {
    io_.restart();
    io_.run();
  });
  EXPECT_LT(time, 2s) << "the timer of an empty pool still ran";
}

}  // namespace
}  // namespace fetch
