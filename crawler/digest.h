#pragma once
// Digests as WARC files write them: `sha1:` or `sha256:` and the octets in base32 (RFC 4648).
#include "config/config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace crawler {

/// Every reader of WARC files knows sha1. sha256 is what newer writers use; python's warcio, jwarc and
/// FastWARC check it, npm's warcio checks neither.
using config::Digest;

/// A digest of octets that come in pieces. Throws std::bad_alloc.
class Hash {
 public:
  explicit Hash(Digest kind);
  void add(std::string_view octets);
  /// The digest itself: 20 or 32 octets. No more octets may be added.
  std::string end();
  /// The same as text: see digest_text().
  std::string end_text();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* state) const;
  };
  Digest kind_;
  std::unique_ptr<evp_md_ctx_st, Free> state_;
};

/// `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`, the form of the examples in ISO 28500: base32 in upper case. With
/// its padding, which only sha256 has: python's warcio 1.7.4 and FastWARC 0.15.2 call it broken without.
std::string digest_text(Digest kind, std::string_view octets);

/// A digest as somebody else wrote it.
struct WrittenDigest {
  std::optional<Digest> kind;  ///< nothing for an algorithm that we do not know
  std::string octets;          ///< empty when they cannot be read
};

/// Reads `algorithm:value`, the algorithm in any case (`sha-256` too), the value in base32, base64, both with
/// or without padding, or in hexadecimal: writers differ.
WrittenDigest parse_digest(std::string_view text);

}  // namespace crawler
