// What strangers write, in our log: one line that shows on a terminal just what it says, from which the very
// text can be read back.
#include "base/escape.h"
#include "base/log.h"

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using nlohmann::json;

void must(bool holds) {
  if (!holds) std::abort();
}

void append_utf8(std::string& out, unsigned point) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  if (point < 0x800) {
    out += static_cast<char>(0xC0U | point >> 6U);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0U | point >> 12U);
    tail(6);
  } else {
    out += static_cast<char>(0xF0U | point >> 18U);
    tail(12);
    tail(6);
  }
  tail(0);
}

/// The code point at the head of `text`, which is taken; nothing when that is no UTF-8. Reads loosely and
/// looks whether the same comes out when it is written.
std::optional<unsigned> take_point(std::string_view& text) {
  const unsigned lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  unsigned point = length == 1 ? lead : lead & (0x7FU >> length);
  for (const char c : text.substr(1, length - 1))
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  std::string written;
  append_utf8(written, point);
  const bool surrogate = point >= 0xD800 && point < 0xE000;
  if (surrogate || point > 0x10FFFF || written != text.substr(0, length)) return std::nullopt;
  text.remove_prefix(length);
  return point;
}

/// The rule of base/escape.h.
bool printable(unsigned c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool turns = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                     (c >= 0x2066 && c <= 0x2069);
  const bool separates = c == 0x2028 || c == 0x2029;
  const bool invisible = c == 0xAD || (c >= 0x200B && c <= 0x200D) || (c >= 0x2060 && c <= 0x2064) ||
                         c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
  return !control && !turns && !separates && !invisible;
}

void must_be_printable(std::string_view line) {
  while (!line.empty()) {
    const auto point = take_point(line);
    must(point && printable(*point));
  }
}

unsigned take_hex(std::string_view& rest, std::size_t digits) {
  const unsigned value = static_cast<unsigned>(std::stoul(std::string(rest.substr(0, digits)), nullptr, 16));
  rest.remove_prefix(digits);
  return value;
}

/// What escaped() was given. Ends at a quote, which it never leaves bare, and takes it.
std::string unescaped(std::string_view& rest) {
  std::string text;
  while (true) {
    must(!rest.empty());
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '"') return text;
    if (c != '\\') {
      text += c;
      continue;
    }
    const char kind = rest.front();
    rest.remove_prefix(1);
    if (kind == 'x') {
      text += static_cast<char>(take_hex(rest, 2));
    } else if (kind == 'u') {
      rest.remove_prefix(1);
      append_utf8(text, take_hex(rest, rest.find('}')));
      rest.remove_prefix(1);
    } else {
      must(kind == '"' || kind == '\\');
      text += kind;
    }
  }
}

/// Takes the mark of what was cut, if there is one, from the end of `text`, and returns its number.
std::size_t take_cut(std::string& text) {
  static constexpr std::string_view kMark = "…(+";
  const std::size_t at = text.rfind(kMark);
  must(at != std::string::npos && text.ends_with(')'));
  const std::size_t cut = std::stoul(text.substr(at + kMark.size()));
  text.resize(at);
  return cut;
}

void escapes(std::string_view text, std::size_t max) {
  const std::string out = base::escaped(text, max);
  must_be_printable(out);
  const std::string closed = out + '"';
  std::string_view rest = closed;
  std::string back = unescaped(rest);
  must(rest.empty());
  const std::size_t cut = text.size() > max ? take_cut(back) : 0;
  must(back.size() <= max && back.size() + 4 > std::min(max, text.size()));
  must(back.size() + cut == text.size() && text.starts_with(back));
}

void quotes_json(std::string_view text, std::size_t max) {
  const std::string out = base::json_quoted(text, max);
  must_be_printable(out);
  std::string back = json::parse(out).get<std::string>();
  const std::size_t cut = text.size() > max ? take_cut(back) : 0;
  must(cut <= text.size() && text.size() - cut <= max);
  std::string expected;  // an octet that is not UTF-8 becomes U+FFFD
  for (std::string_view rest = text.substr(0, text.size() - cut); !rest.empty();) {
    const std::string_view before = rest;
    if (take_point(rest)) {
      expected += before.substr(0, before.size() - rest.size());
    } else {
      expected += "\xEF\xBF\xBD";
      rest.remove_prefix(1);
    }
  }
  must(back == expected);
}

/// A log whose file is memory.
class MemoryLog {
 public:
  explicit MemoryLog(base::Log::Format format)
      : log_("/proc/self/fd/" + std::to_string(file_), format, base::Level::info) {}
  /// All that was written for `line`.
  std::string write(const base::Line& line) {
    log_.write(line, base::WallTime(std::chrono::milliseconds(1'700'000'000'123)));
    std::string out(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    must(::pread(file_, out.data(), out.size(), 0) == static_cast<ssize_t>(out.size()));
    must(::ftruncate(file_, 0) == 0);
    return out;
  }

 private:
  int file_ = ::memfd_create("log", MFD_CLOEXEC);
  base::Log log_;
};

void logs(std::string_view text) {
  static MemoryLog plain(base::Log::Format::text);
  static MemoryLog structured(base::Log::Format::json);
  const std::size_t half = text.size() / 2;
  base::Line line(base::Level::warning, "visit");
  line.text("a", text.substr(0, half)).number("n", -7).text("b", text.substr(half)).word("fate", "gone");

  std::string out = plain.write(line);
  must(out.ends_with('\n') && out.find('\n') == out.size() - 1);
  out.pop_back();
  must_be_printable(out);
  std::string_view rest = out;
  const auto take = [&](std::string_view what) {
    must(rest.starts_with(what));
    rest.remove_prefix(what.size());
  };
  take("2023-11-14T22:13:20.123Z warning visit a=\"");
  const std::string a = unescaped(rest);
  take(" n=-7 b=\"");
  const std::string b = unescaped(rest);
  must(rest == " fate=gone");
  if (text.size() <= base::kLoggedOctetsMax) must(a + b == text);

  out = structured.write(line);
  must(out.ends_with('\n') && out.find('\n') == out.size() - 1);
  out.pop_back();
  must_be_printable(out);
  const json read = json::parse(out);
  must(read.size() == 7 && read["event"] == "visit" && read["n"] == -7 && read["fate"] == "gone");
  must(json::parse(base::json_quoted(text.substr(0, half))) == read["a"]);
  must(json::parse(base::json_quoted(text.substr(half))) == read["b"]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const std::size_t max : {base::kLoggedOctetsMax, std::size_t{data[0]}}) {
    escapes(text, max);
    quotes_json(text, max);
  }
  logs(text);
  return 0;
}
