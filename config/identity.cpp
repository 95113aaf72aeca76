#include "config/identity.h"

#include "config/ascii.h"
#include "config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace config {
namespace {

constexpr std::size_t kTokenOctetsMax = 64;
constexpr std::size_t kLocalPartOctetsMax = 64;  // RFC 5321 §4.5.3.1.1
constexpr std::size_t kDomainOctetsMax = 253;
constexpr std::size_t kLabelOctetsMax = 63;

/// `host` is `name` or a subdomain of it.
bool belongs_to(std::string_view host, std::string_view name) {
  return host == name || (host.ends_with(name) && host[host.size() - name.size() - 1] == '.');
}

/// RFC 5321 without quoted local parts and address literals: what real people write.
bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == text.npos || at == 0 || at > kLocalPartOctetsMax) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  constexpr std::string_view kSymbols = ".!#$%&'*+/=?^_`{|}~-";
  const bool local_good = std::all_of(local.begin(), local.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || kSymbols.find(c) != kSymbols.npos;
  });
  if (!local_good || local.starts_with('.') || local.ends_with('.') || local.find("..") != local.npos)
    return false;
  if (domain.empty() || domain.size() > kDomainOctetsMax) return false;
  for (std::size_t start = 0; start <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', start), domain.size());
    const std::string_view label = domain.substr(start, end - start);
    const bool good = std::all_of(label.begin(), label.end(),
                                  [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
    if (!good || label.empty() || label.size() > kLabelOctetsMax || label.starts_with('-') ||
        label.ends_with('-'))
      return false;
    start = end + 1;
  }
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  return !std::all_of(last.begin(), last.end(), is_digit);
}

bool is_web(std::string_view text) {
  const std::string scheme = ascii_lower(text.substr(0, 8));
  return scheme.starts_with("http://") || scheme.starts_with("https://");
}

/// The host of a contact that has passed read_contact()'s checks of form, in lower case, without a final dot.
std::string host_of(std::string_view contact) {
  std::string host;
  if (is_web(contact)) {
    const auto url = base::Url::parse(contact);
    if (url.has_value()) host = url->host();
  } else {
    host = ascii_lower(contact.substr(contact.find('@') + 1));
  }
  if (host.ends_with('.')) host.pop_back();
  return host;
}

/// Why nobody can be reached at `host`; empty when somebody may be.
std::string unreachable_because(std::string_view host) {
  for (const std::string_view reserved : {"example.com", "example.org", "example.net", "example"}) {
    if (belongs_to(host, reserved)) return fmt::format("{} is a name for examples", reserved);
  }
  if (belongs_to(host, "localhost")) return "localhost is another machine for everyone else";
  std::string_view bare = host;
  if (bare.starts_with('[')) bare = bare.substr(1, bare.size() - 2);
  if (const auto address = base::IpAddress::parse(bare)) {
    for (const std::string_view text : {"127.0.0.0/8", "0.0.0.0/8", "::/127"}) {
      const auto range = base::Cidr::parse(text);
      if (range && range->contains(*address))
        return fmt::format("{} is another machine for everyone else", bare);
    }
    return {};
  }
  if (host.find('.') == host.npos) return fmt::format("{} is no full host name", in_quotes(host));
  return {};
}

}  // namespace

Reading<std::string> read_token(std::string_view text) {
  constexpr std::string_view kWhy =
      "a product token is made of letters, _ and - only (RFC 9309 section 2.2.1)";
  if (text == "*") return {"", "\"*\" is every crawler's token: name this one"};
  if (text.size() > kTokenOctetsMax)
    return {"", fmt::format("{} is longer than {} octets", in_quotes(text), kTokenOctetsMax)};
  const bool good = !text.empty() && std::all_of(text.begin(), text.end(),
                                                 [](char c) { return is_letter(c) || c == '_' || c == '-'; });
  if (!good) return {"", fmt::format("{} cannot be a token: {}", in_quotes(text), kWhy)};
  return {std::string(text), ""};
}

Reading<std::string> read_contact(std::string_view text, Bounds bounds) {
  const auto refused = [&](std::string_view why) {
    return Reading<std::string>{"", fmt::format("{} {}", in_quotes(text), why)};
  };
  constexpr std::string_view kForm =
      "is neither an http(s) URL nor a mail address: it is sent with every request, so that site owners can "
      "reach you";
  if (ascii_lower(text).starts_with("mailto:"))
    return refused("is a mailto: link: write the mail address alone");
  const bool header_safe = std::all_of(text.begin(), text.end(), [](char c) {
    return is_printable(c) && c != ' ' && c != '(' && c != ')' && c != '\\' && c != '"';
  });
  if (!header_safe) {
    return refused(
        "has blanks, parentheses, quotes, backslashes or characters outside ASCII in it: it goes into a "
        "header");
  }
  if (is_web(text)) {
    const auto url = base::Url::parse(text);
    if (!url.has_value()) return refused(fmt::format("is not a valid URL: {}", url.error().message()));
    const std::size_t authority = text.find_first_not_of('/', text.find(':') + 1);
    if (text.substr(authority, text.find_first_of("/?#", authority) - authority).find('@') != text.npos) {
      return refused("has a user name in it, which every site would see");
    }
  } else if (!is_mail_address(text)) {
    return refused(kForm);
  }
  const std::string why = unreachable_because(host_of(text));
  if (!why.empty())
    return refused(fmt::format("reaches nobody ({}): site owners must be able to reach you", why));
  return read_text(text, bounds);
}

Reading<std::string> read_user_agent(std::string_view text, Bounds bounds) {
  if (!std::all_of(text.begin(), text.end(), is_printable)) {
    return {"", fmt::format("{} has characters other than printable ASCII in it", in_quotes(text))};
  }
  if (text.starts_with(' ') || text.ends_with(' ')) return {"", "must not begin or end with a blank"};
  return read_text(text, bounds);
}

std::string wrong_user_agent(const Agent& agent) {
  if (agent.user_agent.empty() || agent.tokens.empty()) return {};
  if (ascii_lower(agent.user_agent).find(ascii_lower(agent.tokens.front())) != std::string::npos) return {};
  return fmt::format(
      "must contain the first of agent.tokens, \"{}\", so that site owners know what to write in robots.txt",
      agent.tokens.front());
}

bool unreachable_contact(std::string_view contact) {
  const std::string host = host_of(contact);
  const auto is_in = [&](std::string_view name) { return belongs_to(host, name); };
  constexpr std::array<std::string_view, 4> kPrivate{"invalid", "test", "local", "internal"};
  return std::any_of(kPrivate.begin(), kPrivate.end(), is_in);
}

}  // namespace config
