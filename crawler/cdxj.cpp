#include "crawler/cdxj.h"

#include "base/escape.h"
#include "crawler/html_text.h"
#include "crawler/surt.h"

#include <limits>

namespace crawler {
namespace {

constexpr std::string_view kFields = "application/warc-fields";

/// Without parameters, in the case in which it came.
std::string_view media_type(std::string_view content_type) {
  content_type = without_space_around(content_type);
  return content_type.substr(0, content_type.find_first_of("; \t\r\n"));
}

/// The digits of a date as precise as WARC/1.1 allows; what it does not say is its beginning.
std::string digits_of(std::string_view date) {
  std::string out;
  for (const char c : date) {
    if (is_decimal(c) && out.size() < 14) out += c;
  }
  constexpr std::string_view kBeginning = "00000101000000";
  return out + std::string(kBeginning.substr(out.size()));
}

std::string_view mime_of(const Capture& capture) {
  return capture.type == "revisit" ? "warc/revisit" : media_type(capture.content_type);
}

bool indexed(const Capture& capture) {
  if (capture.target.empty()) return false;
  if (capture.type == "resource") return !same_word(media_type(capture.content_type), kFields);
  return capture.type == "response" || capture.type == "revisit";
}

void put(std::string_view key, std::string_view value, std::string& out) {
  if (value.empty()) return;
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  out += out.ends_with('{') ? "\"" : ",\"";
  out.append(key).append("\":").append(base::json_quoted(value, kAll));
}

}  // namespace

std::optional<std::string> cdxj_line(const Capture& capture) {
  if (!indexed(capture)) return std::nullopt;
  const std::size_t colon = capture.digest.find(':');
  const std::string_view digest =
      colon == std::string_view::npos ? capture.digest : capture.digest.substr(colon + 1);
  std::string out = surt(capture.target) + ' ' + digits_of(capture.date) + " {";
  put("url", capture.target, out);
  put("mime", mime_of(capture), out);
  if (capture.status > 0) put("status", std::to_string(capture.status), out);
  put("digest", digest, out);
  put("length", std::to_string(capture.length), out);
  put("offset", std::to_string(capture.offset), out);
  put("filename", capture.filename, out);
  return out + "}\n";
}

}  // namespace crawler
