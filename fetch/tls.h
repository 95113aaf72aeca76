#pragma once
// What TLS means here: OpenSSL 3, verification on, TLS 1.2 or newer, and sessions kept for resumption.
#include "base/hash.h"
#include "fetch/connect.h"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <list>
#include <memory>
#include <string>
#include <string_view>

namespace fetch {

using TlsStream = boost::asio::ssl::stream<Socket&>;

/// Origins whose last session is kept; the one used longest ago goes first.
inline constexpr std::size_t kTlsSessionsMax = 4096;

/// Sessions by origin. A resumed handshake costs a third to a seventh of a full one.
class TlsSessions {
 public:
  explicit TlsSessions(std::size_t max = kTlsSessionsMax) : max_(max) {}

  /// Takes ownership of one reference.
  void store(std::string_view origin, SSL_SESSION* session);
  /// Null when there is none that can be resumed. Valid until the next call of a member.
  SSL_SESSION* find(std::string_view origin);
  void forget(std::string_view origin);
  std::size_t size() const { return by_origin_.size(); }

 private:
  struct Free {
    void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
  };
  struct Entry {
    std::string origin;
    std::unique_ptr<SSL_SESSION, Free> session;
  };
  std::size_t max_;
  std::list<Entry> entries_;  // the most recently used in front
  base::StringMap<std::list<Entry>::iterator> by_origin_;
};

/// The context of one thread's TLS connections. Not movable: OpenSSL keeps its address.
class Tls {
 public:
  /// `ca_file` empty: the system's trust store. Throws std::runtime_error when it cannot be read.
  explicit Tls(const std::string& ca_file);
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  /// A stream on `socket`, made ready for `origin`: server name, name check, ALPN, and its last session.
  /// `origin` (text of base::Origin) and `socket` must outlive the stream. Throws when memory is short.
  /// `verified` false: whatever certificate there is will do.
  std::unique_ptr<TlsStream> stream(Socket& socket, const std::string& origin, std::string_view host,
                                    bool verified = true);

  /// Handshakes. tls_certificate says that the certificate was refused, with OpenSSL's reason.
  base::Async<Step> handshake(TlsStream& stream, std::string_view origin);

  /// After a handshake: what is wrong with the certificate; empty when nothing is.
  static std::string wrong_with_certificate(TlsStream& stream);

  TlsSessions& sessions() { return sessions_; }

 private:
  static int on_new_session(SSL* ssl, SSL_SESSION* session);

  boost::asio::ssl::context context_;
  TlsSessions sessions_;
};

}  // namespace fetch
