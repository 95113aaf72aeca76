#include "crawler/process_stats.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace crawler {
namespace {

std::uint64_t open_descriptors() {
  DIR* const folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  std::uint64_t count = 0;
  while (::readdir(folder) != nullptr) ++count;  // NOLINT(concurrency-mt-unsafe): its own stream
  ::closedir(folder);
  constexpr std::uint64_t kOthers = 3;  // `.`, `..` and the folder itself
  return count > kOthers ? count - kOthers : 0;
}

double boot_time() {
  std::ifstream file("/proc/stat");
  std::string word;
  double seconds = 0;
  while (file >> word) {
    if (word == "btime") file >> seconds;
  }
  return seconds;
}

}  // namespace

ProcessStats process_stats() {
  ProcessStats stats;
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return stats;
  std::istringstream rest(line.substr(name_end + 1));
  std::string state;
  rest >> state;
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  double value = 0;
  constexpr int kUser = 14, kSystem = 15, kThreads = 20, kStart = 22, kVirtual = 23, kResident = 24;
  for (int field = 4; field <= kResident && rest >> value; ++field) {
    if (field == kUser || field == kSystem) stats.cpu_seconds += value / ticks;
    if (field == kThreads) stats.threads = static_cast<std::uint64_t>(value);
    if (field == kStart) stats.started = boot_time() + value / ticks;
    if (field == kVirtual) stats.virtual_octets = static_cast<std::uint64_t>(value);
    if (field == kResident)
      stats.resident_octets =
          static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  stats.open_descriptors = open_descriptors();
  struct ::rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) stats.max_descriptors = limit.rlim_cur;
  return stats;
}

}  // namespace crawler
