#include "crawler/space.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace crawler {

SpaceGuard::SpaceGuard(std::uint64_t pause_below, std::uint64_t resume_above)
    : pause_below_(pause_below), resume_above_(std::max(pause_below, resume_above)) {}

bool SpaceGuard::update(std::uint64_t free_octets) {
  if (free_octets < pause_below_) paused_ = true;
  if (free_octets > resume_above_) paused_ = false;
  return paused_;
}

std::optional<std::uint64_t> free_octets(const std::string& directory) {
  struct statvfs found {};
  while (::statvfs(directory.c_str(), &found) != 0) {
    if (errno != EINTR) return std::nullopt;
  }
  std::uint64_t octets = 0;
  if (__builtin_mul_overflow(std::uint64_t{found.f_bavail}, std::uint64_t{found.f_frsize}, &octets)) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return octets;
}

Reserve::Reserve(const std::string& directory, std::uint64_t octets)
    : path_(directory + "/reserve"), octets_(octets) {}

bool Reserve::hold() {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  // Costs nothing where all is there already; fills holes that somebody's copying has made.
  int failed = EINTR;
  while (failed == EINTR) failed = ::posix_fallocate(file, 0, static_cast<off_t>(octets_));
  ::close(file);
  if (failed != 0) release();
  return failed == 0;
}

void Reserve::release() {
  ::unlink(path_.c_str());
}

}  // namespace crawler
