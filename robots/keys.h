#pragma once
// The keys of robots.txt and how people misspell them (ROBOTS.md §1, RFC 9309 §2.2.4).
#include <optional>
#include <string_view>

namespace robots {

enum class Key {
  user_agent,
  allow,
  disallow,
  crawl_delay,
  request_rate,
  robot_version,
  visit_time,
  sitemap,
  ignored,  ///< known elsewhere, without effect here: Host, Clean-param, Noindex …
};

/// The key that `name` means; case is ignored. Misspellings count where they can only tighten: `disalow` is a
/// Disallow, `allowed` is nothing.
std::optional<Key> find_key(std::string_view name);

}  // namespace robots
