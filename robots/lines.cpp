#include "robots/lines.h"

#include <algorithm>

namespace robots {
namespace {

constexpr std::string_view kLineEnds{"\r\n\0", 3};
constexpr std::size_t kUsualLineOctets = 24;  // room is made for so many; others cost a little more

/// The places of one octet in a text, asked for in rising order: however often that is, the text is searched
/// once.
class Places {
 public:
  Places(std::string_view text, char octet) : text_(text), octet_(octet) { find(0); }

  /// The first at or behind `begin`; text.size() when there is none.
  std::size_t from(std::size_t begin) {
    if (next_ < begin) find(begin);
    return next_;
  }

 private:
  void find(std::size_t begin) { next_ = std::min(text_.find(octet_, begin), text_.size()); }

  std::string_view text_;
  char octet_;
  std::size_t next_ = 0;
};

/// UTF-8 of a code point.
void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t octet) { out.push_back(static_cast<char>(octet)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

/// `octets` are UTF-16 without BOM. A lone surrogate becomes U+FFFD, an odd last octet is dropped.
std::string from_utf16(std::string_view octets, bool big_endian) {
  const auto word = [&](std::size_t i) {
    const auto first = static_cast<std::uint32_t>(static_cast<unsigned char>(octets[i]));
    const auto second = static_cast<std::uint32_t>(static_cast<unsigned char>(octets[i + 1]));
    return big_endian ? first << 8U | second : second << 8U | first;
  };
  const auto is_high = [](std::uint32_t w) { return w >= 0xD800 && w < 0xDC00; };
  const auto is_low = [](std::uint32_t w) { return w >= 0xDC00 && w < 0xE000; };
  std::string out;
  out.reserve(octets.size());
  for (std::size_t i = 0; i + 1 < octets.size(); i += 2) {
    std::uint32_t code = word(i);
    if (is_high(code) && i + 3 < octets.size() && is_low(word(i + 2))) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (word(i + 2) - 0xDC00);
      i += 2;
    } else if (is_high(code) || is_low(code)) {
      code = 0xFFFD;
    }
    append_utf8(code, out);
  }
  return out;
}

/// `text` up to its last line end, so that a line that was cut is not taken for a whole one.
std::string_view without_partial_line(std::string_view text) {
  const std::size_t last = text.find_last_of(kLineEnds);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

/// Splits one line, without its comment, into a record. Nothing when it is not one.
std::optional<Record> read_record(std::string_view line, int number, std::string& trouble) {
  const std::size_t colon = line.find(':');
  std::string_view name;
  std::string_view value;
  if (colon != std::string_view::npos) {
    name = trimmed(line.substr(0, colon));
    value = trimmed(line.substr(colon + 1));
  } else {  // exactly two words
    const auto* const gap = std::ranges::find_if(line, is_blank);
    name = line.substr(0, static_cast<std::size_t>(gap - line.begin()));
    value = trimmed(line.substr(name.size()));
    if (value.empty() || std::ranges::any_of(value, is_blank)) {
      trouble = "no colon";
      return std::nullopt;
    }
  }
  const std::optional<Key> key = find_key(name);
  if (!key) {
    trouble = "unknown key";
    return std::nullopt;
  }
  return Record{number, *key, value, line};
}

}  // namespace

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view decoded(std::string_view body, std::string& storage) {
  // A body of exactly the limit may have been cut there by whoever read it, so its last line is suspect too.
  const bool cut = body.size() >= kFileOctetsMax;
  const bool cut_after_line =
      body.size() > kFileOctetsMax && kLineEnds.find(body[kFileOctetsMax]) != std::string_view::npos;
  std::string_view text = body.substr(0, kFileOctetsMax);
  const bool little = text.starts_with("\xFF\xFE");
  const bool big = text.starts_with("\xFE\xFF");
  if (little || big) {
    storage = from_utf16(text.substr(2), big);
    return cut ? without_partial_line(storage) : std::string_view(storage);
  }
  for (const char octet : std::string_view("\xEF\xBB\xBF")) {  // a partial BOM too
    if (!text.starts_with(octet)) break;
    text.remove_prefix(1);
  }
  return cut && !cut_after_line ? without_partial_line(text) : text;
}

std::vector<Record> read_records(std::string_view text, Warnings& warnings) {
  std::vector<Record> records;
  records.reserve(text.size() / kUsualLineOctets + 1);
  Places feeds(text, '\n');
  Places returns(text, '\r');
  Places nuls(text, '\0');
  Places comments(text, '#');
  int number = 1;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min({feeds.from(begin), returns.from(begin), nuls.from(begin)});
    const std::string_view line = trimmed(text.substr(begin, std::min(end, comments.from(begin)) - begin));
    if (!line.empty()) {
      std::string trouble;
      if (const auto record = read_record(line, number, trouble)) {
        records.push_back(*record);
      } else {
        warnings.add(number, std::move(trouble));
      }
    }
    begin = end + 1;
    if (end < text.size() && text[end] != '\0') {  // NUL ends a line, but editors do not count it
      ++number;
      if (text[end] == '\r' && begin < text.size() && text[begin] == '\n') ++begin;
    }
  }
  return records;
}

}  // namespace robots
