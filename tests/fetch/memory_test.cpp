// The memory of bodies under way: what is free, what is counted, what one site gets.
#include "fetch/memory.h"

#include "tests/fetch/net.h"
#include "tests/support/raw_server.h"

namespace fetch {
namespace {

using support::answer;
using support::Peer;
using support::RawServer;

constexpr std::uint64_t kMiB = 1024 * 1024;

TEST(BodyBudget, IsGivenUpToItsEnd) {
  BodyBudget budget(1000 * kMiB, kMiB);
  EXPECT_TRUE(budget.try_take(1000 * kMiB));
  EXPECT_FALSE(budget.try_take(1));
  budget.give(1);
  EXPECT_TRUE(budget.try_take(1));
}

TEST(BodyBudget, OneBodyAlwaysFits) {
  const BodyBudget small(1, 100 * kMiB);
  EXPECT_EQ(small.max(), 200 * kMiB + kDecoderOctets);
  EXPECT_EQ(small.site_max(), small.max());
  const BodyBudget large(8000 * kMiB, kMiB);
  EXPECT_EQ(large.site_max(), 1000 * kMiB);
}

class BodyAccountTest : public testing::Test {
 protected:
  std::unique_ptr<BodyAccount> account(const std::string& site) {
    return std::make_unique<BodyAccount>(budget, sites, site);
  }
  std::shared_ptr<BodyBudget> budget = std::make_shared<BodyBudget>(800 * kMiB, kMiB);
  std::shared_ptr<SiteOctets> sites = std::make_shared<SiteOctets>();
};

TEST_F(BodyAccountTest, UsualPagesAreNotCounted) {
  const auto one = account("a.test");
  EXPECT_TRUE(one->grow_to(kBodyFree));
  EXPECT_EQ(budget->taken(), 0U);
  EXPECT_TRUE(sites->empty());
  EXPECT_TRUE(one->grow_to(kBodyFree + 1));
  EXPECT_EQ(budget->taken(), kBodyStep);
  EXPECT_TRUE(one->grow_to(kBodyFree + kBodyStep));
  EXPECT_EQ(budget->taken(), kBodyStep);
  EXPECT_TRUE(one->grow_to(10)) << "it never shrinks";
  EXPECT_EQ(budget->taken(), kBodyStep);
}

TEST_F(BodyAccountTest, OneSiteGetsItsPartAndLeavesTheRest) {
  const auto one = account("a.test");
  const auto two = account("a.test");
  const auto other = account("b.test");
  EXPECT_TRUE(one->grow_to(60 * kMiB + kBodyFree));
  EXPECT_FALSE(two->grow_to(40 * kMiB + kBodyFree + 1)) << "100 MiB are its part";
  EXPECT_TRUE(two->grow_to(40 * kMiB + kBodyFree));
  EXPECT_TRUE(other->grow_to(100 * kMiB + kBodyFree));
  EXPECT_EQ(budget->taken(), 200 * kMiB);
}

TEST_F(BodyAccountTest, TheEndGivesBack) {
  auto one = account("a.test");
  auto two = account("a.test");
  EXPECT_TRUE(one->grow_to(60 * kMiB));
  EXPECT_TRUE(two->grow_to(30 * kMiB));
  one.reset();
  EXPECT_EQ(budget->taken(), two->taken());
  EXPECT_EQ(sites->size(), 1U);
  two.reset();
  EXPECT_EQ(budget->taken(), 0U);
  EXPECT_TRUE(sites->empty());
}

TEST_F(BodyAccountTest, ARefusalChangesNothing) {
  const auto one = account("a.test");
  EXPECT_FALSE(one->grow_to(500 * kMiB));
  EXPECT_EQ(budget->taken(), 0U);
  EXPECT_TRUE(sites->empty());
  EXPECT_TRUE(one->grow_to(50 * kMiB));
}

/// Answers with a body of `size` octets.
RawServer::Script body_of(std::size_t size) {
  return [size](Peer& peer) {
    while (!peer.request().empty()) peer.send(answer(std::string(size, 'x')));
  };
}

TEST(BodyMemory, ALargeBodyThatFindsNoneIsTriedLaterAndSmallOnesGoOn) {
  RawServer large(body_of(700'000));
  RawServer small(body_of(100'000));
  Net net;
  net.network.max_body_size = kMiB;
  net.network.max_body_memory = kMiB;
  net.client();
  const std::uint64_t all = net.bodies->max();
  ASSERT_TRUE(net.bodies->try_take(all));  // by others
  const Outcome refused = net.get(large.url());
  EXPECT_EQ(refused.error, Error::resources);
  EXPECT_EQ(refused.detail, "network.max_body_memory is used up");
  EXPECT_TRUE(refused.body.empty());
  EXPECT_EQ(net.budget->taken(), 0U) << "its connection is closed";
  EXPECT_EQ(net.get(small.url()).body.size(), 100'000U);
  net.bodies->give(all);
  const Outcome there = net.get(large.url());
  EXPECT_EQ(there.body.size(), 700'000U);
  EXPECT_GT(net.bodies->taken(), 0U) << "as long as somebody has the body";
}

TEST(BodyMemory, IsGivenBackWithTheOutcome) {
  RawServer large(body_of(700'000));
  Net net;
  { const Outcome outcome = net.get(large.url()); }
  EXPECT_EQ(net.bodies->taken(), 0U);
}

}  // namespace
}  // namespace fetch
