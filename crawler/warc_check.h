#pragma once
// What a record's header says of itself and of its block, and whether that is so (ISO 28500:2017 §5).
#include "crawler/digest.h"
#include "crawler/head_text.h"
#include "crawler/http_block.h"
#include "fetch/framing.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

/// The rules of headers: fields that have to be there, stand once, and have values of their form. What is
/// wrong, for people.
std::vector<std::string> check_header(std::string_view version, const HeadFields& head);

/// Compares the digests of a record with its block, whose octets pass by. The payload of an HTTP message is
/// what follows its head; when that is chunked, its digest may be of the chunks or of what is in them, as
/// writers differ. Not compared: digests of unknown algorithms, and payload digests of revisits and segments,
/// whose payload is elsewhere.
class WarcCheck {
 public:
  explicit WarcCheck(const FieldLines& fields);
  void add(std::string_view octets);
  /// What is wrong.
  std::vector<std::string> end();

 private:
  struct Comparison {
    WrittenDigest written;
    std::string text;  // as written
    Hash hash;
  };
  static std::optional<Comparison> begin(std::string_view text, std::vector<std::string>& problems);
  void add_payload(std::string_view octets);

  std::vector<std::string> problems_;
  std::optional<Comparison> block_;
  std::optional<Comparison> payload_;
  std::optional<Hash> content_;  // of chunks
  std::optional<fetch::Framing> framing_;
  std::optional<HttpBlock> http_;
};

}  // namespace crawler
