#include "crawler/crawl_log.h"

#include "base/escape.h"
#include "base/time_text.h"
#include "base/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace crawler {
namespace {

constexpr std::string_view kAbsent = "-";
constexpr std::string_view kNoType = "no-type";

int status_of(fetch::Error error) {
  switch (error) {
    case fetch::Error::none: break;
    case fetch::Error::dns_failure:
    case fetch::Error::dns_timeout: return heritrix::kNoName;
    case fetch::Error::blocked_address:
    case fetch::Error::blocked_port: return heritrix::kBlocked;
    case fetch::Error::refused:
    case fetch::Error::unreachable:
    case fetch::Error::connect_timeout:
    case fetch::Error::tls_certificate:
    case fetch::Error::tls:
    case fetch::Error::proxy: return heritrix::kNoConnection;
    case fetch::Error::timeout:
    case fetch::Error::slow: return heritrix::kTimeout;
    case fetch::Error::reset:
    case fetch::Error::stale:
    case fetch::Error::protocol:
    case fetch::Error::head_limit:
    case fetch::Error::truncated:
    case fetch::Error::decode:
    case fetch::Error::bomb: return heritrix::kBroken;
    case fetch::Error::resources: return heritrix::kInternal;
    case fetch::Error::not_now: return heritrix::kDeferred;
    case fetch::Error::cancelled: return heritrix::kKilled;
  }
  return heritrix::kInternal;
}

/// `text` as part of a column, `also` encoded too.
std::string encoded(std::string_view text, std::size_t octets_max, std::string_view also = "") {
  text = text.substr(0, octets_max);
  const auto strange = [also](char c) { return c <= ' ' || c >= '\x7F' || also.find(c) != also.npos; };
  std::string out;
  while (true) {
    const auto end = std::find_if(text.begin(), text.end(), strange);
    const auto plain = static_cast<std::size_t>(end - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    out += fmt::format("%{:02X}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
}

std::string column(std::string_view text, std::size_t octets_max) {
  return text.empty() ? std::string(kAbsent) : encoded(text, octets_max);
}

std::string url_column(std::string_view url) {
  return column(url, base::kUrlOctetsMax);
}

/// A media type without its parameters.
std::string mime_column(std::string_view mime) {
  const std::string_view type = mime.substr(0, mime.find_first_of(";, \t"));
  return type.empty() ? std::string(kNoType) : encoded(type, kCrawlLogTextMax);
}

std::int64_t milliseconds(base::Duration span) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

bool was_sent(const CrawlEntry& entry) {
  return entry.begun != base::WallTime();
}

/// `20261121013656123+48`
std::string span_column(const CrawlEntry& entry) {
  if (!was_sent(entry)) return std::string(kAbsent);
  std::string digits = base::rfc3339(entry.begun);
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  return fmt::format("{}+{}", digits, milliseconds(entry.took));
}

std::string annotations_column(const std::vector<std::string>& annotations) {
  std::string out;
  for (std::size_t i = 0; i < std::min(annotations.size(), kCrawlLogAnnotationsMax); ++i) {
    if (annotations[i].empty()) continue;
    if (!out.empty()) out += ',';
    out += encoded(annotations[i], kCrawlLogTextMax, ",");
  }
  return out.empty() ? std::string(kAbsent) : out;
}

/// Builds the object, leaving out what is absent. Keys are literals of ours.
class JsonLine {
 public:
  JsonLine& text(std::string_view key, std::string_view value, std::size_t octets_max = kCrawlLogTextMax) {
    return value.empty() ? *this : raw(key, base::json_quoted(value, octets_max));
  }
  JsonLine& url(std::string_view key, std::string_view value) {
    return text(key, value, base::kUrlOctetsMax);
  }
  template <class Number>
  JsonLine& number(std::string_view key, Number value) {
    return raw(key, std::to_string(value));
  }
  JsonLine& texts(std::string_view key, const std::vector<std::string>& values) {
    std::string list;
    for (std::size_t i = 0; i < std::min(values.size(), kCrawlLogAnnotationsMax); ++i) {
      if (!list.empty()) list += ',';
      list += base::json_quoted(values[i], kCrawlLogTextMax);
    }
    return list.empty() ? *this : raw(key, "[" + list + "]");
  }
  JsonLine& interval(const scheduler::Interval& interval) {
    return text("interval", base::duration_text(interval.length))
        .text("reason", scheduler::to_string(interval.reason));
  }
  bool empty() const { return out_.empty(); }
  std::string object() const { return "{" + out_ + "}"; }

 private:
  JsonLine& raw(std::string_view key, std::string_view value) {
    out_ += out_.empty() ? "\"" : ",\"";
    out_.append(key).append("\":").append(value);
    return *this;
  }
  std::string out_;
};

/// Why the request was in order; what both forms of a line have.
void add_evidence(JsonLine& json, const CrawlEntry& entry) {
  if (entry.interval) json.interval(*entry.interval);
  json.text("robots", entry.robots).text("robots_group", entry.robots_group);
  json.text("robots_rule", entry.robots_rule);
  if (entry.robots_line > 0) json.number("robots_line", entry.robots_line);
  json.text("behalf", entry.behalf);
  if (entry.axis) json.number("axis_ms", milliseconds(entry.axis->time_since_epoch()));
  if (entry.run != base::WallTime()) json.text("run", base::rfc3339(entry.run));
}

/// Valid UTF-8 as UTF-16 in JSON's `\uNNNN`; `at` is moved behind the code point.
std::string utf16_escape(std::string_view utf8, std::size_t& at) {
  const auto octet = [&] { return static_cast<unsigned char>(utf8[at++]); };
  const unsigned lead = octet();
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  unsigned point = lead & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more && at < utf8.size(); ++i) point = (point << 6U) | (octet() & 0x3FU);
  if (point < 0x10000) return fmt::format("\\u{:04x}", point);
  point -= 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (point >> 10U), 0xDC00 + (point & 0x3FFU));
}

/// JSON of ours as a column: a blank is only ever part of a text.
std::string json_column(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    if (static_cast<unsigned char>(json[at]) >= 0x80) {
      out += utf16_escape(json, at);
    } else if (json[at] == ' ') {
      out += "\\u0020";
      ++at;
    } else {
      out += json[at++];
    }
  }
  return out;
}

}  // namespace

int heritrix_status(Fate fate, fetch::Error error, int http_status) {
  switch (fate) {
    case Fate::disallowed: return heritrix::kRobotsDenied;
    case Fate::blocked: return heritrix::kBlocked;
    case Fate::out_of_scope: return heritrix::kOutOfScope;
    case Fate::trap: return heritrix::kTrap;
    // A page that never came as a whole is at last taken as far as it came.
    case Fate::fetched: return http_status;
    case Fate::given_up: return error == fetch::Error::none ? http_status : heritrix::kRetriesUsedUp;
    case Fate::unchanged:
    case Fate::redirected:
    case Fate::gone:
    case Fate::refused:
    case Fate::retry: break;
  }
  return error == fetch::Error::none ? http_status : status_of(error);
}

std::string heritrix_line(const CrawlEntry& entry) {
  const std::string octets = was_sent(entry) ? std::to_string(entry.octets) : std::string(kAbsent);
  JsonLine evidence;
  add_evidence(evidence, entry);
  return fmt::format("{} {:>5} {:>10} {} {} {} {} #{:03} {} {} {} {}{}{}\n", base::rfc3339(entry.logged),
                     entry.status, octets, url_column(entry.url), column(entry.path, kCrawlLogTextMax),
                     url_column(entry.via), mime_column(entry.mime), entry.worker, span_column(entry),
                     column(entry.digest, kCrawlLogTextMax), url_column(entry.source),
                     annotations_column(entry.annotations), evidence.empty() ? "" : " ",
                     evidence.empty() ? "" : json_column(evidence.object()));
}

std::string json_line(const CrawlEntry& entry) {
  JsonLine json;
  json.text("time", base::rfc3339(entry.logged)).url("url", entry.url).text("fate", entry.fate);
  json.number("status", entry.status);
  if (was_sent(entry)) {
    json.number("octets", entry.octets).text("begun", base::rfc3339(entry.begun));
    json.number("ms", milliseconds(entry.took)).text("ip", entry.ip);
  }
  json.text("path", entry.path).url("via", entry.via).url("source", entry.source);
  json.text("mime", entry.mime).text("digest", entry.digest).number("worker", entry.worker);
  json.text("error", entry.error).text("detail", entry.detail);
  add_evidence(json, entry);
  if (!entry.warc_file.empty()) {
    json.text("warc_file", entry.warc_file).number("warc_offset", entry.warc_offset);
  }
  json.texts("annotations", entry.annotations);
  return json.object() + "\n";
}

}  // namespace crawler
