#pragma once
// A server that hears nobody: its queue of connections is full, and the next SYN gets no answer.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace support {

class FullListener {
 public:
  /// On a port of its own when `port` is 0.
  explicit FullListener(const std::string& address = "127.0.0.1", std::uint16_t wanted = 0)
      : address_(address) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(wanted);
    ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
    socklen_t size = sizeof where;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&where), size) != 0) throw std::runtime_error("bind");
    ::listen(listener_, 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    port = ntohs(where.sin_port);
    for (int& waiting : waiting_) {
      waiting = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      ::connect(waiting, reinterpret_cast<sockaddr*>(&where), size);
    }
  }
  ~FullListener() {
    for (const int waiting : waiting_) ::close(waiting);
    ::close(listener_);
  }
  FullListener(const FullListener&) = delete;
  FullListener& operator=(const FullListener&) = delete;

  std::string url() const { return "http://" + address_ + ":" + std::to_string(port) + "/"; }
  std::uint16_t port = 0;

 private:
  std::string address_;
  int listener_ = -1;
  int waiting_[4] = {-1, -1, -1, -1};
};

}  // namespace support
