#pragma once
// A disk that is full, for this process.
#include <sys/resource.h>

#include <csignal>

namespace support {

/// Files cannot grow beyond so many octets while it lives (RLIMIT_FSIZE).
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t octets) : before_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = octets;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  void (*before_handler_)(int);
};

}  // namespace support
