#include "crawler/report_files.h"

#include "base/escape.h"
#include "crawler/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>

namespace crawler {
namespace {

constexpr std::size_t kReadOctets = std::size_t{256} * 1024;
/// A file that is rotated while others are read gets other names so many times at most.
constexpr std::uint32_t kMovesMax = 64;

[[noreturn]] void refuse(int code, const std::string& path, int error) {
  throw StartError(code, path + ": " + std::generic_category().message(error));
}

/// Closes it.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

int open_to_read(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/// The next octets into `buffer`; 0 at the end.
std::size_t read_some(int file, std::string& buffer, const std::string& path) {
  for (;;) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) refuse(errno == EISDIR ? EX_NOINPUT : EX_IOERR, path, errno);
  }
}

/// The numbers of rotated files beside `path`; a packed one is none.
std::vector<std::uint32_t> numbers_beside(const std::filesystem::path& path) {
  std::vector<std::uint32_t> numbers;
  const std::string prefix = path.filename().string() + ".";
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code failure;
  for (std::filesystem::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    std::uint32_t number = 0;
    const char* const last = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), last, number);
    if (error == std::errc() && stop == last && number > 0) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// When the first line in `path` that can be read was written; the end of time when there is none.
base::WallTime first_line_of(const std::string& path) {
  const Descriptor file(open_to_read(path));
  if (file.get() < 0) refuse(EX_NOINPUT, path, errno);
  std::string buffer(2 * kLogLineMax, '\0');
  std::string text;
  while (text.size() < 2 * kLogLineMax) {
    const std::size_t count = read_some(file.get(), buffer, path);
    if (count == 0) break;
    text.append(buffer, 0, count);
  }
  LogLine line;
  for (std::string_view rest = text; rest.find('\n') != rest.npos;) {
    const std::size_t end = rest.find('\n');
    if (read_log_line(rest.substr(0, end), line).empty()) return line.logged;
    rest.remove_prefix(end + 1);
  }
  return base::WallTime::max();
}

}  // namespace

LogFiles LogFiles::of_log(const std::string& path, std::uint32_t max_files) {
  LogFiles all;
  all.base_ = path;
  std::vector<std::uint32_t> numbers = numbers_beside(path);
  numbers.insert(numbers.begin(), 0);
  std::set<std::pair<dev_t, ino_t>> seen;
  // The newest first: a file that is rotated meanwhile is then met once more, and never missed.
  for (const std::uint32_t number : numbers) {
    File file{number == 0 ? path : fmt::format("{}.{}", path, number), number};
    struct stat status {};
    if (::stat(file.path.c_str(), &status) != 0) continue;
    file.device = status.st_dev;
    file.inode = status.st_ino;
    if (seen.emplace(file.device, file.inode).second) all.files_.push_back(std::move(file));
  }
  if (all.files_.empty()) refuse(EX_NOINPUT, path, ENOENT);
  all.full_ = numbers.back() >= max_files;
  std::reverse(all.files_.begin(), all.files_.end());
  return all;
}

LogFiles LogFiles::of_files(const std::vector<std::string>& paths) {
  LogFiles all;
  std::set<std::pair<dev_t, ino_t>> seen;
  for (const std::string& path : paths) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) refuse(EX_NOINPUT, path, errno);
    if (!seen.emplace(status.st_dev, status.st_ino).second) continue;
    all.files_.push_back({path, 0, status.st_dev, status.st_ino});
  }
  if (all.files_.size() < 2) return all;
  std::vector<std::pair<base::WallTime, File>> timed;
  for (File& file : all.files_) timed.emplace_back(first_line_of(file.path), std::move(file));
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < timed.size(); ++i) all.files_[i] = std::move(timed[i].second);
  return all;
}

/// -1: it is not there any more.
int LogFiles::open_file(const File& file) const {
  if (base_.empty()) return open_to_read(file.path);
  for (std::uint32_t number = file.number; number <= file.number + kMovesMax; ++number) {
    const int opened = open_to_read(number == 0 ? base_ : fmt::format("{}.{}", base_, number));
    if (opened < 0) {
      if (errno == ENOENT) continue;
      return -1;
    }
    struct stat status {};
    if (::fstat(opened, &status) == 0 && status.st_dev == file.device && status.st_ino == file.inode) {
      return opened;
    }
    ::close(opened);
    errno = ENOENT;
  }
  return -1;
}

void LogFiles::read(const std::function<void(const LogLine&)>& visitor, std::ostream& talk) {
  for (const File& file : files_) read_file(file, visitor, talk);
  if (unreadable_ > kUnreadableShown) {
    talk << fmt::format("{} more lines cannot be read\n", unreadable_ - kUnreadableShown);
  }
}

void LogFiles::read_file(const File& file, const std::function<void(const LogLine&)>& visitor,
                         std::ostream& talk) {
  const Descriptor opened(open_file(file));
  if (opened.get() < 0) {
    if (base_.empty() || errno != ENOENT) refuse(EX_NOINPUT, file.path, errno);
    talk << base::escaped(file.path) << ": was deleted by rotation before it could be read\n";
    full_ = true;
    return;
  }
  std::string buffer(kReadOctets, '\0');
  std::string line;  // never longer than kLogLineMax + 1, which says that it is too long
  std::uint64_t number = 1;
  while (const std::size_t count = read_some(opened.get(), buffer, file.path)) {
    std::string_view rest(buffer.data(), count);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      line += rest.substr(0, std::min({end, rest.size(), kLogLineMax + 1 - line.size()}));
      if (end == rest.npos) break;
      take(line, file, number++, true, visitor, talk);
      line.clear();
      rest.remove_prefix(end + 1);
    }
  }
  if (!line.empty()) take(line, file, number, false, visitor, talk);
}

void LogFiles::take(std::string_view text, const File& file, std::uint64_t number, bool ended,
                    const std::function<void(const LogLine&)>& visitor, std::ostream& talk) {
  if (text.empty()) return;
  ++lines_;
  // A line without its end may be cut anywhere and look whole.
  const std::string why = ended ? read_log_line(text, line_) : "it has no end";
  if (!why.empty()) {
    name(file, number, why, talk);
    return;
  }
  if (!first_) first_ = line_.logged;
  visitor(line_);
}

void LogFiles::name(const File& file, std::uint64_t number, std::string_view why, std::ostream& talk) {
  if (++unreadable_ > kUnreadableShown) return;
  talk << fmt::format("{}:{}: cannot be read: {}\n", base::escaped(file.path), number, base::escaped(why));
}

}  // namespace crawler
