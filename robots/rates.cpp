// The grammars of Request-rate, Crawl-delay and windows of the day (ROBOTS.md §5, §6).
#include "robots/lines.h"
#include "robots/rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace robots {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// The letters at the front of `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t size = static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

bool is_one_of(std::string_view word, std::span<const std::string_view> lower_case) {
  return std::ranges::any_of(lower_case, [word](std::string_view known) {
    return std::ranges::equal(word, known, [](char a, char b) { return lower(a) == b; });
  });
}

/// Seconds of a unit of time; 0 when it is none.
std::uint64_t unit_seconds(std::string_view word) {
  constexpr std::array<std::string_view, 5> kSecond{"s", "sec", "secs", "second", "seconds"};
  constexpr std::array<std::string_view, 5> kMinute{"m", "min", "mins", "minute", "minutes"};
  constexpr std::array<std::string_view, 5> kHour{"h", "hr", "hrs", "hour", "hours"};
  constexpr std::array<std::string_view, 3> kDay{"d", "day", "days"};
  if (is_one_of(word, kSecond)) return 1;
  if (is_one_of(word, kMinute)) return 60;
  if (is_one_of(word, kHour)) return 3'600;
  if (is_one_of(word, kDay)) return 86'400;
  return 0;
}

/// A run of digits; nothing when there is none or it overflows.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Two digits.
std::optional<int> take_pair(std::string_view& text) {
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  text.remove_prefix(2);
  return value;
}

struct TimeOfDay {
  int hour = 0;
  int minute = 0;
};

/// `hhmm` or `hh:mm`, with an optional name of UTC behind it.
std::optional<TimeOfDay> take_time(std::string_view& text) {
  const auto hour = take_pair(text);
  if (!hour) return std::nullopt;
  take(text, ':');
  const auto minute = take_pair(text);
  if (!minute) return std::nullopt;
  std::string_view rest = text;
  skip_blanks(rest);
  constexpr std::array<std::string_view, 3> kZones{"z", "utc", "gmt"};
  if (is_one_of(take_word(rest), kZones)) text = rest;
  return TimeOfDay{*hour, *minute};
}

}  // namespace

std::optional<base::DailyWindow> parse_window(std::string_view value) {
  std::string_view text = trimmed(value);
  const auto from = take_time(text);
  if (!from) return std::nullopt;
  skip_blanks(text);
  if (!take(text, '-')) return std::nullopt;
  skip_blanks(text);
  const auto to = take_time(text);
  if (!to || !text.empty()) return std::nullopt;
  const bool midnight = to->hour == 24 && to->minute == 0;
  if (from->hour > 23 || from->minute > 59 || to->minute > 59 || (to->hour > 23 && !midnight))
    return std::nullopt;

  base::DailyWindow window;
  window.written_from = static_cast<std::uint16_t>(from->hour * 100 + from->minute);
  window.written_to = static_cast<std::uint16_t>(to->hour * 100 + to->minute);
  window.from = static_cast<std::uint16_t>(from->hour * 60 + from->minute);
  window.to = static_cast<std::uint16_t>(to->hour * 60 + to->minute);
  // An end at minute 59 covers that minute; from = to is the whole day, also at minute 59.
  if (to->minute == 59 && window.from != window.to) ++window.to;
  return window;
}

std::optional<base::RequestRate> parse_request_rate(std::string_view value) {
  std::string_view text = trimmed(value);
  base::RequestRate rate;
  const auto documents = take_number(text);
  if (!documents) return std::nullopt;
  rate.documents = *documents;
  skip_blanks(text);
  if (!take(text, '/')) return std::nullopt;
  skip_blanks(text);

  const bool counted = !text.empty() && is_digit(text.front());
  if (counted) {
    const auto time = take_number(text);
    if (!time || *time == 0) return std::nullopt;
    rate.seconds = *time;
  }
  std::string_view behind = text;
  skip_blanks(behind);
  if (const std::string_view word = take_word(behind); !word.empty()) {
    const std::uint64_t unit = unit_seconds(word);
    if (unit == 0 || rate.seconds > std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
    rate.seconds *= unit;
    text = behind;
  } else if (!counted) {
    return std::nullopt;
  }

  if (text.empty()) return rate;
  if (!is_blank(text.front())) return std::nullopt;
  rate.window = parse_window(text);
  if (!rate.window) return std::nullopt;
  return rate;
}

std::optional<double> parse_crawl_delay(std::string_view value) {
  std::string_view text = trimmed(value);
  if (!text.empty() && lower(text.back()) == 's') {
    text.remove_suffix(1);
    text = trimmed(text);
  }
  const auto is_part = [](char c) { return is_digit(c) || c == '.'; };
  if (!std::ranges::all_of(text, is_part) || std::ranges::none_of(text, is_digit)) return std::nullopt;
  if (std::ranges::count(text, '.') > 1) return std::nullopt;
  double seconds = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return seconds;
}

}  // namespace robots
