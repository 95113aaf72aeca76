#include "config/values.h"

#include "base/time_text.h"
#include "config/ascii.h"
#include "config/problems.h"
#include "config/suggest.h"
#include "config/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t octets;
};
// From small to large; the binary one first where both would do.
constexpr std::array<Unit, 9> kUnits{{{"B", 1},
                                      {"KiB", 1ULL << 10U},
                                      {"KB", 1'000},
                                      {"MiB", 1ULL << 20U},
                                      {"MB", 1'000'000},
                                      {"GiB", 1ULL << 30U},
                                      {"GB", 1'000'000'000},
                                      {"TiB", 1ULL << 40U},
                                      {"TB", 1'000'000'000'000}}};

constexpr std::string_view kDigits = "0123456789";

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == text.npos;
}

/// Decimal digits, no leading zero. nullopt for anything else, and for what does not fit.
std::optional<std::uint64_t> decimal(std::string_view text) {
  if (!all_digits(text) || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

bool within(std::uint64_t number, Bounds bounds) {
  return number >= static_cast<std::uint64_t>(bounds.low) &&
         number <= static_cast<std::uint64_t>(bounds.high);
}

template <class T>
Reading<T> wrong(std::string text) {
  return {T{}, std::move(text)};
}

/// What was meant by a number that decimal() refuses.
std::string number_hint(std::string_view text) {
  if (all_digits(text)) {
    if (text[0] == '0') return ": no leading zeros, which some programs read as octal";
    return ": it is too large";
  }
  std::string digits;
  for (const char c : text) {
    if (c != '_' && c != ',' && c != '\'') digits += c;
  }
  if (digits.size() < text.size() && decimal(digits)) return fmt::format(": write {}", digits);
  return {};
}

std::string size_hint(std::string_view number, std::string_view unit) {
  if (!decimal(number)) return {};
  std::string wanted = ascii_lower(unit);
  while (wanted.starts_with(' ')) wanted.erase(0, 1);
  for (const Unit& known : kUnits) {
    const std::string name = ascii_lower(known.name);
    // `k`, `kb`, `kib`, `ki`; a lone letter means the binary unit.
    if (wanted == name ||
        (name.size() == 3 && (wanted == name.substr(0, 1) || wanted == name.substr(0, 2)))) {
      return fmt::format(" (did you mean \"{}{}\"?)", number, known.name);
    }
  }
  return {};
}

}  // namespace

Reading<bool> read_boolean(std::string_view text) {
  if (text == "true") return {true, ""};
  if (text == "false") return {false, ""};
  const std::string word = ascii_lower(text);
  std::string_view meant;
  if (word == "yes" || word == "on" || word == "y" || word == "1" || word == "true") meant = "true";
  if (word == "no" || word == "off" || word == "n" || word == "0" || word == "false") meant = "false";
  return wrong<bool>(fmt::format("must be true or false, not {}{}", in_quotes(text), did_you_mean(meant)));
}

Reading<std::uint64_t> read_count(std::string_view text, Bounds bounds) {
  const auto number = decimal(text);
  if (number && within(*number, bounds)) return {*number, ""};
  const std::string range = fmt::format("must be between {} and {}", bounds.low, bounds.high);
  if (number) return wrong<std::uint64_t>(fmt::format("{}, not {}", range, text));
  return wrong<std::uint64_t>(fmt::format("must be a whole number between {} and {}, not {}{}", bounds.low,
                                          bounds.high, in_quotes(text), number_hint(text)));
}

Reading<double> read_real(std::string_view text, Bounds bounds) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const bool fraction_good = point == text.npos || all_digits(text.substr(point + 1));
  const bool whole_good = all_digits(whole) && (whole.size() == 1 || whole[0] != '0');
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string range = fmt::format("between {} and {}", bounds.low, bounds.high);
  if (!whole_good || !fraction_good) {
    return wrong<double>(fmt::format("must be a number {} like 2 or 0.5, not {}", range, in_quotes(text)));
  }
  const bool fits = error == std::errc() && end == text.data() + text.size();
  if (fits && number >= static_cast<double>(bounds.low) && number <= static_cast<double>(bounds.high)) {
    return {number, ""};
  }
  return wrong<double>(fmt::format("must be {}, not {}", range, in_quotes(text)));
}

Reading<std::optional<Duration>> read_duration(std::string_view text, Bounds bounds, bool off_allowed) {
  using Result = std::optional<Duration>;
  if (text == "off" && off_allowed) return {std::nullopt, ""};
  const std::string_view or_off = off_allowed ? " or off" : "";
  const std::string range = fmt::format("between {} and {}{}", base::duration_text(Duration(bounds.low)),
                                        base::duration_text(Duration(bounds.high)), or_off);
  if (const auto duration = base::parse_duration(text)) {
    if (duration->count() >= bounds.low && duration->count() <= bounds.high) return {*duration, ""};
    return wrong<Result>(fmt::format("must be {}, not {}", range, base::duration_text(*duration)));
  }
  const std::string word = ascii_lower(text);
  if (word == "off" || word == "no" || word == "none" || word == "never" || word == "false") {
    const std::string_view advice = off_allowed ? "write off" : "it cannot be switched off";
    return wrong<Result>(fmt::format("must be {}, not {}: {}", range, in_quotes(text), advice));
  }
  if (text.find_first_not_of("0123456789.") == text.npos && base::parse_duration(std::string(text) + "s")) {
    return wrong<Result>(fmt::format("{} has no unit: write {}s", in_quotes(text), text));
  }
  if (text.starts_with('-')) return wrong<Result>(fmt::format("must be {}, not {}", range, in_quotes(text)));
  return wrong<Result>(
      fmt::format("{} is no duration: write it like 250ms, 10s, 5m, 1h30m or 30d", in_quotes(text)));
}

Reading<std::uint64_t> read_size(std::string_view text, Bounds bounds) {
  using Result = std::uint64_t;
  const std::string range =
      fmt::format("between {} and {}", size_text(static_cast<std::uint64_t>(bounds.low)),
                  size_text(static_cast<std::uint64_t>(bounds.high)));
  const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view unit_name = text.substr(digits);
  const auto number = decimal(text.substr(0, digits));
  const Unit* unit = nullptr;
  for (const Unit& known : kUnits) {
    if (known.name == unit_name) unit = &known;
  }
  if (text == "0") unit = &kUnits[0];
  if (number && unit_name.empty() && unit == nullptr) {
    return wrong<Result>(
        fmt::format("{} has no unit: write {}B, or use KiB, MiB, GiB, KB, MB, GB", in_quotes(text), text));
  }
  if (!number || unit == nullptr) {
    return wrong<Result>(fmt::format("{} is no size: write it like 64KiB, 16MiB or 1GB{}", in_quotes(text),
                                     size_hint(text.substr(0, digits), unit_name)));
  }
  const bool fits = *number <= std::numeric_limits<std::uint64_t>::max() / unit->octets;
  if (fits && within(*number * unit->octets, bounds)) return {*number * unit->octets, ""};
  return wrong<Result>(fmt::format("must be {}, not {}", range, text));
}

Reading<std::size_t> read_choice(std::string_view text, std::span<const std::string_view> choices) {
  std::string list;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text) return {i, ""};
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ", choices[i]);
  }
  return wrong<std::size_t>(
      fmt::format("must be {}, not {}{}", list, in_quotes(text), did_you_mean(nearest(text, choices))));
}

Reading<std::string> read_text(std::string_view text, Bounds bounds) {
  using Result = std::string;
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet < 0x20 || octet == 0x7F) {
      return wrong<Result>(fmt::format("{} has a line end or control character in it", in_quotes(text)));
    }
  }
  if (find_bad_utf8(text) != text.npos) return wrong<Result>(fmt::format("{} is not UTF-8", in_quotes(text)));
  if (text.size() > static_cast<std::size_t>(bounds.high)) {
    return wrong<Result>(fmt::format("has {} octets, which is more than {}", text.size(), bounds.high));
  }
  if (text.size() < static_cast<std::size_t>(bounds.low)) return wrong<Result>("must not be empty");
  return {std::string(text), ""};
}

Reading<std::string> read_file_name(std::string_view text, Bounds bounds) {
  auto reading = read_text(text, bounds);
  if (!reading.wrong.empty()) return reading;
  const auto good = [](char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; };
  if (text.front() != '.' && std::ranges::all_of(text, good)) return reading;
  return wrong<std::string>(
      fmt::format("{} cannot be a part of a file's name: letters, digits, . _ and - can, and no . in front",
                  in_quotes(text)));
}

Reading<std::string> read_parameter(std::string_view text) {
  constexpr std::string_view kNever = "&=#*;+%";
  const std::string_view name = text.ends_with('*') ? text.substr(0, text.size() - 1) : text;
  const auto good = [&](char c) { return c > ' ' && c < 0x7F && kNever.find(c) == kNever.npos; };
  if (!name.empty() && name.size() <= 256 && std::ranges::all_of(name, good)) return {std::string(text), ""};
  return wrong<std::string>(
      fmt::format("{} is no parameter: write its name, like sessionid, or how names begin, like \"utm_*\"",
                  in_quotes(text)));
}

Reading<std::string> read_media_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto good = [](char c) {
    return is_alnum(c) || std::string_view("!#$&-^_.+").find(c) != std::string_view::npos;
  };
  const std::string_view type = text.substr(0, slash);
  const std::string_view subtype = slash == text.npos ? "" : text.substr(slash + 1);
  const bool whole = !type.empty() && !subtype.empty() && text.size() <= 256 &&
                     std::ranges::all_of(type, good) &&
                     (subtype == "*" || std::ranges::all_of(subtype, good));
  if (whole) return {ascii_lower(text), ""};
  return wrong<std::string>(
      fmt::format("{} is no media type: write it like text/html or image/*", in_quotes(text)));
}

Reading<std::string> read_status(std::string_view text) {
  const std::string word = ascii_lower(text);
  const bool first = word.size() == 3 && word[0] >= '1' && word[0] <= '9';
  if (first && (word.substr(1) == "xx" || all_digits(word))) return {word, ""};
  return wrong<std::string>(
      fmt::format("{} is no status: write it like 200, or 4xx for 400 to 499", in_quotes(text)));
}

std::string real_text(double value) {
  std::array<char, 512> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("0");
}

std::string size_text(std::uint64_t octets) {
  if (octets == 0) return "0";
  const Unit* best = &kUnits[0];
  for (const Unit& unit : kUnits) {
    const bool shorter = octets % unit.octets == 0 && octets / unit.octets < octets / best->octets;
    if (shorter) best = &unit;
  }
  return fmt::format("{}{}", octets / best->octets, best->name);
}

}  // namespace config
