#pragma once
// A Unix socket that takes datagrams, as the journal or the service manager has one.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

class Datagrams {
 public:
  /// `abstract`: a name that no file has.
  explicit Datagrams(bool abstract = false) {
    std::string pattern = std::filesystem::temp_directory_path() / "datagrams_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    address_ = (abstract ? "@" : "") + folder_ + "/socket";
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    address_.copy(name.sun_path, sizeof(name.sun_path) - 1);
    if (abstract) name.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&name), length) != 0) {
      throw std::runtime_error("bind " + address_);
    }
  }
  ~Datagrams() {
    ::close(socket_);
    std::filesystem::remove_all(folder_);
  }
  Datagrams(const Datagrams&) = delete;
  Datagrams& operator=(const Datagrams&) = delete;

  /// As $NOTIFY_SOCKET has it.
  const std::string& address() const { return address_; }
  /// What has come since the last call.
  std::vector<std::string> take() const {
    std::vector<std::string> all;
    std::string buffer(std::size_t{256} * 1024, '\0');
    for (;;) {
      const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (size < 0) return all;
      all.push_back(buffer.substr(0, static_cast<std::size_t>(size)));
    }
  }

 private:
  std::string folder_;
  std::string address_;
  int socket_ = -1;
};

}  // namespace tests
