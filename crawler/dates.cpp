#include "crawler/dates.h"

#include "crawler/html_text.h"

#include <array>

namespace crawler {
namespace {

using namespace std::chrono;

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

struct Zone {
  std::string_view name;
  int hours;
};
constexpr std::array<Zone, 12> kZones{{{"gmt", 0},
                                       {"utc", 0},
                                       {"ut", 0},
                                       {"z", 0},
                                       {"est", -5},
                                       {"edt", -4},
                                       {"cst", -6},
                                       {"cdt", -5},
                                       {"mst", -7},
                                       {"mdt", -6},
                                       {"pst", -8},
                                       {"pdt", -7}}};

/// A run of digits of a length between `least` and `most`.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t size = 0;
  int value = 0;
  while (size < text.size() && size < most && is_decimal(text[size]))
    value = value * 10 + (text[size++] - '0');
  if (size < least || (size < text.size() && is_decimal(text[size]))) return std::nullopt;
  text.remove_prefix(size);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::string_view take_letters(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_letter(text[size])) ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

/// Whether `word` is `name` of three letters, or a longer one that begins so.
template <std::size_t N>
std::optional<unsigned> position(const std::array<std::string_view, N>& names, std::string_view word) {
  for (unsigned i = 0; i < N; ++i) {
    if (same_word(word.substr(0, 3), names[i])) return i;
  }
  return std::nullopt;
}

/// 1678..2261 is what nanoseconds in 64 bits can hold.
std::optional<base::WallTime> midnight(int y, int m, int d) {
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
  if (!date.ok() || y < 1678 || y > 2261) return std::nullopt;
  return base::WallTime(sys_days(date));
}

/// `hh:mm`, `hh:mm:ss` or with a fraction; nothing, and `text` as it was, when there is none.
std::optional<base::Duration> take_time(std::string_view& text) {
  std::string_view rest = text;
  const auto h = take_number(rest, 1, 2);
  if (!h || !take(rest, ':')) return std::nullopt;
  const auto m = take_number(rest, 2, 2);
  if (!m || *h > 23 || *m > 59) return std::nullopt;
  int s = 0;
  if (take(rest, ':')) {
    const auto read = take_number(rest, 2, 2);
    if (!read || *read > 60) return std::nullopt;
    s = *read;
    if (rest.size() > 1 && rest[0] == '.' && is_decimal(rest[1])) {
      rest.remove_prefix(1);
      while (!rest.empty() && is_decimal(rest.front())) rest.remove_prefix(1);
    }
  }
  text = rest;
  return hours(*h) + minutes(*m) + seconds(s);
}

/// What to add to UTC; zero, and `text` as it was, when there is no zone.
base::Duration take_zone(std::string_view& text) {
  std::string_view rest = without_leading_space(text);
  const bool east = rest.starts_with('+');
  if (east || rest.starts_with('-')) {
    rest.remove_prefix(1);
    const bool joined = rest.size() >= 4 && rest[2] != ':';
    const auto both = joined ? take_number(rest, 4, 4) : std::nullopt;
    const auto h = joined ? std::nullopt : take_number(rest, 2, 2);
    const auto m = h && take(rest, ':') ? take_number(rest, 2, 2) : std::optional<int>(0);
    if ((joined && !both) || (!joined && !h) || !m) return {};
    const minutes shift = both ? hours(*both / 100) + minutes(*both % 100) : hours(*h) + minutes(*m);
    text = rest;
    return east ? shift : -shift;
  }
  const std::string_view word = take_letters(rest);
  for (const Zone& zone : kZones) {
    if (!same_word(word, zone.name)) continue;
    text = rest;
    return hours(zone.hours);
  }
  return {};
}

/// Adds the time that stands behind a date, if one does.
std::optional<base::WallTime> with_time(std::optional<base::WallTime> date, std::string_view& text) {
  if (!date) return date;
  std::string_view rest = text;
  if (!take(rest, 'T') && !take(rest, 't')) rest = without_leading_space(rest);
  const auto time = rest.size() == text.size() ? std::nullopt : take_time(rest);
  if (!time) return date;
  const base::Duration zone = take_zone(rest);
  text = rest;
  return *date + *time - zone;
}

/// `2026`, `2026-08`, `2026-08-01`.
std::optional<base::WallTime> take_iso(std::string_view& text) {
  std::string_view rest = text;
  const auto y = take_number(rest, 4, 4);
  if (!y) return std::nullopt;
  int m = 1;
  int d = 1;
  bool whole = false;
  if (take(rest, '-')) {
    const auto read = take_number(rest, 2, 2);
    if (!read) return std::nullopt;
    m = *read;
    if (take(rest, '-')) {
      const auto last = take_number(rest, 2, 2);
      if (!last) return std::nullopt;
      d = *last;
      whole = true;
    }
  }
  auto date = midnight(*y, m, d);
  if (whole) date = with_time(date, rest);
  if (date) text = rest;
  return date;
}

/// `Sat, 01 Aug 2026`, `1 Aug 26`, `Saturday, 01-Aug-26`.
std::optional<base::WallTime> take_rfc822(std::string_view& text) {
  std::string_view rest = text;
  if (!rest.empty() && is_letter(rest.front())) {
    if (!position(kDays, take_letters(rest))) return std::nullopt;
    take(rest, ',');
    rest = without_leading_space(rest);
  }
  const auto d = take_number(rest, 1, 2);
  if (!d || (!take(rest, '-') && !take(rest, ' '))) return std::nullopt;
  rest = without_leading_space(rest);
  const auto m = position(kMonths, take_letters(rest));
  if (!m || (!take(rest, '-') && !take(rest, ' '))) return std::nullopt;
  rest = without_leading_space(rest);
  const std::size_t before = rest.size();
  auto y = take_number(rest, 2, 4);
  if (!y || before - rest.size() == 3) return std::nullopt;
  if (before - rest.size() == 2) *y += *y < 70 ? 2000 : 1900;
  const auto date = with_time(midnight(*y, static_cast<int>(*m) + 1, *d), rest);
  if (date) text = rest;
  return date;
}

}  // namespace

std::optional<base::WallTime> take_date(std::string_view& text) {
  std::string_view rest = without_leading_space(text);
  auto date = take_iso(rest);
  if (!date) date = take_rfc822(rest);
  if (date) text = rest;
  return date;
}

std::optional<base::WallTime> read_date(std::string_view text) {
  text = without_space_around(text);
  const auto date = take_date(text);
  return text.empty() ? date : std::nullopt;
}

}  // namespace crawler
