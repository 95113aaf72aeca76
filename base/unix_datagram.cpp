#include "base/unix_datagram.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace base {

UnixDatagram::UnixDatagram(std::string address) : address_(std::move(address)) {
  const bool fits = address_.size() > 1 && address_.size() < sizeof(sockaddr_un::sun_path);
  if (!fits || (address_[0] != '/' && address_[0] != '@')) return;
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

UnixDatagram::~UnixDatagram() {
  if (socket_ >= 0) ::close(socket_);
}

bool UnixDatagram::send(std::string_view message) const {
  if (socket_ < 0) return false;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::copy(address_.begin(), address_.end(), to.sun_path);
  if (address_[0] == '@') to.sun_path[0] = '\0';
  // The name of an abstract socket has no end but its length.
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  ssize_t sent = -1;
  do {
    sent = ::sendto(socket_, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                    reinterpret_cast<const sockaddr*>(&to), length);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(message.size());
}

}  // namespace base
