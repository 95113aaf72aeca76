#pragma once
// A file of lines that is rotated: the log and the crawl log.
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace base {

/// Appends lines to a file, from any thread. When a line would make it larger than `max_octets`, FILE becomes
/// FILE.1, FILE.1 becomes FILE.2, and what would be older than FILE.`max_files` is deleted: the names that
/// logrotate(8) gives, without its help. Only regular files are rotated.
///
/// Lines wait in a buffer until it is full, flush() is called or this object dies; a crash loses what is in
/// it. Nothing ever throws or waits for anything but the disk: what cannot be written, because the disk is
/// full or the file cannot be opened, is dropped and counted, and the next time is another try. A line of
/// which only a part could be written, here or before a crash, is ended before the next one begins.
class RotatingFile {
 public:
  /// Octets that wait in memory at most, but for a longer line.
  static constexpr std::size_t kBufferOctets = std::size_t{64} * 1024;

  /// Throws std::system_error when the file cannot be opened or made.
  RotatingFile(std::string path, std::uint64_t max_octets, std::uint32_t max_files);
  ~RotatingFile();
  RotatingFile(const RotatingFile&) = delete;
  RotatingFile& operator=(const RotatingFile&) = delete;

  /// `line` has its line end.
  void append(std::string_view line);
  /// Writes what waits; for the owner, about once a second.
  void flush();
  /// Writes what waits and opens the file by its name anew: for logrotate and others that have renamed it.
  void reopen();
  /// Lines that could not be written, in part or at all, since the start.
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  bool open_file();
  void close_file();
  void write_buffer();
  void rotate();
  bool make_room() const;
  std::string numbered(std::uint32_t number) const;

  const std::string path_;
  const std::uint64_t max_octets_;
  const std::uint32_t max_files_;
  std::atomic<std::uint64_t> dropped_ = 0;

  std::mutex mutex_;  ///< of all below
  int file_ = -1;
  bool regular_ = false;
  bool torn_ = false;         ///< the file does not end with a line end
  std::uint64_t octets_ = 0;  ///< of the file, from where it was last begun or tried to be
  std::string buffer_;
};

}  // namespace base
