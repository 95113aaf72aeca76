#include "crawler/surt.h"

#include "crawler/html_text.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace crawler {
namespace {

int hex_value(char c) {
  if (is_decimal(c)) return c - '0';
  const char low = lowered(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/// Undoes percent-encoding until there is none left. Linear: an escape that comes to be out of what others
/// stood for ends at the octet just written.
std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out += c;
    while (out.size() >= 3 && out[out.size() - 3] == '%') {
      const int high = hex_value(out[out.size() - 2]);
      const int low = hex_value(out.back());
      if (high < 0 || low < 0) break;
      out.resize(out.size() - 3);
      out += static_cast<char>(high << 4 | low);
    }
  }
  return out;
}

/// In lower case, with everything but printable ASCII, and `#` and `%`, escaped.
std::string escaped_low(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet > 0x20 && octet < 0x7f && c != '#' && c != '%') {
      out += lowered(c);
    } else {
      out += '%';
      out += kDigits[octet >> 4U];
      out += kDigits[octet & 15U];
    }
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

template <class Part>
std::string joined(const std::vector<Part>& parts, char between) {
  std::string out;
  for (const Part& part : parts) {
    if (&part != &parts.front()) out += between;
    out += part;
  }
  return out;
}

std::string host_key(std::string_view host, std::string_view scheme) {
  std::string port;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
    port.erase(0, port.find_first_not_of('0'));
    if ((scheme == "http" && port == "80") || (scheme == "https" && port == "443")) port.clear();
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::string name = escaped_low(unescaped(host));
  std::string_view rest = name;
  if (rest.starts_with("www")) {
    rest.remove_prefix(3);
    while (!rest.empty() && is_decimal(rest.front())) rest.remove_prefix(1);
    rest = rest.starts_with('.') ? rest.substr(1) : std::string_view(name);
  }
  auto labels = split(rest, '.');
  std::erase(labels, std::string_view());
  std::reverse(labels.begin(), labels.end());
  std::string out = joined(labels, ',');
  if (!port.empty()) out += ':' + escaped_low(port);
  return out + ')';
}

/// Letters and digits of a session id of ASP.NET.
constexpr std::size_t kAspDigits = 24;

bool has_asp_digits(std::string_view text) {
  return text.size() >= kAspDigits && std::all_of(text.begin(), text.begin() + kAspDigits,
                                                  [](char c) { return is_letter(c) || is_decimal(c); });
}

/// Length of a session id of ASP.NET and its slash at the head of `text`: `(S(…)X(…))/` when it is `named`,
/// else
/// `(…)/`; 0 when there is none.
std::size_t asp_session(std::string_view text, bool named) {
  std::size_t at = 1;
  if (named) {
    while (at + 1 < text.size() && is_letter(text[at]) && text[at + 1] == '(' &&
           has_asp_digits(text.substr(at + 2)) && text.substr(at + 2 + kAspDigits).starts_with(')')) {
      at += kAspDigits + 3;
    }
  } else if (has_asp_digits(text.substr(at))) {
    at += kAspDigits;
  }
  return at > 1 && text.substr(at).starts_with(")/") ? at + 2 : 0;
}

/// Takes the last of its kind out of `path`.
void drop_path_session(std::string& path, bool named) {
  for (std::size_t at = path.rfind("/("); at != std::string::npos; at = path.rfind("/(", at - 1)) {
    const std::string_view text = std::string_view(path).substr(at + 1);
    const std::size_t length = asp_session(text, named);
    // A page has to follow: at least one octet, then .aspx, and no question mark before it.
    if (length > 0 &&
        text.substr(length, text.find('?') - length).find(".aspx", 1) != std::string_view::npos) {
      path.erase(at + 1, length);
      return;
    }
    if (at == 0) return;
  }
}

std::string path_key(std::string_view path) {
  std::vector<std::string> kept;
  const std::string plain = unescaped(path);
  for (const std::string_view part : split(plain, '/')) {
    if (part == "..") {
      // Above the root there is nothing; the first of them is kept, as others do.
      if (kept.size() > 1)
        kept.pop_back();
      else
        kept.emplace_back(part);
    } else if (part != "." || kept.empty()) {
      kept.emplace_back(part);
    }
  }
  std::string out = "/";
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i].empty()) continue;
    if (out.size() > 1) out += '/';
    out += kept[i];
  }
  if (kept.size() > 1 && kept.back().empty() && out.size() > 1) out += '/';
  out = escaped_low(out);
  drop_path_session(out, true);
  drop_path_session(out, false);
  if (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

/// Length of what a session id is at the head of `text`, up to `&` or the end; nothing when it is none.
using SessionAt = std::optional<std::size_t> (*)(std::string_view text);

template <std::size_t kCount>
bool has_word(std::string_view text, bool digits) {
  return text.size() >= kCount && std::all_of(text.begin(), text.begin() + kCount, [digits](char c) {
           return is_letter(c) || (digits && is_decimal(c));
         });
}

template <std::size_t kNameLength>
std::optional<std::size_t> id_of_32(std::string_view text, const char (&name)[kNameLength]) {
  constexpr std::size_t kName = kNameLength - 1;
  if (!text.starts_with(name) || !has_word<32>(text.substr(kName), true)) return std::nullopt;
  return kName + 32;
}

std::optional<std::size_t> asp_id(std::string_view text) {
  constexpr std::string_view kName = "aspsessionid";
  if (!text.starts_with(kName) || !has_word<8>(text.substr(kName.size()), false)) return std::nullopt;
  const std::string_view rest = text.substr(kName.size() + 8);
  if (!rest.starts_with('=') || !has_word<24>(rest.substr(1), false)) return std::nullopt;
  return kName.size() + 8 + 1 + 24;
}

std::optional<std::size_t> cold_fusion_id(std::string_view text) {
  constexpr std::string_view kToken = "&cftoken=";
  if (!text.starts_with("cfid=")) return std::nullopt;
  const std::size_t end = text.find('&');
  if (end == std::string_view::npos || end == 5 || !text.substr(end).starts_with(kToken)) return std::nullopt;
  const std::size_t length = std::min(text.find('&', end + 1), text.size());
  if (length == end + kToken.size()) return std::nullopt;
  return length;
}

/// Takes the last of its kind out of `query`.
void drop_session(std::string& query, SessionAt session_at) {
  for (std::size_t at = query.size(); at-- > 0;) {
    const auto length = session_at(std::string_view(query).substr(at));
    if (!length) continue;
    const std::size_t end = at + *length;
    if (end < query.size() && query[end] != '&') continue;
    query.erase(at, std::min(*length + 1, query.size() - at));
    return;
  }
}

std::string query_key(std::string_view text) {
  std::string query = escaped_low(unescaped(text));
  drop_session(query, [](std::string_view at) { return id_of_32(at, "jsessionid="); });
  drop_session(query, [](std::string_view at) { return id_of_32(at, "phpsessid="); });
  drop_session(query, [](std::string_view at) { return id_of_32(at, "sid="); });
  drop_session(query, asp_id);
  drop_session(query, cold_fusion_id);
  if (query.empty()) return {};
  auto parameters = split(query, '&');
  // By name, then by value; a name without `=` comes before the same with.
  std::sort(parameters.begin(), parameters.end(), [](std::string_view a, std::string_view b) {
    const std::string_view a_name = a.substr(0, a.find('='));
    const std::string_view b_name = b.substr(0, b.find('='));
    return a_name != b_name ? a_name < b_name : a < b;
  });
  return '?' + joined(parameters, '&');
}

}  // namespace

std::string surt(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == 0 || colon == std::string_view::npos || colon > url.find('/')) return escaped_low(url);
  std::string scheme(url.substr(0, colon));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), lowered);
  std::string_view rest = url.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(authority.size());
  const std::string_view path = rest.substr(0, rest.find('?'));
  rest.remove_prefix(path.size());
  const std::size_t user = authority.rfind('@');
  const std::string_view host = user == std::string_view::npos ? authority : authority.substr(user + 1);
  return host_key(host, scheme) + path_key(path) + (rest.empty() ? "" : query_key(rest.substr(1)));
}

}  // namespace crawler
