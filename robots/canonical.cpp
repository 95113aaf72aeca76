#include "robots/canonical.h"

#include <array>

namespace robots {
namespace {

enum class Kind : std::uint8_t { other, unreserved, reserved };

constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds{};
  const auto set = [&kinds](std::string_view octets, Kind kind) {
    for (const char c : octets) kinds[static_cast<unsigned char>(c)] = kind;
  };
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
      Kind::unreserved);                      // RFC 3986 §2.3
  set(":/?#[]@!$&'()*+,;=", Kind::reserved);  // RFC 3986 §2.2
  return kinds;
}

constexpr std::array<Kind, 256> kKinds = make_kinds();

constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (std::size_t i = 0; i < 256; ++i)
    plain[i] = kKinds[i] != Kind::other && i != '*' && i != '$' && i != '\'';
  return plain;
}

/// Octets that canonical text shows as they are, wherever they stand.
constexpr std::array<bool, 256> kPlain = make_plain();

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// The octet that a `%XX` at `position` stands for; -1 when there is none.
int encoded_octet(std::string_view text, std::size_t position) {
  if (text[position] != '%' || text.size() - position < 3) return -1;
  const int high = digit_of(text[position + 1]);
  const int low = digit_of(text[position + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

bool is_plain(std::string_view text) {
  const auto plain = [](char c) { return unsigned{kPlain[static_cast<unsigned char>(c)]}; };
  const char* c = text.data();
  const char* const end = c + text.size();
  for (; end - c >= 8; c += 8) {  // one branch for eight
    if ((plain(c[0]) & plain(c[1]) & plain(c[2]) & plain(c[3]) & plain(c[4]) & plain(c[5]) & plain(c[6]) &
         plain(c[7])) == 0) {
      return false;
    }
  }
  for (; c != end; ++c) {
    if (plain(*c) == 0) return false;
  }
  return true;
}

Unit read_unit(std::string_view text, std::size_t& position) {
  if (const int octet = encoded_octet(text, position); octet >= 0) {
    position += 3;
    const auto unit = static_cast<Unit>(octet);
    return kKinds[unit] == Kind::unreserved ? unit : static_cast<Unit>(kEncoded | unit);
  }
  const auto unit = static_cast<Unit>(static_cast<unsigned char>(text[position++]));
  return kKinds[unit] == Kind::other ? static_cast<Unit>(kEncoded | unit) : unit;
}

char* write_unit(Unit unit, char* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (unit < kEncoded) {
    *out++ = static_cast<char>(unit);
    return out;
  }
  *out++ = '%';
  *out++ = kDigits[(unit >> 4U) & 0xFU];
  *out++ = kDigits[unit & 0xFU];
  return out;
}

void append_unit(Unit unit, std::string& out) {
  char text[3];
  out.append(text, write_unit(unit, text));
}

std::string_view canonical_target(std::string_view target, std::span<char> buffer) {
  if (is_plain(target)) return target;
  char* out = buffer.data();
  bool query = false;
  for (std::size_t i = 0; i < target.size();) {
    const Unit unit = read_unit(target, i);
    query = query || unit == '?';
    out = write_unit(literal(unit, query), out);
  }
  return {buffer.data(), static_cast<std::size_t>(out - buffer.data())};
}

}  // namespace robots
