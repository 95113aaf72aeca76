#pragma once
// The inside of raw_server.h.
#include "tests/support/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>

namespace support {

inline Peer::Peer(int descriptor, SSL_CTX* tls) : descriptor_(descriptor) {
  const timeval limit{5, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (tls == nullptr) return;
  ssl_ = SSL_new(tls);
  SSL_set_fd(ssl_, descriptor);
}

inline Peer::~Peer() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  close();
}

inline bool Peer::handshake() {
  return ssl_ == nullptr || SSL_accept(ssl_) == 1;
}

inline bool Peer::read_more(std::string& into) {
  char octets[4096];
  const auto count =
      ssl_ != nullptr ? SSL_read(ssl_, octets, sizeof octets) : ::recv(descriptor_, octets, sizeof octets, 0);
  if (count <= 0) return false;
  into.append(octets, static_cast<std::size_t>(count));
  return true;
}

inline std::string Peer::request() {
  std::string text;
  while (text.find("\r\n\r\n") == std::string::npos) {
    if (!read_more(text)) return {};
  }
  return text;
}

inline std::string Peer::octets(std::size_t count) {
  std::string text(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const auto more = ::recv(descriptor_, text.data() + got, count - got, 0);
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  text.resize(got);
  return text;
}

inline void Peer::relay(std::uint16_t port) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(server, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0) {
    const int ends[2] = {descriptor_, server};
    for (bool open = true; open;) {
      pollfd waits[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
      constexpr int kPatience = 10'000;
      if (::poll(waits, 2, kPatience) <= 0) break;
      for (int i = 0; i < 2; ++i) {
        char buffer[16'384];
        if (waits[i].revents == 0) continue;
        const auto count = ::recv(ends[i], buffer, sizeof buffer, 0);
        if (count <= 0 ||
            ::send(ends[1 - i], buffer, static_cast<std::size_t>(count), MSG_NOSIGNAL) != count) {
          open = false;
        }
      }
    }
  }
  ::close(server);
}

inline std::uint32_t Peer::from() const {
  sockaddr_in where{};
  socklen_t size = sizeof where;
  ::getpeername(descriptor_, reinterpret_cast<sockaddr*>(&where), &size);
  return ntohl(where.sin_addr.s_addr);
}

inline void Peer::send(std::string_view octets) {
  while (!octets.empty()) {
    const auto count = ssl_ != nullptr ? SSL_write(ssl_, octets.data(), static_cast<int>(octets.size()))
                                       : ::send(descriptor_, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    octets.remove_prefix(static_cast<std::size_t>(count));
  }
}

inline void Peer::drip(std::string_view octets, std::chrono::milliseconds pause) {
  for (const char octet : octets) {
    send({&octet, 1});
    pollfd gone{descriptor_, POLLRDHUP, 0};
    if (::poll(&gone, 1, static_cast<int>(pause.count())) > 0) return;
  }
}

inline void Peer::wait_closed() {
  std::string ignored;
  while (read_more(ignored)) {
  }
}

inline void Peer::close_notify() {
  if (ssl_ != nullptr) SSL_shutdown(ssl_);
}

inline void Peer::close() {
  const int descriptor = descriptor_.exchange(-1);
  if (descriptor >= 0) ::close(descriptor);
}

inline void Peer::reset() {
  const linger now{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

inline std::string Peer::server_name() const {
  const char* const name = SSL_get_servername(ssl_, TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? "" : name;
}

inline std::string Peer::protocol() const {
  const unsigned char* name = nullptr;
  unsigned length = 0;
  SSL_get0_alpn_selected(ssl_, &name, &length);
  return {reinterpret_cast<const char*>(name), length};
}

inline void Peer::interrupt() {
  const int descriptor = descriptor_;
  if (descriptor >= 0) ::shutdown(descriptor, SHUT_RDWR);
}

inline RawServer::RawServer(Script script, SSL_CTX* tls, const std::string& address, std::uint16_t port)
    : script_(std::move(script)), tls_(tls) {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&where), sizeof where) != 0 ||
      ::listen(listener_, 128) != 0 || ::pipe(wake_) != 0) {
    throw std::runtime_error(std::string("raw server: ") + std::strerror(errno));
  }
  socklen_t size = sizeof where;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
  port_ = ntohs(where.sin_port);
  acceptor_ = std::thread([this] { run(); });
}

inline RawServer::~RawServer() {
  ::close(wake_[1]);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& peer : peers_) peer->interrupt();
  }
  for (std::thread& thread : threads_) thread.join();
  ::close(wake_[0]);
  ::close(listener_);
}

inline void RawServer::run() {
  while (true) {
    pollfd waits[2] = {{listener_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    ::poll(waits, 2, -1);
    if (waits[1].revents != 0) return;
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) continue;
    ++accepted_;
    auto peer = std::make_shared<Peer>(descriptor, tls_);
    const std::lock_guard lock(mutex_);
    peers_.push_back(peer);
    threads_.emplace_back([this, peer] {
      if (peer->handshake()) script_(*peer);
      const std::lock_guard ending(mutex_);
      peer->close();
    });
  }
}

inline std::string RawServer::url(std::string_view path, std::string_view host) const {
  const std::string scheme = tls_ != nullptr ? "https://" : "http://";
  return scheme + std::string(host) + ":" + std::to_string(port_) + std::string(path);
}

}  // namespace support
