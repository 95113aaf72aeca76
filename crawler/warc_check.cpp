#include "crawler/warc_check.h"

#include "base/time_text.h"
#include "crawler/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace crawler {
namespace {

/// Longest trailer section of chunks that is read over.
constexpr std::uint64_t kTrailerMax = 64 * 1024;

constexpr std::array<std::string_view, 4> kMandatory{"WARC-Type", "WARC-Record-ID", "WARC-Date",
                                                     "Content-Length"};
constexpr std::array<std::string_view, 10> kOnce{
    "WARC-Type",       "WARC-Record-ID",      "WARC-Date",      "Content-Length",    "Content-Type",
    "WARC-Target-URI", "WARC-Payload-Digest", "WARC-Truncated", "WARC-Block-Digest", "WARC-Refers-To"};
constexpr std::array<std::string_view, 5> kWithTarget{"response", "resource", "request", "revisit",
                                                      "conversion"};

/// Of WARC/1.0: to the second. Of WARC/1.1: also `2026`, `2026-11`, `2026-11-21`, `2026-11-21T18:30Z`, or
/// with up to nine digits of a fraction (W3C profile of ISO 8601).
bool is_date(std::string_view text, std::string_view version) {
  if (!text.ends_with('Z') || text.find('T') != 10) {
    if (version == "1.0" || (text.size() != 4 && text.size() != 7 && text.size() != 10)) return false;
    constexpr std::string_view kRest = "0000-01-01T00:00:00Z";
    return base::parse_rfc3339(std::string(text) + std::string(kRest.substr(text.size()))).has_value();
  }
  if (text.size() == 17 && version != "1.0")
    return base::parse_rfc3339(std::string(text.substr(0, 16)) + ":00Z").has_value();
  return (version != "1.0" || text.size() == 20) && base::parse_rfc3339(text).has_value();
}

bool is_record_id(std::string_view text) {
  return text.size() > 4 && text.front() == '<' && text.back() == '>' &&
         text.find(':') != std::string_view::npos && text.find_first_of(" \t") == std::string_view::npos;
}

bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
}

}  // namespace

std::vector<std::string> check_header(std::string_view version, const HeadFields& head) {
  std::vector<std::string> out;
  if (version != "1.0" && version != "1.1")
    out.push_back(fmt::format("WARC/{} is no version known here", version));
  if (head.bare_feed) out.emplace_back("a header line ends with LF alone");
  if (head.no_colon) out.emplace_back("a header line is no field");
  if (head.too_many) out.emplace_back("too many header fields; the rest is left out");
  for (const std::string_view name : kMandatory) {
    if (find_field(head.fields, name).empty()) out.push_back(fmt::format("{} is missing", name));
  }
  for (const std::string_view name : kOnce) {
    const auto same = [&](const auto& field) { return same_word(field.first, name); };
    if (std::count_if(head.fields.begin(), head.fields.end(), same) > 1)
      out.push_back(fmt::format("{} stands there more than once", name));
  }
  const auto controls = [](const auto& field) {
    return has_controls(field.first) || has_controls(field.second);
  };
  if (std::any_of(head.fields.begin(), head.fields.end(), controls))
    out.emplace_back("a header field has control characters in it");

  const std::string_view type = find_field(head.fields, "WARC-Type");
  const std::string_view id = find_field(head.fields, "WARC-Record-ID");
  const std::string_view date = find_field(head.fields, "WARC-Date");
  if (!id.empty() && !is_record_id(id)) out.push_back(fmt::format("WARC-Record-ID {} is no URI in < >", id));
  if (!date.empty() && !is_date(date, version))
    out.push_back(fmt::format("WARC-Date {} is not of the form of WARC/{}", date, version));
  if (std::find(kWithTarget.begin(), kWithTarget.end(), type) != kWithTarget.end() &&
      find_field(head.fields, "WARC-Target-URI").empty())
    out.push_back(fmt::format("WARC-Target-URI is missing, and this is a {}", type));
  if (type == "revisit" && find_field(head.fields, "WARC-Profile").empty())
    out.emplace_back("WARC-Profile is missing, and this is a revisit");
  return out;
}

std::optional<WarcCheck::Comparison> WarcCheck::begin(std::string_view text,
                                                      std::vector<std::string>& problems) {
  WrittenDigest written = parse_digest(text);
  if (!written.kind) return std::nullopt;
  if (written.octets.empty()) {
    problems.push_back(fmt::format("{} is no digest", text));
    return std::nullopt;
  }
  const Digest kind = *written.kind;
  return Comparison{std::move(written), std::string(text), Hash(kind)};
}

WarcCheck::WarcCheck(const FieldLines& fields) {
  block_ = begin(find_field(fields, "WARC-Block-Digest"), problems_);
  if (find_field(fields, "WARC-Type") == "revisit" || !find_field(fields, "WARC-Segment-Number").empty())
    return;
  payload_ = begin(find_field(fields, "WARC-Payload-Digest"), problems_);
  if (payload_ && is_http(find_field(fields, "Content-Type"))) http_.emplace();
}

void WarcCheck::add_payload(std::string_view octets) {
  if (octets.empty()) return;
  if (http_ && !framing_ && http_->chunked()) {
    framing_ = fetch::Framing::chunked(kTrailerMax);
    content_.emplace(*payload_->written.kind);
  }
  payload_->hash.add(octets);
  while (framing_ && !octets.empty() && framing_->state() == fetch::Framing::State::more)
    content_->add(framing_->next(octets));
}

void WarcCheck::add(std::string_view octets) {
  if (block_) block_->hash.add(octets);
  if (payload_) add_payload(http_ ? http_->payload(octets) : octets);
}

std::vector<std::string> WarcCheck::end() {
  if (block_ && block_->hash.end() != block_->written.octets)
    problems_.push_back("the block is not what its digest says: " + block_->text);
  if (payload_ && http_ && http_->too_long())
    problems_.push_back(
        fmt::format("the HTTP head is longer than {} octets; its payload is not compared", kHttpHeadMax));
  else if (payload_ && payload_->hash.end() != payload_->written.octets &&
           !(content_ && content_->end() == payload_->written.octets))
    problems_.push_back("the payload is not what its digest says: " + payload_->text);
  return std::move(problems_);
}

}  // namespace crawler
