#pragma once
// A server on 127.0.0.1 that does exactly what a test tells it, octet for octet, with or without TLS. Every
// connection has a thread that runs the script; every wait inside ends when the client closes, the server is
// destroyed, or five seconds have passed.
#include <openssl/ssl.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace support {

/// The server's end of one connection.
class Peer {
 public:
  Peer(int descriptor, SSL_CTX* tls);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// The next request, up to its blank line; empty when the client has gone.
  std::string request();
  /// Exactly so many octets; fewer when the client has gone.
  std::string octets(std::size_t count);
  void send(std::string_view octets);
  /// Connects to this port of 127.0.0.1 and carries octets both ways until one side ends. Plain only.
  void relay(std::uint16_t port);
  std::uint32_t from() const;  ///< the client's IPv4 address, as a number
  /// Octet for octet, with a pause between them, until the client has gone.
  void drip(std::string_view octets, std::chrono::milliseconds pause);
  /// Waits until the client has closed.
  void wait_closed();
  void close_notify();  ///< TLS: says properly that nothing more comes
  void close();         ///< FIN, without close_notify
  void reset();         ///< RST

  bool handshake();
  bool resumed() const { return ssl_ != nullptr && SSL_session_reused(ssl_) == 1; }
  std::string server_name() const;
  std::string protocol() const;  ///< what ALPN chose
  void interrupt();

 private:
  bool read_more(std::string& into);
  std::atomic<int> descriptor_;
  SSL* ssl_ = nullptr;
};

class RawServer {
 public:
  using Script = std::function<void(Peer&)>;

  /// `tls` null: plain. It must outlive the server.
  explicit RawServer(Script script, SSL_CTX* tls = nullptr, const std::string& address = "127.0.0.1",
                     std::uint16_t port = 0);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  std::uint16_t port() const { return port_; }
  int accepted() const { return accepted_; }
  /// `http://127.0.0.1:port` + path, or https.
  std::string url(std::string_view path = "/", std::string_view host = "127.0.0.1") const;

 private:
  void run();

  Script script_;
  SSL_CTX* tls_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::atomic<int> accepted_{0};
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<std::shared_ptr<Peer>> peers_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A complete answer with a Content-Length.
inline std::string answer(std::string_view body, std::string_view fields = "",
                          std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

}  // namespace support

#include "tests/support/raw_server_impl.h"
