#pragma once
// Room on the disk: when the crawl has to pause, and what is set aside for a clean stop on a full disk.
#include <cstdint>
#include <optional>
#include <string>

namespace crawler {

/// Whether free space allows the crawl to go on. Hysteresis: between the two limits all stays as it is, so
/// that a disk at the edge does not make the crawl flutter. Pure; one thread.
class SpaceGuard {
 public:
  /// In octets. A `resume_above` below `pause_below` counts as the latter.
  SpaceGuard(std::uint64_t pause_below, std::uint64_t resume_above);

  /// Takes a measurement. Returns whether the crawl is paused from now on: less than `pause_below` pauses it,
  /// more than `resume_above` ends the pause, anything between changes nothing.
  bool update(std::uint64_t free_octets);
  bool paused() const { return paused_; }

 private:
  std::uint64_t pause_below_;
  std::uint64_t resume_above_;
  bool paused_ = false;
};

/// Octets that this process may still write to the file system of `directory`: f_bavail * f_frsize of
/// statvfs(3), so without what is kept for the superuser. Nothing when the system does not say. Any thread.
std::optional<std::uint64_t> free_octets(const std::string& directory);

/// What Reserve holds unless told otherwise.
inline constexpr std::uint64_t kReserveOctets = std::uint64_t{16} * 1024 * 1024;

/// Space set aside: a file `reserve` in the storage directory that is nothing but its size
/// (posix_fallocate(3)). Deleting it is the one thing that a full disk always allows, and makes the room that
/// a clean stop needs. The file stays when this object dies; the next run takes it over. Blocks; one thread.
class Reserve {
 public:
  explicit Reserve(const std::string& directory, std::uint64_t octets = kReserveOctets);

  /// Makes the file, or finds it whole: whether its octets are set aside now. False is no error: there is no
  /// room or no permission, nothing is left lying about, and it may be tried again when there is more space.
  bool hold();
  /// Deletes the file, whoever made it.
  void release();

 private:
  std::string path_;
  std::uint64_t octets_;
};

}  // namespace crawler
