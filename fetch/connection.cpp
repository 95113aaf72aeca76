#include "fetch/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

#include <cerrno>

namespace fetch {

Connection::~Connection() {
  // OpenSSL forgets the session of a connection that ends without close_notify, a rule of TLS 1.0 that
  // RFC 5246 §7.2.1 took back. A handshake costs far more than the goodbye that nobody waits for.
  if (tls_) SSL_set_shutdown(tls_->native_handle(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
}

TlsStream& Connection::secure(Tls& tls, std::string_view host, bool verified) {
  tls_ = tls.stream(socket_, origin_, host, verified);
  return *tls_;
}

std::string Connection::wrong_with_certificate() const {
  return tls_ ? Tls::wrong_with_certificate(*tls_) : std::string();
}

base::Async<Moved> Connection::read_some(boost::asio::mutable_buffer into) {
  if (tls_) return tls_->async_read_some(into, boost::asio::as_tuple(base::use_async));
  return socket_.async_read_some(into, boost::asio::as_tuple(base::use_async));
}

base::Async<Moved> Connection::write(std::string_view octets) {
  const boost::asio::const_buffer from(octets.data(), octets.size());
  if (tls_) return boost::asio::async_write(*tls_, from, boost::asio::as_tuple(base::use_async));
  return boost::asio::async_write(socket_, from, boost::asio::as_tuple(base::use_async));
}

void Connection::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

bool Connection::quiet() {
  char octet = 0;
  const ssize_t came = ::recv(socket_.native_handle(), &octet, 1, MSG_PEEK | MSG_DONTWAIT);
  return came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace fetch
