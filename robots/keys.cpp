#include "robots/keys.h"

#include <algorithm>
#include <array>

namespace robots {
namespace {

struct Name {
  std::string_view text;
  Key key;
};

constexpr auto kNames = std::to_array<Name>({
    {"Disallow", Key::disallow},  // the most frequent ones first, as they are usually written
    {"User-agent", Key::user_agent},
    {"Allow", Key::allow},
    {"Sitemap", Key::sitemap},
    {"Crawl-delay", Key::crawl_delay},
    {"Request-rate", Key::request_rate},
    {"Visit-time", Key::visit_time},
    {"Robot-version", Key::robot_version},
    {"host", Key::ignored},
    {"clean-param", Key::ignored},
    {"noindex", Key::ignored},
    {"nofollow", Key::ignored},
    {"noarchive", Key::ignored},
    {"comment", Key::ignored},
    {"cache-delay", Key::ignored},
    {"content-signal", Key::ignored},
    // Misspellings. None of Allow, and none of Request-rate and Robot-version, which may loosen.
    {"disallowed", Key::disallow},
    {"disallows", Key::disallow},
    {"disalow", Key::disallow},
    {"disalowed", Key::disallow},
    {"dissallow", Key::disallow},
    {"dissalow", Key::disallow},
    {"dissallowed", Key::disallow},
    {"disallaw", Key::disallow},
    {"diasllow", Key::disallow},
    {"diallow", Key::disallow},
    {"disllow", Key::disallow},
    {"disalllow", Key::disallow},
    {"dissalllow", Key::disallow},
    {"dissllow", Key::disallow},
    {"disallo", Key::disallow},
    {"disalloww", Key::disallow},
    {"desallow", Key::disallow},
    {"dis-allow", Key::disallow},
    {"dis allow", Key::disallow},
    {"useragent", Key::user_agent},
    {"user agent", Key::user_agent},
    {"user_agent", Key::user_agent},
    {"user-agents", Key::user_agent},
    {"useragents", Key::user_agent},
    {"users-agent", Key::user_agent},
    {"user-agnet", Key::user_agent},
    {"user-agen", Key::user_agent},
    {"ser-agent", Key::user_agent},
    {"useg-agent", Key::user_agent},
    {"crawldelay", Key::crawl_delay},
    {"crawl delay", Key::crawl_delay},
    {"crawl_delay", Key::crawl_delay},
    {"crawl-delays", Key::crawl_delay},
    {"craw-delay", Key::crawl_delay},
    {"site-map", Key::sitemap},
    {"site map", Key::sitemap},
    {"site_map", Key::sitemap},
    {"sitemaps", Key::sitemap},
    {"site-maps", Key::sitemap},
});

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Nearly all files write a name as kNames does.
bool same(std::string_view a, std::string_view b) {
  return a == b || std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::optional<Key> find_key(std::string_view name) {
  for (const Name& known : kNames) {
    if (same(name, known.text)) return known.key;
  }
  return std::nullopt;
}

}  // namespace robots
