#pragma once
// Messages to a service of this machine: the journal, the service manager.
#include <string>
#include <string_view>

namespace base {

/// Sends datagrams to a Unix socket. Thread-safe, and never waits: what the other side has no room for, or
/// is not there to take, is lost.
class UnixDatagram {
 public:
  /// `address`: a path, or `@name` for an abstract socket (unix(7)). One that is no address gets nothing.
  explicit UnixDatagram(std::string address);
  ~UnixDatagram();
  UnixDatagram(const UnixDatagram&) = delete;
  UnixDatagram& operator=(const UnixDatagram&) = delete;

  /// False: it is lost.
  bool send(std::string_view message) const;

 private:
  std::string address_;
  int socket_ = -1;
};

}  // namespace base
