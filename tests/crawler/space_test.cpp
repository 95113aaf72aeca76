#include "crawler/space.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace {

using crawler::free_octets;
using crawler::Reserve;
using crawler::SpaceGuard;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

TEST(SpaceGuard, PausesBelowTheLowerLimitAndNotAtIt) {
  SpaceGuard guard(100, 200);
  EXPECT_FALSE(guard.paused());
  EXPECT_FALSE(guard.update(100));
  EXPECT_TRUE(guard.update(99));
  EXPECT_TRUE(guard.paused());
  EXPECT_TRUE(guard.update(0));
}

TEST(SpaceGuard, GoesOnAboveTheUpperLimitAndNotAtIt) {
  SpaceGuard guard(100, 200);
  EXPECT_TRUE(guard.update(0));
  EXPECT_TRUE(guard.update(100));
  EXPECT_TRUE(guard.update(200));
  EXPECT_FALSE(guard.update(201));
}

TEST(SpaceGuard, BetweenTheLimitsAllStaysAsItIs) {
  SpaceGuard guard(100, 200);
  for (std::uint64_t free = 200; free >= 100; --free) EXPECT_FALSE(guard.update(free));
  EXPECT_TRUE(guard.update(99));
  for (std::uint64_t free = 100; free <= 200; ++free) EXPECT_TRUE(guard.update(free));
}

TEST(SpaceGuard, OneLimitOrNone) {
  SpaceGuard same(100, 100);
  EXPECT_TRUE(same.update(99));
  EXPECT_TRUE(same.update(100));
  EXPECT_FALSE(same.update(101));
  SpaceGuard crossed(100, 50);
  EXPECT_TRUE(crossed.update(60));
  EXPECT_TRUE(crossed.update(100));
  EXPECT_FALSE(crossed.update(101));
  SpaceGuard never(0, 0);
  EXPECT_FALSE(never.update(0));
}

TEST(FreeOctets, SaysNothingOfAFolderThatIsNotThere) {
  EXPECT_EQ(free_octets("/nowhere/at/all"), std::nullopt);
  EXPECT_GT(free_octets("/").value_or(0), 0U);
}

// --- on a real disk of 4 MiB that is ours alone ---

constexpr int kNoTmpfs = 77;
constexpr std::uint64_t kDiskOctets = 4 * kMiB;

/// As `unshare -rm` does: root in a user and a mount namespace of our own.
bool enter_namespaces() {
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  return ::geteuid() == 0;
}

/// Runs `body` in a child with a folder that is a tmpfs of kDiskOctets; it returns what did not hold, or
/// nothing.
void on_a_small_disk(const std::function<std::string(const std::string& folder)>& body) {
  std::string folder = std::filesystem::temp_directory_path() / "crawld-space.XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::string size = "size=" + std::to_string(kDiskOctets);
    const bool own = enter_namespaces() && ::mount("tmpfs", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
    if (!own) ::_exit(kNoTmpfs);
    const std::string broken = body(folder);
    if (!broken.empty()) std::fprintf(stderr, "on the small disk: %s\n", broken.c_str());
    ::_exit(broken.empty() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::filesystem::remove(folder);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoTmpfs) GTEST_SKIP() << "no user namespaces here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

std::string unless(bool held, const std::string& what) {
  return held ? "" : what;
}

TEST(FreeOctets, IsWhatTheDiskHas) {
  on_a_small_disk([](const std::string& folder) {
    const std::uint64_t empty = free_octets(folder).value_or(0);
    std::ofstream(folder + "/file") << std::string(kMiB, 'x');
    const std::uint64_t after = free_octets(folder).value_or(0);
    return unless(empty == kDiskOctets && after == kDiskOctets - kMiB,
                  std::to_string(empty) + " and " + std::to_string(after));
  });
}

TEST(Reserve, IsTakenFromTheDiskOnceAndGivenBack) {
  on_a_small_disk([](const std::string& folder) {
    Reserve reserve(folder, kMiB);
    if (!reserve.hold() || !reserve.hold()) return std::string("hold");
    if (free_octets(folder) != kDiskOctets - kMiB) return std::string("free space while held");
    if (!Reserve(folder, kMiB).hold()) return std::string("hold what another run has left");
    reserve.release();
    reserve.release();
    return unless(free_octets(folder) == kDiskOctets, "free space after release");
  });
}

TEST(Reserve, MakesRoomOnAFullDiskAndComesBackLater) {
  on_a_small_disk([](const std::string& folder) {
    const auto fill = [&folder](const std::string& name) {
      std::ofstream(folder + name) << std::string(kDiskOctets, 'x');
    };
    Reserve reserve(folder, kMiB);
    if (!reserve.hold()) return std::string("hold");
    fill("/filler");
    if (free_octets(folder) != 0) return std::string("the disk is not full: this test says nothing");
    if (!reserve.hold()) return std::string("held space is still held on a full disk");
    reserve.release();
    if (free_octets(folder) != kMiB) return std::string("room after release");
    fill("/stop");
    if (reserve.hold()) return std::string("hold without room");
    if (std::filesystem::exists(folder + "/reserve")) return std::string("a part is left lying about");
    std::filesystem::remove(folder + "/filler");
    return unless(reserve.hold(), "hold after there is room again");
  });
}

TEST(Reserve, FitsExactlyOrNotAtAll) {
  on_a_small_disk([](const std::string& folder) {
    if (Reserve(folder, kDiskOctets + 1).hold()) return std::string("one octet more than the disk has");
    if (free_octets(folder) != kDiskOctets) return std::string("space was lost on the way");
    return unless(Reserve(folder, kDiskOctets).hold(), "all that the disk has");
  });
}

TEST(Reserve, WithoutAFolderIsNoError) {
  Reserve reserve("/nowhere/at/all");
  EXPECT_FALSE(reserve.hold());
  reserve.release();
}

}  // namespace
