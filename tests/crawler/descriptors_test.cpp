// How open files are shared out.
#include "crawler/descriptors.h"

#include <gtest/gtest.h>

namespace crawler {
namespace {

TEST(Descriptors, ASmallLimitIsEnoughForASmallCrawl) {
  EXPECT_GE(connections_within(64, 2), kConnectionsMin);
  EXPECT_GE(connections_within(54, 1), kConnectionsMin);
}

TEST(Descriptors, WhatIsNeededIsEnoughAndOneLessIsNot) {
  for (const std::size_t threads : {1U, 2U, 16U, 256U}) {
    const std::uint64_t needed = descriptors_needed(threads);
    EXPECT_EQ(connections_within(needed, threads), kConnectionsMin) << threads;
    EXPECT_EQ(connections_within(needed - 1, threads), 0U) << threads;
  }
  EXPECT_EQ(connections_within(0, 1), 0U);
}

TEST(Descriptors, TheStoreGetsAQuarterWithinItsBounds) {
  EXPECT_EQ(store_files_max(0), 20);
  EXPECT_EQ(store_files_max(1024), 256);
  EXPECT_EQ(store_files_max(1'000'000), 4096);
}

TEST(Descriptors, MoreThreadsLeaveFewerConnections) {
  EXPECT_LT(connections_within(1024, 64), connections_within(1024, 1));
  EXPECT_GE(connections_within(1024, 2), 700U);
}

}  // namespace
}  // namespace crawler
