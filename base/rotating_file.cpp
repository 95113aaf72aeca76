#include "base/rotating_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace base {
namespace {

/// The group of the daemon may read its logs.
constexpr mode_t kMode = 0640;

/// How many of `octets` could be written.
std::size_t write_some(int file, std::string_view octets) {
  std::size_t written = 0;
  while (written < octets.size()) {
    const ssize_t more = ::write(file, octets.data() + written, octets.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  return written;
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

}  // namespace

RotatingFile::RotatingFile(std::string path, std::uint64_t max_octets, std::uint32_t max_files)
    : path_(std::move(path)), max_octets_(max_octets), max_files_(max_files) {
  if (!open_file()) throw std::system_error(errno, std::generic_category(), path_);
}

RotatingFile::~RotatingFile() {
  flush();
  close_file();
}

/// O_NONBLOCK: a pipe that nobody reads must not hold us up.
bool RotatingFile::open_file() {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, kMode);
  if (file_ < 0) return false;
  struct stat status {};
  regular_ = ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  octets_ = regular_ ? static_cast<std::uint64_t>(status.st_size) : 0;
  char last = '\n';
  torn_ = octets_ > 0 && ::pread(file_, &last, 1, status.st_size - 1) == 1 && last != '\n';
  return true;
}

void RotatingFile::close_file() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  regular_ = false;
  torn_ = false;
  octets_ = 0;
}

void RotatingFile::append(std::string_view line) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t before = octets_ + (torn_ ? 1 : 0) + buffer_.size();
  if (regular_ && before > 0 && before + line.size() > max_octets_) {
    write_buffer();
    if (octets_ > 0) rotate();
  }
  buffer_ += line;
  if (buffer_.size() >= kBufferOctets) write_buffer();
}

void RotatingFile::flush() {
  const std::lock_guard lock(mutex_);
  write_buffer();
}

void RotatingFile::reopen() {
  const std::lock_guard lock(mutex_);
  write_buffer();
  close_file();
  open_file();
}

void RotatingFile::write_buffer() {
  if (file_ < 0) open_file();
  std::size_t written = 0;
  if (file_ >= 0 && !buffer_.empty()) {
    if (torn_ && write_some(file_, "\n") == 1) {
      torn_ = false;
      ++octets_;
    }
    if (!torn_) written = write_some(file_, buffer_);
    if (written > 0) torn_ = buffer_[written - 1] != '\n';
    octets_ += written;
  }
  // The end of a line that could be written in part is in the rest, so that line counts too.
  dropped_ += static_cast<std::uint64_t>(
      std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(written), buffer_.end(), '\n'));
  buffer_.clear();
}

std::string RotatingFile::numbered(std::uint32_t number) const {
  return path_ + "." + std::to_string(number);
}

bool RotatingFile::make_room() const {
  for (std::uint32_t extra = max_files_ + 1; ::unlink(numbered(extra).c_str()) == 0;) ++extra;
  // Those behind a gap are in nobody's way.
  std::uint32_t last = 1;
  while (last < max_files_ && exists(numbered(last))) ++last;
  for (; last > 1; --last) {
    if (std::rename(numbered(last - 1).c_str(), numbered(last).c_str()) != 0) return false;
  }
  return true;
}

/// When it cannot be done, lines go on into the same file, and it is tried again when as many have come:
/// better a file that is too large than none.
void RotatingFile::rotate() {
  const bool renamed = make_room() && std::rename(path_.c_str(), numbered(1).c_str()) == 0;
  if (renamed || !exists(path_)) {
    close_file();
    open_file();
  } else {
    octets_ = 0;
  }
}

}  // namespace base
