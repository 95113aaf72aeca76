#include "crawler/report_line.h"

#include "base/time_text.h"
#include "crawler/crawl_log.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <stdexcept>

namespace crawler {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRobots = "robots";
constexpr std::size_t kColumns = 12;
/// A hundred years: sums of such times and instants do not overflow.
constexpr std::int64_t kMillisecondsMax = std::int64_t{1000} * 86'400 * 36'525;
constexpr int kStatusLeast = -9'999;
constexpr int kStatusMost = 999;

[[noreturn]] void refuse(std::string_view what, std::string_view why) {
  throw std::runtime_error(fmt::format("{} {}", what, why));
}

template <class Number>
Number number_of(std::string_view text, std::string_view what, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    refuse(what, fmt::format("is not a whole number from {} to {}", least, most));
  }
  return value;
}

base::WallTime instant_of(std::string_view text, std::string_view what) {
  const auto instant = base::parse_rfc3339(text);
  if (!instant) refuse(what, "is not an RFC 3339 time");
  return *instant;
}

/// `20261121013656123`
base::WallTime instant_of_digits(std::string_view d) {
  constexpr std::size_t kDigits = 17;
  if (d.size() != kDigits || d.find_first_not_of("0123456789") != d.npos) {
    refuse("begin", "is not of 17 digits");
  }
  return instant_of(fmt::format("{}-{}-{}T{}:{}:{}.{}Z", d.substr(0, 4), d.substr(4, 2), d.substr(6, 2),
                                d.substr(8, 2), d.substr(10, 2), d.substr(12, 2), d.substr(14)),
                    "begin");
}

template <class Word, std::size_t count>
bool is_one_of(std::string_view word) {
  for (std::size_t i = 0; i < count; ++i) {
    if (to_string(static_cast<Word>(i)) == word) return true;
  }
  return false;
}

bool is_purpose(std::string_view word) {
  return word == "probe_root" || word == "probe_random";
}

/// Annotations are the fate, the error, and more that is of no use here. `refused` is a word of both.
void take_annotation(std::string_view word, LogLine& line) {
  if (line.fate.empty() && (word == kRobots || is_one_of<Fate, kFates>(word))) {
    line.fate = word;
  } else if (is_purpose(word)) {
    line.purpose = word;
  } else if (line.error.empty() && word != to_string(fetch::Error::none) &&
             is_one_of<fetch::Error, fetch::kErrors>(word)) {
    line.error = word;
  }
}

/// Fields of a JSON object; what is there has to be of its kind.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  void text(const char* key, std::string& into) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_string()) refuse(key, "is no text");
    into = value->get_ref<const std::string&>();
  }
  template <class Number>
  bool number(const char* key, Number& into, Number least, Number most) const {
    const Json* value = find(key);
    if (value == nullptr) return false;
    const bool fits = value->is_number_unsigned()
                          ? std::cmp_less_equal(value->get<std::uint64_t>(), most) &&
                                std::cmp_greater_equal(value->get<std::uint64_t>(), least)
                          : value->is_number_integer() &&
                                std::cmp_less_equal(value->get<std::int64_t>(), most) &&
                                std::cmp_greater_equal(value->get<std::int64_t>(), least);
    if (!fits) refuse(key, fmt::format("is not a whole number from {} to {}", least, most));
    into = value->get<Number>();
    return true;
  }
  std::optional<base::WallTime> instant(const char* key) const {
    std::string text;
    this->text(key, text);
    if (text.empty()) return std::nullopt;
    return instant_of(text, key);
  }
  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

 private:
  const Json& object_;
};

Json object_of(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw std::runtime_error("it is not a whole JSON object");
  return json;
}

void take_evidence(const Fields& fields, LogLine& line) {
  std::string interval;
  fields.text("interval", interval);
  if (!interval.empty()) {
    line.interval = base::parse_duration(interval);
    if (!line.interval) refuse("interval", "is not a duration");
  }
  fields.text("reason", line.reason);
  fields.text("robots", line.robots);
  fields.text("robots_group", line.group);
  fields.text("robots_rule", line.rule);
  fields.number("robots_line", line.rule_line, std::uint64_t{0}, std::uint64_t{1'000'000'000});
  fields.text("behalf", line.behalf);
  fields.text("run", line.run);
  std::int64_t axis = 0;
  if (fields.number("axis_ms", axis, -kMillisecondsMax, kMillisecondsMax)) line.axis_ms = axis;
}

void read_json(std::string_view text, LogLine& line) {
  const Json json = object_of(text);
  const Fields fields(json);
  const auto logged = fields.instant("time");
  if (!logged) refuse("time", "is missing");
  line.logged = *logged;
  line.begun = fields.instant("begun");
  if (!fields.number("status", line.status, kStatusLeast, kStatusMost)) refuse("status", "is missing");
  fields.number("octets", line.octets, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
  fields.number("ms", line.took_ms, std::int64_t{0}, kMillisecondsMax);
  fields.text("url", line.url);
  fields.text("mime", line.mime);
  line.mime.resize(std::min(line.mime.find_first_of(";, \t"), line.mime.size()));
  fields.text("fate", line.fate);
  fields.text("error", line.error);
  if (const Json* annotations = fields.find("annotations")) {
    if (!annotations->is_array()) refuse("annotations", "is no list");
    for (const Json& word : *annotations) {
      if (word.is_string() && is_purpose(word.get_ref<const std::string&>())) {
        line.purpose = word.get_ref<const std::string&>();
      }
    }
  }
  take_evidence(fields, line);
}

std::string_view take_column(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view column = rest.substr(0, end);
  rest.remove_prefix(end);
  return column;
}

void take_span(std::string_view column, LogLine& line) {
  if (column == "-") return;
  const std::size_t plus = std::min(column.find('+'), column.size());
  line.begun = instant_of_digits(column.substr(0, plus));
  line.took_ms = number_of<std::int64_t>(column.substr(std::min(plus + 1, column.size())), "duration", 0,
                                         kMillisecondsMax);
}

void read_columns(std::string_view rest, LogLine& line) {
  std::array<std::string_view, kColumns> columns;
  for (std::string_view& column : columns) {
    column = take_column(rest);
    if (column.empty()) throw std::runtime_error(fmt::format("it has not {} columns", kColumns));
  }
  const auto& [time, status, octets, url, path, via, mime, worker, span, digest, source, notes] = columns;
  line.logged = instant_of(time, "time");
  line.status = number_of(status, "status", kStatusLeast, kStatusMost);
  if (octets != "-") {
    line.octets = number_of(octets, "size", std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
  }
  if (!worker.starts_with('#')) refuse("worker", "is not `#` and a number");
  line.url = url;
  if (mime != "no-type") line.mime = mime;
  take_span(span, line);
  for (std::string_view all = notes; !all.empty() && all != "-";) {
    const std::size_t comma = std::min(all.find(','), all.size());
    take_annotation(all.substr(0, comma), line);
    all.remove_prefix(std::min(comma + 1, all.size()));
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.empty() || rest == "-") return;
  const Json json = object_of(rest);
  take_evidence(Fields(json), line);
}

bool is_web(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

}  // namespace

bool LogLine::asked() const {
  if (!begun) return false;
  if (status > 0) return true;
  constexpr std::string_view kNever[] = {"dns_failure", "dns_timeout", "blocked_address", "blocked_port",
                                         "refused",     "unreachable", "connect_timeout", "tls_certificate",
                                         "tls",         "not_now"};
  for (const std::string_view word : kNever) {
    if (error == word) return false;
  }
  // Without a word for it, as older lines of Heritrix's form have it for robots.txt.
  return !error.empty() || (status != heritrix::kNoName && status != heritrix::kNoConnection &&
                            status != heritrix::kBlocked && status != heritrix::kDeferred);
}

std::string read_log_line(std::string_view text, LogLine& line) {
  line = LogLine();
  if (text.size() > kLogLineMax) return fmt::format("it is longer than {} octets", kLogLineMax);
  try {
    if (text.starts_with('{')) {
      read_json(text, line);
    } else {
      read_columns(text, line);
    }
    if (!is_web(line.url)) refuse("url", "is neither http nor https");
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return {};
}

}  // namespace crawler
