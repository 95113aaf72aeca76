#include "fetch/tls.h"

#include <boost/asio/redirect_error.hpp>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <stdexcept>

namespace fetch {
namespace {

namespace ssl = boost::asio::ssl;

/// Where an SSL object finds the text of its origin, and a context its Tls.
int origin_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int tls_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

void must(bool worked, const char* what) {
  if (!worked) throw std::runtime_error(std::string("OpenSSL: ") + what + " failed");
}

void load_trust(ssl::context& context, const std::string& ca_file) {
  boost::system::error_code failed;
  if (ca_file.empty()) {
    context.set_default_verify_paths(failed);
  } else {
    context.load_verify_file(ca_file, failed);
  }
  if (!failed) return;
  const std::string what = ca_file.empty() ? std::string("the system's trust store") : ca_file;
  throw std::runtime_error(what + ": cannot read trusted certificates: " + failed.message());
}

}  // namespace

void TlsSessions::store(std::string_view origin, SSL_SESSION* session) {
  std::unique_ptr<SSL_SESSION, Free> owned(session);
  forget(origin);
  entries_.push_front({std::string(origin), std::move(owned)});
  by_origin_.emplace(entries_.front().origin, entries_.begin());
  if (entries_.size() <= max_) return;
  by_origin_.erase(entries_.back().origin);
  entries_.pop_back();
}

SSL_SESSION* TlsSessions::find(std::string_view origin) {
  const auto found = by_origin_.find(origin);
  if (found == by_origin_.end()) return nullptr;
  SSL_SESSION* session = found->second->session.get();
  if (SSL_SESSION_is_resumable(session) == 0) {
    forget(origin);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return session;
}

void TlsSessions::forget(std::string_view origin) {
  const auto found = by_origin_.find(origin);
  if (found == by_origin_.end()) return;
  entries_.erase(found->second);
  by_origin_.erase(found);
}

Tls::Tls(const std::string& ca_file) : context_(ssl::context::tls_client) {
  SSL_CTX* const raw = context_.native_handle();
  must(SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1, "TLS 1.2");
  SSL_CTX_set_options(raw, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  // Idle connections are many: their record buffers are given back while nothing comes.
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);
  static constexpr std::array<unsigned char, 9> kAlpn{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  must(SSL_CTX_set_alpn_protos(raw, kAlpn.data(), kAlpn.size()) == 0, "ALPN");
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(raw, &Tls::on_new_session);
  must(SSL_CTX_set_ex_data(raw, tls_index(), this) == 1, "context data");
  load_trust(context_, ca_file);
}

int Tls::on_new_session(SSL* ssl, SSL_SESSION* session) {
  auto* const tls = static_cast<Tls*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), tls_index()));
  const auto* const origin = static_cast<const std::string*>(SSL_get_ex_data(ssl, origin_index()));
  if (tls == nullptr || origin == nullptr) return 0;
  try {
    // A reference of our own: what store() cannot keep, it frees, and then OpenSSL must not free it again.
    SSL_SESSION_up_ref(session);
    tls->sessions_.store(*origin, session);
  } catch (const std::bad_alloc&) {
    // No session is kept; the next handshake is a full one.
  }
  return 0;
}

std::unique_ptr<TlsStream> Tls::stream(Socket& socket, const std::string& origin, std::string_view host,
                                       bool verified) {
  auto stream = std::make_unique<TlsStream>(socket, context_);
  SSL* const raw = stream->native_handle();
  std::string name(host);
  if (name.starts_with('[')) name = name.substr(1, name.size() - 2);
  if (base::IpAddress::parse(name)) {
    // An address is not a server name (RFC 6066 §3); it has to be in the certificate as an IP address.
    must(X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), name.c_str()) == 1, "address check");
  } else {
    if (name.ends_with('.')) name.pop_back();  // the root is never written in certificates
    must(SSL_set_tlsext_host_name(raw, name.c_str()) == 1, "server name");
    SSL_set_hostflags(raw, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    must(SSL_set1_host(raw, name.c_str()) == 1, "name check");
  }
  if (!verified) SSL_set_verify(raw, SSL_VERIFY_NONE, nullptr);
  must(SSL_set_ex_data(raw, origin_index(), const_cast<std::string*>(&origin)) == 1, "stream data");
  if (SSL_SESSION* const session = sessions_.find(origin)) SSL_set_session(raw, session);
  return stream;
}

std::string Tls::wrong_with_certificate(TlsStream& stream) {
  const long verdict = SSL_get_verify_result(stream.native_handle());
  return verdict == X509_V_OK ? std::string() : X509_verify_cert_error_string(verdict);
}

base::Async<Step> Tls::handshake(TlsStream& stream, std::string_view origin) {
  boost::system::error_code failed;
  co_await stream.async_handshake(ssl::stream_base::client,
                                  boost::asio::redirect_error(base::use_async, failed));
  Step step;
  if (!failed) co_return step;
  sessions_.forget(origin);
  const bool checked = SSL_get_verify_mode(stream.native_handle()) != SSL_VERIFY_NONE;
  if (std::string wrong = wrong_with_certificate(stream); checked && !wrong.empty()) {
    step.error = Error::tls_certificate;
    step.detail = std::move(wrong);
  } else {
    const bool broke = failed.category() == boost::system::system_category();
    step.error = broke ? Error::reset : Error::tls;
    step.detail = failed.message();
  }
  co_return step;
}

}  // namespace fetch
