#include "base/time_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

namespace base {
namespace {

using namespace std::chrono;

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

/// From large to small; `ms` stands before `m` in no place where a prefix could be mistaken: names are
/// compared whole.
constexpr std::array<Unit, 7> kUnits{{{"d", 86'400'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"s", 1'000'000'000},
                                      {"ms", 1'000'000},
                                      {"us", 1'000},
                                      {"ns", 1}}};

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Takes digits from the head of `text`: all of them, at most 18 significant ones; nothing when there are
/// none.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || !digit(text.front())) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Exactly `count` digits.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!digit(text[i])) return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Takes `.5` and the like, if there; false when a point has no digits or too many behind it.
bool take_fraction(std::string_view& text, std::string_view& digits) {
  if (!take(text, ".")) return true;
  std::size_t length = 0;
  while (length < text.size() && digit(text[length])) ++length;
  if (length == 0 || length > 9) return false;
  digits = text.substr(0, length);
  text.remove_prefix(length);
  return true;
}

/// `digits` behind the point as a part of `unit`; nothing when that is no whole number of nanoseconds.
std::optional<std::int64_t> scaled_fraction(std::string_view digits, std::int64_t unit) {
  std::int64_t sum = 0;
  for (const char c : digits) {
    if (unit % 10 != 0 && c != '0') return std::nullopt;
    unit /= 10;
    sum += unit * (c - '0');
  }
  return sum;
}

std::optional<WallTime> make_time(int y, int mon, int d, int h, int min, int s) {
  const year_month_day date{year{y}, month{static_cast<unsigned>(mon)}, day{static_cast<unsigned>(d)}};
  // 1678..2261 is what nanoseconds in 64 bits can hold.
  if (!date.ok() || y < 1678 || y > 2261 || h > 23 || min > 59 || s > 60) return std::nullopt;
  return WallTime(sys_days(date)) + hours(h) + minutes(min) + seconds(s);
}

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<int> take_month(std::string_view& text) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (take(text, kMonths[i])) return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

struct TimeOfDay {
  int h = 0, m = 0, s = 0;
};

std::optional<TimeOfDay> take_time(std::string_view& text) {
  const auto h = take_digits(text, 2);
  if (!h || !take(text, ":")) return std::nullopt;
  const auto m = take_digits(text, 2);
  if (!m || !take(text, ":")) return std::nullopt;
  const auto s = take_digits(text, 2);
  if (!s) return std::nullopt;
  return TimeOfDay{*h, *m, *s};
}

/// `06 Nov 1994 08:49:37 GMT`
std::optional<WallTime> imf_fixdate(std::string_view text) {
  const auto d = take_digits(text, 2);
  if (!d || !take(text, " ")) return std::nullopt;
  const auto mon = take_month(text);
  if (!mon || !take(text, " ")) return std::nullopt;
  const auto y = take_digits(text, 4);
  if (!y || !take(text, " ")) return std::nullopt;
  const auto t = take_time(text);
  if (!t || text != " GMT") return std::nullopt;
  return make_time(*y, *mon, *d, t->h, t->m, t->s);
}

/// `06-Nov-94 08:49:37 GMT`; two-digit years are read as 1970..2069.
std::optional<WallTime> rfc850_date(std::string_view text) {
  const auto d = take_digits(text, 2);
  if (!d || !take(text, "-")) return std::nullopt;
  const auto mon = take_month(text);
  if (!mon || !take(text, "-")) return std::nullopt;
  const auto y = take_digits(text, 2);
  if (!y || !take(text, " ")) return std::nullopt;
  const auto t = take_time(text);
  if (!t || text != " GMT") return std::nullopt;
  return make_time(*y + (*y < 70 ? 2000 : 1900), *mon, *d, t->h, t->m, t->s);
}

/// `Nov  6 08:49:37 1994`
std::optional<WallTime> asctime_date(std::string_view text) {
  const auto mon = take_month(text);
  if (!mon || !take(text, " ")) return std::nullopt;
  const auto d = take(text, " ") ? take_digits(text, 1) : take_digits(text, 2);
  if (!d || !take(text, " ")) return std::nullopt;
  const auto t = take_time(text);
  if (!t || !take(text, " ")) return std::nullopt;
  const auto y = take_digits(text, 4);
  if (!y || !text.empty()) return std::nullopt;
  return make_time(*y, *mon, *d, t->h, t->m, t->s);
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration::zero();
  if (text.empty()) return std::nullopt;
  std::int64_t sum = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const auto whole = take_number(text);
    std::string_view digits;
    if (!whole || !take_fraction(text, digits)) return std::nullopt;
    std::size_t length = 0;
    while (length < text.size() && letter(text[length])) ++length;
    const std::string_view name = text.substr(0, length);
    text.remove_prefix(length);
    while (next_unit < kUnits.size() && kUnits[next_unit].name != name) ++next_unit;
    if (next_unit == kUnits.size()) return std::nullopt;
    const std::int64_t unit = kUnits[next_unit++].nanoseconds;
    const auto fraction = scaled_fraction(digits, unit);
    std::int64_t part = 0;
    if (!fraction || __builtin_mul_overflow(*whole, unit, &part) ||
        __builtin_add_overflow(part, *fraction, &part) || __builtin_add_overflow(sum, part, &sum)) {
      return std::nullopt;
    }
  }
  return Duration(sum);
}

std::string duration_text(Duration d) {
  std::int64_t left = d.count();
  if (left < 0)
    return "-" + duration_text(left == std::numeric_limits<std::int64_t>::min() ? Duration::max() : -d);
  if (left == 0) return "0s";
  if (left < kUnits[3].nanoseconds) {
    for (std::size_t i = 4; i < kUnits.size(); ++i) {
      if (left % kUnits[i].nanoseconds == 0)
        return fmt::format("{}{}", left / kUnits[i].nanoseconds, kUnits[i].name);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    if (left >= kUnits[i].nanoseconds)
      out += fmt::format("{}{}", left / kUnits[i].nanoseconds, kUnits[i].name);
    left %= kUnits[i].nanoseconds;
  }
  if (left == 0) return out;
  const std::int64_t whole = left / kUnits[3].nanoseconds;
  std::string fraction = fmt::format("{:09}", left % kUnits[3].nanoseconds);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return out + std::to_string(whole) + (fraction.empty() ? "" : "." + fraction) + "s";
}

std::string rfc3339(WallTime t) {
  const auto day_start = floor<days>(t);
  const year_month_day date{day_start};
  const hh_mm_ss time{floor<milliseconds>(t - day_start)};
  // By hand: each page has a dozen of these, and a format string is read anew each time.
  std::string out = "0000-00-00T00:00:00.000Z";
  const auto put = [&out](std::size_t end, std::size_t digits, auto value) {
    for (auto left = static_cast<unsigned>(value); digits > 0; --digits, left /= 10) {
      out[--end] = static_cast<char>('0' + left % 10);
    }
  };
  put(4, 4, static_cast<int>(date.year()));
  put(7, 2, static_cast<unsigned>(date.month()));
  put(10, 2, static_cast<unsigned>(date.day()));
  put(13, 2, time.hours().count());
  put(16, 2, time.minutes().count());
  put(19, 2, time.seconds().count());
  put(23, 3, time.subseconds().count());
  return out;
}

std::optional<WallTime> parse_rfc3339(std::string_view text) {
  const auto y = take_digits(text, 4);
  if (!y || !take(text, "-")) return std::nullopt;
  const auto mon = take_digits(text, 2);
  if (!mon || !take(text, "-")) return std::nullopt;
  const auto d = take_digits(text, 2);
  if (!d || (!take(text, "T") && !take(text, "t") && !take(text, " "))) return std::nullopt;
  const auto t = take_time(text);
  if (!t) return std::nullopt;
  std::string_view digits;
  if (!take_fraction(text, digits)) return std::nullopt;
  auto time = make_time(*y, *mon, *d, t->h, t->m, t->s);
  const auto fraction = scaled_fraction(digits, kUnits[3].nanoseconds);
  if (!time || !fraction) return std::nullopt;
  *time += Duration(*fraction);
  if (take(text, "Z") || take(text, "z")) return text.empty() ? time : std::nullopt;
  const bool east = take(text, "+");
  if (!east && !take(text, "-")) return std::nullopt;
  const auto h = take_digits(text, 2);
  if (!h || *h > 23 || !take(text, ":")) return std::nullopt;
  const auto m = take_digits(text, 2);
  if (!m || *m > 59 || !text.empty()) return std::nullopt;
  const auto shift = hours(*h) + minutes(*m);
  return east ? *time - shift : *time + shift;
}

std::optional<WallTime> parse_http_date(std::string_view text) {
  const std::size_t comma = text.find(", ");
  if (comma == 3) return imf_fixdate(text.substr(5));
  if (comma != std::string_view::npos && comma >= 6 && comma <= 9) return rfc850_date(text.substr(comma + 2));
  if (comma == std::string_view::npos && text.size() == 24 && text[3] == ' ')
    return asctime_date(text.substr(4));
  return std::nullopt;
}

std::optional<Duration> parse_retry_after(std::string_view value, WallTime now) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && blank(value.back())) value.remove_suffix(1);
  if (value.empty()) return std::nullopt;
  if (digit(value.front())) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (end != value.data() + value.size()) return std::nullopt;
    constexpr auto kSecondsMax = duration_cast<seconds>(Duration::max()).count();
    if (error == std::errc::result_out_of_range || count > kSecondsMax) return Duration::max();
    return seconds(count);
  }
  const auto date = parse_http_date(value);
  if (!date) return std::nullopt;
  return *date > now ? *date - now : Duration::zero();
}

}  // namespace base
