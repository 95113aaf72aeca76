#pragma once
// Values as octets, the same on every machine: how records are written down. Numbers in keys are big-endian,
// so that their order is the order of the keys.
#include "base/hash.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Appends values to a text.
class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}
  Encoder& octet(std::uint8_t value);
  Encoder& u16(std::uint16_t value);
  Encoder& u64(std::uint64_t value);
  /// Short when small (LEB128).
  Encoder& count(std::uint64_t value);
  /// Eight octets in the order of time.
  Encoder& time(base::TimePoint value);
  Encoder& duration(base::Duration value) { return u64(static_cast<std::uint64_t>(value.count())); }
  Encoder& hash(const base::Hash128& value) { return u64(value.high).u64(value.low); }
  /// With its length in front.
  Encoder& text(std::string_view value);
  Encoder& maybe(const std::optional<base::TimePoint>& value);

 private:
  std::string& out_;
};

/// Reads what an Encoder wrote, from octets that may be anything: after the first value that is not there
/// every value is zero or empty, and good() is false.
class Decoder {
 public:
  explicit Decoder(std::string_view in) : in_(in) {}
  std::uint8_t octet();
  std::uint16_t u16();
  std::uint64_t u64();
  std::uint64_t count();
  base::TimePoint time();
  base::Duration duration() { return base::Duration(static_cast<std::int64_t>(u64())); }
  base::Hash128 hash();
  std::string_view text();
  std::optional<base::TimePoint> maybe();
  std::string_view rest() const { return in_; }

  bool good() const { return good_; }
  /// Good, and nothing is left.
  bool done() const { return good_ && in_.empty(); }

 private:
  std::string_view take(std::size_t octets);

  std::string_view in_;
  bool good_ = true;
};

}  // namespace crawler
