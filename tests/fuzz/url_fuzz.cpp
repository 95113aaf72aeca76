// Input: reference, line feed, base. Whatever they are: a URL that comes out is http(s), canonical, within
// the limit, and read the same from wherever it is found.
#include "base/site.h"
#include "base/url.h"

#include <cstdlib>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_canonical(const base::Url& url) {
  const std::string_view text = url.text();
  check(text.starts_with("http://") || text.starts_with("https://"));
  check(text.size() <= base::kUrlOctetsMax);
  check(url.target().starts_with('/') && url.target().starts_with(url.path()));
  check(!url.host().empty());
  for (const char c : text) check(c > ' ' && c < '\x7F' && c != '#');
  for (const char c : url.host()) check(c != '@' && c != '/' && c != '%' && !(c >= 'A' && c <= 'Z'));

  std::string built(url.secure() ? "https://" : "http://");
  built += url.host();
  if (url.port() != (url.secure() ? 443 : 80)) built += ':' + std::to_string(url.port());
  check(built == url.origin_text() && url.origin().text() == built);
  check(url.origin().host() == url.host() && url.origin().port() == url.port());

  const auto again = base::Url::parse(text);
  check(again && *again == url);
  check(base::partition_of(base::site_of(url.host())) < base::kPartitions);
}

/// Tabs and line ends mean nothing in a reference, and one that has them is never copied as it stands: both
/// ways of reading have to agree.
void check_both_ways(std::string_view reference, const base::Url& base,
                     const base::Result<base::Url>& found) {
  base::Url again = base;  // memory that held another URL
  const base::UrlError error = again.assign(reference, base);
  check(found ? error == base::UrlError::ok && again == *found && again.path() == found->path()
              : error != base::UrlError::ok && again.empty());
  if (reference.size() + 1 > base::kUrlInputOctetsMax) return;
  std::size_t begin = 0;
  while (begin < reference.size() && static_cast<unsigned char>(reference[begin]) <= ' ') ++begin;
  if (begin + 1 >= reference.size()) return;
  std::string tabbed(reference);
  tabbed.insert(begin + 1, 1, '\t');
  const auto slowly = base::Url::resolve(tabbed, base);
  check(found.has_value() == slowly.has_value());
  check(found ? *slowly == *found && slowly->origin() == found->origin() : slowly.error() == found.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  const std::string_view reference = input.substr(0, end);
  const auto base_url =
      base::Url::parse(end == std::string_view::npos ? "https://b.example:8/c/d?e" : input.substr(end + 1));
  const auto absolute = base::Url::parse(reference);
  if (absolute) check_canonical(*absolute);
  if (!base_url) return 0;
  check_canonical(*base_url);

  const auto resolved = base::Url::resolve(reference, *base_url);
  check_both_ways(reference, *base_url, resolved);
  if (!resolved) return 0;
  check_canonical(*resolved);
  check(base::Url::resolve(resolved->text(), *base_url).value() == *resolved);
  if (absolute && absolute->secure() != base_url->secure()) check(*absolute == *resolved);
  const auto only_host = base::Url::resolve("/", *resolved);
  check(only_host && only_host->origin() == resolved->origin() && only_host->target() == "/");
  return 0;
}
