#include "crawler/admin_http.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace crawler {
namespace {

std::string_view code_of(int status) {
  switch (status) {
    case 400: return "bad_request";
    case 401: return "unauthorized";
    case 403: return "forbidden";
    case 404: return "not_found";
    case 405: return "method_not_allowed";
    case 408: return "timeout";
    case 409: return "conflict";
    case 413: return "too_large";
    case 421: return "misdirected";
    case 431: return "head_too_large";
    case 503: return "busy";
    default: return "internal";
  }
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
      if (low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace

AdminResponse admin_error(int status, std::string_view message) {
  const nlohmann::json body{{"error", {{"code", code_of(status)}, {"message", message}}}};
  return {status, "application/json",
          body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

bool read_target(std::string_view target, AdminRequest& request) {
  if (!target.starts_with('/')) return false;
  const std::size_t mark = target.find('?');
  auto path = decoded(target.substr(0, mark), false);
  if (!path) return false;
  request.path = std::move(*path);
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    auto name = decoded(pair.substr(0, equals), true);
    auto value =
        decoded(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return false;
    if (!request.query.emplace(std::move(*name), std::move(*value)).second) return false;
  }
  return true;
}

bool is_own_host(std::string_view host, std::string_view address, unsigned port) {
  constexpr unsigned kDefaultPort = 80;
  const std::string suffix = ":" + std::to_string(port);
  if (host.ends_with(suffix)) {
    host.remove_suffix(suffix.size());
  } else if (port != kDefaultPort) {
    return false;
  }
  return host == address || host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return different == 0;
}

}  // namespace crawler
