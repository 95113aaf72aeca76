#include "crawler/answer.h"

#include "base/time_text.h"

#include <algorithm>
#include <charconv>

namespace crawler {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

base::Duration seconds_of(std::string_view number) {
  if (number.size() >= 2 && number.front() == '"' && number.back() == '"')
    number = number.substr(1, number.size() - 2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  constexpr std::int64_t kYear = 365 * 86'400;
  if (error == std::errc::result_out_of_range) return std::chrono::seconds(kYear);
  if (error != std::errc() || end != number.data() + number.size() || value < 0)
    return base::Duration::zero();
  return std::chrono::seconds(std::min(value, kYear));
}

}  // namespace

std::optional<base::Duration> max_age_of(const fetch::Headers& headers) {
  if (!headers.has("Cache-Control")) return std::nullopt;
  const std::string all = lower(headers.joined("Cache-Control"));
  std::optional<base::Duration> age;
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view directive = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (directive == "no-cache" || directive == "no-store") return base::Duration::zero();
    if (directive.starts_with("max-age=")) {
      const base::Duration found = seconds_of(trimmed(directive.substr(8)));
      age = age ? std::min(*age, found) : found;
    }
  }
  return age;
}

robots::Answer to_answer(fetch::Outcome outcome, base::WallTime now) {
  robots::Answer answer;
  if (outcome.error != fetch::Error::none) return answer;
  answer.status = outcome.status;
  answer.body = std::move(outcome.body);
  answer.location = outcome.headers.get("Location");
  answer.etag = outcome.headers.get("ETag");
  answer.last_modified = outcome.headers.get("Last-Modified");
  answer.max_age = max_age_of(outcome.headers);
  if (outcome.headers.has("Retry-After")) {
    answer.retry_after = base::parse_retry_after(outcome.headers.get("Retry-After"), now);
  }
  return answer;
}

}  // namespace crawler
