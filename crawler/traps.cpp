#include "crawler/traps.h"

#include <algorithm>
#include <array>

namespace crawler {
namespace {

/// Takes the next piece off `text`, up to `end`, which falls away. False when nothing is left.
bool next_piece(std::string_view& text, char end, std::string_view& piece) {
  if (text.empty()) return false;
  const std::size_t at = text.find(end);
  piece = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return true;
}

std::string_view query_of(const base::Url& url) {
  const std::string_view target = url.target();
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::size_t parameters_in(std::string_view query) {
  std::size_t count = 0;
  for (std::string_view piece; next_piece(query, '&', piece);) count += piece.empty() ? 0U : 1U;
  return count;
}

std::size_t segments_in(std::string_view path) {
  const auto slashes = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  return path.ends_with('/') ? slashes - 1 : slashes;
}

/// Whether a part of `path` stands there more than `most` times in a row. For each length of a part, the
/// segments that equal the one so far before them are counted: `length` of them in a row are one repeat.
/// `segments`: of the path. A part that stands there most + 1 times fills as many times its length of them,
/// so that most paths have room for short parts only.
bool repeats(std::string_view path, std::size_t segments, std::uint32_t most) {
  const std::size_t longest = std::min(segments / (std::size_t{most} + 1), kRepeatedPartMax);
  if (longest == 0) return false;
  std::array<std::string_view, kRepeatedPartMax> last{};
  std::array<std::size_t, kRepeatedPartMax> same{};
  path.remove_prefix(1);
  std::size_t number = 0;
  for (std::string_view segment; next_piece(path, '/', segment); ++number) {
    for (std::size_t length = 1; length <= std::min(number, longest); ++length) {
      std::size_t& run = same[length - 1];
      run = last[(number - length) % kRepeatedPartMax] == segment ? run + 1 : 0;
      if (run >= length * most) return true;
    }
    last[number % kRepeatedPartMax] = segment;
  }
  return false;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// The name of `parameter`, decoded into `decoded` when that is needed.
std::string_view name_of(std::string_view parameter, std::string& decoded) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  if (name.find_first_of("%+") == std::string_view::npos) return name;
  decoded.clear();
  for (std::size_t i = 0; i < name.size(); ++i) {
    const int high = name[i] == '%' && i + 2 < name.size() ? hex_value(name[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_value(name[i + 2]);
    if (low >= 0) {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += name[i] == '+' ? ' ' : name[i];
    }
  }
  return decoded;
}

bool named(std::string_view name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
  });
}

}  // namespace

std::string_view to_string(Trap trap) {
  switch (trap) {
    case Trap::long_url: return "long_url";
    case Trap::deep_path: return "deep_path";
    case Trap::repeats: return "repeats";
    case Trap::parameters: return "parameters";
  }
  return "?";
}

std::optional<Trap> trap_of(const base::Url& url, const config::Traps& limits) {
  if (url.text().size() > limits.max_url_length) return Trap::long_url;
  const std::string_view path = url.path();
  const std::size_t segments = segments_in(path);
  if (segments > limits.max_path_segments) return Trap::deep_path;
  if (repeats(path, segments, limits.max_repeats)) return Trap::repeats;
  if (parameters_in(query_of(url)) > limits.max_parameters) return Trap::parameters;
  return std::nullopt;
}

base::Url strip(base::Url url, const std::vector<std::string>& patterns) {
  std::string_view query = query_of(url);
  if (query.empty() || patterns.empty() || parameters_in(query) > kStrippedParametersMax) return url;
  std::string rest;
  std::string decoded;
  bool stripped = false;
  for (std::string_view parameter; next_piece(query, '&', parameter);) {
    if (parameter.empty()) continue;
    if (named(name_of(parameter, decoded), patterns)) {
      stripped = true;
    } else {
      rest.append(rest.empty() ? "?" : "&").append(parameter);
    }
  }
  if (!stripped) return url;
  const std::string_view whole = url.text();
  const std::size_t path_end = url.origin_text().size() + url.path().size();
  return base::Url::parse(std::string(whole.substr(0, path_end)) + rest).value();
}

}  // namespace crawler
