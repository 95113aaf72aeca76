// iconv of the C library does the converting. A converter takes microseconds to open and may load a module:
// each thread keeps those that it has used.
#include "crawler/charset.h"
#include "crawler/html_entities.h"
#include "crawler/utf16.h"

#include <fmt/format.h>
#include <iconv.h>

#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <memory>

namespace crawler {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

class Converter {
 public:
  Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  ~Converter() {
    if (good()) iconv_close(handle_);
  }

  /// False where the C library came without this one.
  bool good() const { return handle_ != reinterpret_cast<iconv_t>(-1); }
  void restart() { iconv(handle_, nullptr, nullptr, nullptr, nullptr); }

  enum class End { done, bad, cut_off };
  /// Appends what `in` means, up to what means nothing, and takes it off.
  End run(std::string_view& in, std::string& out) {
    std::array<char, 4096> piece;
    while (true) {
      char* from = const_cast<char*>(in.data());
      std::size_t from_left = in.size();
      char* to = piece.data();
      std::size_t to_left = piece.size();
      const bool failed = iconv(handle_, &from, &from_left, &to, &to_left) == static_cast<std::size_t>(-1);
      const int error = failed ? errno : 0;
      in.remove_prefix(in.size() - from_left);
      out.append(piece.data(), to);
      if (error == E2BIG) continue;
      return !failed ? End::done : error == EINVAL ? End::cut_off : End::bad;
    }
  }
  /// Appends what leads back to the first state (ISO-2022-JP).
  void finish(std::string& out) {
    std::array<char, 16> piece;
    char* to = piece.data();
    std::size_t to_left = piece.size();
    iconv(handle_, nullptr, nullptr, &to, &to_left);
    out.append(piece.data(), to);
  }

 private:
  iconv_t handle_;
};

Converter& converter(const char* to, const char* from) {
  thread_local std::map<std::pair<std::string_view, std::string_view>, Converter> kept;
  Converter& found = kept.try_emplace({to, from}, to, from).first->second;
  if (found.good()) found.restart();
  return found;
}

/// Octets 80 to 9F that windows-1252 and its kin leave free are controls in the standard's tables.
void append_undefined(std::string_view in, const Charset& charset, std::string& out) {
  const auto octet = static_cast<unsigned char>(in[0]);
  const bool control = octet < 0xA0 && octet >= 0x80 && charset.name.starts_with("windows-");
  append_utf8(control ? octet : 0xFFFDU, out);
}

std::string decoded_by_iconv(std::string_view in, const Charset& charset) {
  Converter& convert = converter("UTF-8", charset.decoder);
  if (!convert.good()) return std::string(in);
  std::string out;
  out.reserve(in.size() + in.size() / 2);
  for (std::size_t errors = 0; errors <= kDecodeErrorsMax; ++errors) {
    const auto end = convert.run(in, out);
    convert.finish(out);  // what it held back, to see whether an accent follows
    if (end == Converter::End::done) return out;
    if (end == Converter::End::cut_off) {
      out += kReplacement;
      return out;
    }
    append_undefined(in, charset, out);
    in.remove_prefix(1);
  }
  return out;
}

/// Octets of the UTF-8 sequence at the front, of which at least one is there.
std::size_t sequence_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && size < 4 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) ++size;
  return size;
}

std::uint32_t code_of(std::string_view sequence) {
  if (!is_valid_utf8(sequence)) return 0xFFFD;
  const unsigned first = static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = sequence.size() == 1 ? first : first & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// The query percent-encode set of special schemes (WHATWG URL §1.3).
void append_percent_encoded(std::string_view octets, std::string& out) {
  for (const char c : octets) {
    const auto octet = static_cast<unsigned char>(c);
    const bool plain =
        octet > 0x20 && octet < 0x7F && std::string_view("\"#<>'").find(c) == std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", octet);
    }
  }
}

/// Characters that the C library writes in these encodings and the standard's encoders do not (Encoding
/// Standard §12.2.2, §13.1.2): JIS X 0212 in EUC-JP, and the rows of Big5 that HKSCS has added in front.
bool is_never_written(std::string_view octets, const Charset& charset) {
  constexpr unsigned kJis0212 = 0x8F;
  constexpr unsigned kFirstLead = 0xA1;
  const unsigned lead = octets.empty() ? 0 : static_cast<unsigned char>(octets[0]);
  return charset.name == "euc-jp" ? lead == kJis0212 : lead < kFirstLead;
}

void append_reference(std::string_view sequence, std::string& out) {
  fmt::format_to(std::back_inserter(out), "%26%23{}%3B", code_of(sequence));
}

/// The same, a character at a time.
void append_encoded_letters(std::string_view run, const Charset& charset, Converter& convert,
                            std::string& out) {
  while (!run.empty()) {
    const std::string_view sequence = run.substr(0, sequence_size(run));
    std::string_view left = sequence;
    std::string octets;
    convert.restart();
    const bool done = convert.run(left, octets) == Converter::End::done;
    convert.finish(octets);  // what it held back, to see whether an accent follows
    if (done && !is_never_written(octets, charset)) {
      append_percent_encoded(octets, out);
    } else {
      append_reference(sequence, out);
    }
    run.remove_prefix(sequence.size());
  }
}

/// `run` has no ASCII octets.
void append_encoded_run(std::string_view run, Converter& convert, std::string& out) {
  convert.restart();
  std::string octets;
  while (!run.empty()) {
    if (convert.run(run, octets) == Converter::End::done) break;
    convert.finish(octets);
    append_percent_encoded(octets, out);
    octets.clear();
    const std::size_t size = sequence_size(run);
    append_reference(run.substr(0, size), out);
    run.remove_prefix(size);
  }
  convert.finish(octets);
  append_percent_encoded(octets, out);
}

bool is_high(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string decoded(std::string_view octets, const Charset& charset) {
  if (charset.name == "replacement") return octets.empty() ? std::string() : std::string(kReplacement);
  if (charset.name == "utf-16le" || charset.name == "utf-16be") {
    return utf8_of_utf16(octets, charset.name == "utf-16le");
  }
  if (charset.name == "x-user-defined") {
    std::string out;
    for (const char c : octets)
      append_utf8(is_high(c) ? 0xF700U + static_cast<unsigned char>(c) : static_cast<unsigned char>(c), out);
    return out;
  }
  if (charset.decoder != nullptr) return decoded_by_iconv(octets, charset);
  if (octets.starts_with("\xEF\xBB\xBF")) octets.remove_prefix(3);
  return std::string(octets);
}

std::string with_encoded_query(std::string_view reference, const Charset& charset) {
  const std::size_t end = std::min(reference.find('#'), reference.size());
  const std::size_t mark = reference.find('?');
  if (charset.encoder == nullptr || mark >= end) return std::string(reference);
  Converter& convert = converter(charset.encoder, "UTF-8");
  if (!convert.good()) return std::string(reference);
  std::string out(reference.substr(0, mark + 1));
  for (std::size_t at = mark + 1; at < end;) {
    std::size_t next = at;
    while (next < end && is_high(reference[next]) == is_high(reference[at])) ++next;
    const std::string_view run = reference.substr(at, next - at);
    if (!is_high(run[0])) {
      out += run;
    } else if (charset.name == "euc-jp" || charset.name == "big5") {
      append_encoded_letters(run, charset, convert, out);
    } else {
      append_encoded_run(run, convert, out);
    }
    at = next;
  }
  return out.append(reference.substr(end));
}

}  // namespace crawler
