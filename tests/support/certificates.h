#pragma once
// Certificates made while the test runs, by the OpenSSL library.
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

namespace support {

struct OpensslFree {
  void operator()(X509* p) const { X509_free(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(SSL_CTX* p) const { SSL_CTX_free(p); }
  void operator()(BIO* p) const { BIO_free(p); }
};
using Certificate = std::unique_ptr<X509, OpensslFree>;
using Key = std::unique_ptr<EVP_PKEY, OpensslFree>;
using TlsContext = std::unique_ptr<SSL_CTX, OpensslFree>;

constexpr long kDay = 24 * 3600;

/// A certificate and its key.
struct Identity {
  Certificate certificate;
  Key key;
};

struct IdentityOptions {
  std::string name = "test";
  std::string alternatives;  ///< `DNS:localhost,IP:127.0.0.1`; empty: none
  long valid_from = -kDay;   ///< seconds from now
  long valid_until = kDay;
  bool authority = false;
};

/// Signed by `issuer`, or by itself when null.
inline Identity issue(const IdentityOptions& options, const Identity* issuer = nullptr) {
  Identity made;
  made.key.reset(EVP_EC_gen("P-256"));
  made.certificate.reset(X509_new());
  X509* const certificate = made.certificate.get();
  X509_set_version(certificate, 2);
  static long serial = 1;
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), options.valid_from);
  X509_gmtime_adj(X509_getm_notAfter(certificate), options.valid_until);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(options.name.c_str()), -1, -1, 0);
  X509* const signer = issuer != nullptr ? issuer->certificate.get() : certificate;
  X509_set_issuer_name(certificate, X509_get_subject_name(signer));
  const auto extend = [certificate, signer](int what, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, signer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
    if (extension == nullptr) throw std::runtime_error("extension " + value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  };
  extend(NID_basic_constraints, options.authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  if (!options.alternatives.empty()) extend(NID_subject_alt_name, options.alternatives);
  EVP_PKEY* const key = issuer != nullptr ? issuer->key.get() : made.key.get();
  if (X509_sign(certificate, key, EVP_sha256()) == 0) throw std::runtime_error("X509_sign");
  return made;
}

inline Identity authority(const std::string& name = "test authority") {
  IdentityOptions options;
  options.name = name;
  options.authority = true;
  return issue(options);
}

inline std::string pem(const Identity& identity) {
  const std::unique_ptr<BIO, OpensslFree> out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(out.get(), identity.certificate.get());
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

/// A server that shows `identity` and takes HTTP/1.1 when a client offers protocols.
inline TlsContext server_context(const Identity& identity) {
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(context.get(), identity.certificate.get());
  SSL_CTX_use_PrivateKey(context.get(), identity.key.get());
  SSL_CTX_set_session_id_context(context.get(), reinterpret_cast<const unsigned char*>("test"), 4);
  SSL_CTX_set_alpn_select_cb(
      context.get(),
      [](SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
         void*) {
        static constexpr unsigned char kOurs[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
        unsigned char* chosen = nullptr;
        const int found = SSL_select_next_proto(&chosen, out_size, kOurs, sizeof kOurs, in, in_size);
        *out = chosen;
        return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
      },
      nullptr);
  return context;
}

/// A folder that goes away with its files.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "crawld-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

 private:
  std::string path_;
};

}  // namespace support
