#include "config/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace config {
namespace {

std::string system_text(int error) {
  return std::generic_category().message(error);
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string why_unreadable(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return system_text(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (access(path.c_str(), R_OK) != 0) return system_text(errno);
  return {};
}

std::optional<std::string> read_file(const std::string& path, std::size_t octets_max, std::size_t file,
                                     Problems& problems) {
  const auto refuse = [&](std::string_view why) {
    problems.error({file, 0, 0}, "", fmt::format("cannot be read: {}", why));
    return std::nullopt;
  };
  const Descriptor descriptor(path);
  if (descriptor.number() < 0) return refuse(system_text(errno));
  std::string text;
  std::array<char, 65536> buffer{};
  while (text.size() <= octets_max) {
    const ssize_t got = read(descriptor.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(system_text(errno));
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return refuse(fmt::format("larger than {} octets, which is the limit", octets_max));
}

}  // namespace config
