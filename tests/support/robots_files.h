#pragma once
// robots.txt files as they are on the web, small, usual and large; for benchmarks and counts.
#include "robots/rules.h"

#include <string>
#include <string_view>

namespace robots_files {

/// Half of the files on the web are shorter than this one, 561 octets.
inline constexpr std::string_view kMedian =
    "# robots.txt of www.example.org\n"
    "User-agent: *\n"
    "Disallow: /wp-admin/\n"
    "Allow: /wp-admin/admin-ajax.php\n"
    "Disallow: /cgi-bin/\n"
    "Disallow: /search\n"
    "Disallow: /*?replytocom=\n"
    "Disallow: /*?sort=\n"
    "Disallow: /trackback/\n"
    "Disallow: /cart/\n"
    "Disallow: /checkout/\n"
    "Disallow: /my-account/\n"
    "Disallow: /tmp/\n"
    "Allow: /tmp/open/\n"
    "Disallow: /*.pdf$\n"
    "Crawl-delay: 2\n"
    "\n"
    "# they ask too much\n"
    "User-agent: AhrefsBot\n"
    "Crawl-delay: 10\n"
    "\n"
    "User-agent: SemrushBot\n"
    "Disallow: /\n"
    "\n"
    "User-agent: MJ12bot\n"
    "Disallow: /\n"
    "\n"
    "Sitemap: https://www.example.org/sitemap_index.xml\n"
    "Sitemap: https://www.example.org/news-sitemap.xml\n";
static_assert(kMedian.size() == 561);

inline constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

/// The i-th word over `alphabet`: aaaa, aaab, …
inline std::string word(std::size_t i, std::size_t size, std::string_view alphabet) {
  std::string out(size, alphabet[0]);
  for (std::size_t k = size; k-- > 0; i /= alphabet.size()) out[k] = alphabet[i % alphabet.size()];
  return out;
}

inline std::string everyone(std::string_view records) {
  return std::string("User-agent: *\n").append(records);
}

/// As many lines as a file may have; `line(i)` writes the i-th.
template <class Line>
std::string full(std::string text, Line line) {
  for (std::size_t i = 0;; ++i) {
    const std::string next = line(i);
    if (text.size() + next.size() > robots::kFileOctetsMax) return text;
    text += next;
  }
}

/// One plain rule after the other, up to the limit of 500 KiB.
inline std::string largest() {
  return full(everyone(""), [](std::size_t i) { return "Disallow: /shop/" + word(i, 12, kLetters) + "/\n"; });
}

/// `count` plain rules.
inline std::string plain_rules(std::size_t count) {
  std::string text = everyone("");
  for (std::size_t i = 0; i < count; ++i) text += "Disallow: /shop/" + word(i, 8, kLetters) + "/\n";
  return text;
}

/// `count` rules of which any may match anywhere.
inline std::string star_rules(std::size_t count) {
  std::string text = everyone("");
  for (std::size_t i = 0; i < count; ++i) text += "Disallow: /*/" + word(i, 8, kLetters) + "/\n";
  return text;
}

}  // namespace robots_files
