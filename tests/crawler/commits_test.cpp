#include "crawler/commits.h"

#include "base/tasks.h"
#include "tests/support/certificates.h"
#include "tests/support/lossy_disk.h"

#include <gtest/gtest.h>

namespace {

using crawler::Commits;
using crawler::Store;

struct Many {
  Many(Store& store, int count) : commits(store, clock, Commits::Mode::grouped), waiting(count) {
    for (int i = 0; i < count; ++i) tasks.spawn(wait());
    loop.run();
  }
  base::Async<> wait() {
    const bool good = co_await commits.durable(loop.get_executor());
    ++(good ? durable : lost);
    if (--waiting == 0) loop.stop();
  }
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  Commits commits;
  int waiting;
  int durable = 0;
  int lost = 0;
  base::Tasks tasks{loop.get_executor(), clock, [](std::exception_ptr e) { std::rethrow_exception(e); }};
};

TEST(Commits, OneSyncServesAllWhoWaitAtTheSameTime) {
  const support::TempFolder folder;
  Store store({.directory = folder.path("f")});
  Many many(store, 500);
  EXPECT_EQ(many.durable, 500);
  EXPECT_EQ(many.lost, 0);
  EXPECT_GE(many.commits.syncs(), 1U);
  EXPECT_LE(many.commits.syncs(), 3U);
}

TEST(Commits, WhatIsSaidToBeDurableOutlivesAPowerLoss) {
  support::LossyDisk disk;
  const crawler::StoreOptions options{.directory = disk.folder() + "/f", .env = disk.env()};
  for (std::uint64_t round = 0; round < 10; ++round) {
    {
      Store store(options);
      Store::Batch batch(store);
      batch.put(crawler::Table::hosts, "k", std::to_string(round));
      ASSERT_TRUE(store.write(batch));
      EXPECT_EQ(Many(store, 1).durable, 1);
      disk.cut_power();
    }
    disk.lose_power(round);
    EXPECT_EQ(Store(options).get(crawler::Table::hosts, "k"), std::to_string(round));
  }
}

TEST(Commits, AStoreThatHasFailedSaysNo) {
  support::LossyDisk disk;
  Store store({.directory = disk.folder() + "/f", .env = disk.env()});
  Store::Batch batch(store);
  batch.put(crawler::Table::hosts, "k", "v");
  ASSERT_TRUE(store.write(batch));
  disk.fail_call(1, support::DiskFailure::io_error);
  const Many many(store, 20);
  EXPECT_EQ(many.durable, 0);
  EXPECT_EQ(many.lost, 20);
}

}  // namespace
