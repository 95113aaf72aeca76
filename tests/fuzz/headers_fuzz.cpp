// Input: a header's value, and behind a NUL perhaps the URL that it came from. Whatever it is: Location
// becomes a URL in normal form or none, waits and lifetimes stay within their bounds, rules are only added
// to, and known codings are few.
#include "base/time_text.h"
#include "crawler/answer.h"
#include "crawler/index_rules.h"
#include "fetch/decode.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using base::Duration;
using std::chrono::hours;

void must(bool holds) {
  if (!holds) std::abort();
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string uppered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), upper);
  return out;
}

void location(std::string_view value, const base::Url& from) {
  const auto url = base::Url::resolve(value, from);
  if (!url) return;
  must(url->text().starts_with("http://") || url->text().starts_with("https://"));
  must(url->text().size() <= base::kUrlOctetsMax);
  for (const char c : url->text()) must(c > ' ' && c < '\x7F' && c != '#');
  must(base::Url::parse(url->text()).value() == *url);
  must(base::Url::resolve(url->text(), from).value() == *url);
  const std::string padded = "  " + std::string(value) + '\t';
  const auto same = base::Url::resolve(padded, from);
  must(same ? *same == *url : padded.size() > base::kUrlInputOctetsMax);
}

void retry_after(std::string_view value) {
  const std::string padded = " \t" + std::string(value) + ' ';
  for (const int years : {0, 56, 90}) {
    const base::WallTime now{hours(24 * 365) * years};
    const auto wait = base::parse_retry_after(value, now);
    must(wait == base::parse_retry_after(padded, now));
    if (!wait) continue;
    must(*wait >= Duration::zero());
    const auto whole = std::chrono::floor<std::chrono::seconds>(*wait);
    must(base::parse_retry_after(std::to_string(whole.count()), now) == Duration(whole));
  }
}

void robots_tag(std::string_view value) {
  const std::vector<std::string> tokens{"mybot"};
  const auto same = [](const crawler::IndexRules& a, const crawler::IndexRules& b) {
    return a.nofollow == b.nofollow && a.noindex == b.noindex && a.noarchive == b.noarchive &&
           a.unavailable_after == b.unavailable_after;
  };
  const std::string text(value);
  const crawler::IndexRules rules = crawler::read_robots_tag(text, tokens);
  must(same(rules, crawler::read_robots_tag(uppered(text), tokens)));
  must(same(rules, crawler::read_robots_tag(text + '\n' + text, tokens)));
  const crawler::IndexRules more = crawler::read_robots_tag(text + "\nmybot: nofollow", tokens);
  must(more.nofollow && more.noindex == rules.noindex && more.noarchive == rules.noarchive);
  // A line for another crawler adds nothing.
  must(same(rules, crawler::read_robots_tag(text + "\notherbot: none", tokens)));
  must(!crawler::read_robots_tag("otherbot: " + text.substr(0, text.find_first_of(":\n")), tokens).noindex);
}

fetch::Headers one(std::string_view name, std::string_view value) {
  fetch::Headers headers;
  headers.add(std::string(name), std::string(value));
  return headers;
}

void cache_control(std::string_view value) {
  const auto age = crawler::max_age_of(one("Cache-Control", value));
  if (age) must(*age >= Duration::zero() && *age <= hours(24 * 365));
  must(age == crawler::max_age_of(one("cache-control", uppered(value))));
  must(crawler::max_age_of(one("Cache-Control", std::string(value) + ", no-store")) == Duration::zero());
  fetch::Headers twice = one("Cache-Control", value);
  twice.add("Cache-Control", std::string(value));
  must(crawler::max_age_of(twice) == age);
  if (!age) return;
  const auto count = std::chrono::floor<std::chrono::seconds>(*age).count();
  must(crawler::max_age_of(one("Cache-Control", "max-age=" + std::to_string(count))) == *age);
}

void content_encoding(std::string_view value) {
  const auto codings = fetch::parse_codings(value);
  must(codings == fetch::parse_codings(uppered(value)));
  if (!codings) return;
  must(codings->size() <= fetch::kCodingsMax);
  static constexpr std::string_view kNames[] = {"gzip", "deflate", "br", "zstd"};
  std::string normal = "identity";
  for (const fetch::Coding coding : *codings) {
    normal += ", ";
    normal += kNames[static_cast<std::size_t>(coding)];
  }
  must(fetch::parse_codings(normal) == codings);
}

void answer(std::string_view value) {
  fetch::Outcome outcome;
  outcome.status = 503;
  for (const char* const name : {"Location", "ETag", "Last-Modified", "Cache-Control", "Retry-After"})
    outcome.headers.add(name, std::string(value));
  const robots::Answer read = crawler::to_answer(std::move(outcome), base::WallTime{});
  must(read.status == 503 && read.location == value && read.etag == value && read.last_modified == value);
  if (read.max_age) must(*read.max_age >= Duration::zero());
  if (read.retry_after) must(*read.retry_after >= Duration::zero());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  const std::string_view value = input.substr(0, end);
  const auto found_at =
      base::Url::parse(end == std::string_view::npos ? "https://b.example:8/c/d?e" : input.substr(end + 1));
  if (found_at) location(value, *found_at);
  retry_after(value);
  robots_tag(value);
  cache_control(value);
  content_encoding(value);
  answer(value);
  return 0;
}
