#include "crawler/digest.h"

#include "crawler/html_text.h"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace crawler {
namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

std::string_view name_of(Digest kind) {
  return kind == Digest::sha1 ? "sha1" : "sha256";
}

std::size_t octets_of(Digest kind) {
  return kind == Digest::sha1 ? 20 : 32;
}

/// Looked up once: OpenSSL 3 searches its providers each time otherwise.
const EVP_MD* method_of(Digest kind) {
  static EVP_MD* const sha1 = EVP_MD_fetch(nullptr, "SHA1", nullptr);
  static EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return kind == Digest::sha1 ? sha1 : sha256;
}

/// Appends each octet whose bits are all there to `out`. `bits_each`: that one digit stands for.
template <class ValueOf>
std::string unpacked(std::string_view digits, unsigned bits_each, ValueOf value_of) {
  std::string out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : digits) {
    const int value = value_of(c);
    if (value < 0) return {};
    held = (held << bits_each | static_cast<unsigned>(value)) & 0xffffU;
    bits += bits_each;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xffU);
  }
  return out;
}

int base32_value(char c) {
  const char low = lowered(c);
  if (low >= 'a' && low <= 'z') return low - 'a';
  return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

/// Both alphabets of RFC 4648.
int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_decimal(c)) return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

int hex_value(char c) {
  if (is_decimal(c)) return c - '0';
  const char low = lowered(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string base32(std::string_view octets) {
  std::string out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : octets) {
    held = (held << 8U | static_cast<unsigned char>(c)) & 0xfffU;
    for (bits += 8; bits >= 5; bits -= 5) out += kBase32[held >> (bits - 5) & 31U];
  }
  if (bits > 0) out += kBase32[held << (5 - bits) & 31U];
  while (out.size() % 8 != 0) out += '=';
  return out;
}

}  // namespace

void Hash::Free::operator()(evp_md_ctx_st* state) const {
  EVP_MD_CTX_free(state);
}

Hash::Hash(Digest kind) : kind_(kind), state_(EVP_MD_CTX_new()) {
  if (!state_ || EVP_DigestInit_ex2(state_.get(), method_of(kind), nullptr) != 1) throw std::bad_alloc();
}

void Hash::add(std::string_view octets) {
  if (EVP_DigestUpdate(state_.get(), octets.data(), octets.size()) != 1) throw std::bad_alloc();
}

std::string Hash::end() {
  std::string out(octets_of(kind_), '\0');
  if (EVP_DigestFinal_ex(state_.get(), reinterpret_cast<unsigned char*>(out.data()), nullptr) != 1)
    throw std::bad_alloc();
  return out;
}

std::string Hash::end_text() {
  return std::string(name_of(kind_)) + ':' + base32(end());
}

std::string digest_text(Digest kind, std::string_view octets) {
  Hash hash(kind);
  hash.add(octets);
  return hash.end_text();
}

WrittenDigest parse_digest(std::string_view text) {
  WrittenDigest out;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (same_word(name, "sha1") || same_word(name, "sha-1")) out.kind = Digest::sha1;
  if (same_word(name, "sha256") || same_word(name, "sha-256")) out.kind = Digest::sha256;
  if (!out.kind || colon == std::string_view::npos) return out;
  std::string_view value = text.substr(colon + 1);
  while (value.ends_with('=')) value.remove_suffix(1);
  const std::size_t octets = octets_of(*out.kind);
  if (value.size() == octets * 2) out.octets = unpacked(value, 4, hex_value);
  if (value.size() == (octets * 8 + 4) / 5) out.octets = unpacked(value, 5, base32_value);
  if (value.size() == (octets * 8 + 5) / 6) out.octets = unpacked(value, 6, base64_value);
  return out;
}

}  // namespace crawler
