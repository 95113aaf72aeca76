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
  if (!resolved) return 0;
  check_canonical(*resolved);
  check(base::Url::resolve(resolved->text(), *base_url).value() == *resolved);
  if (absolute && absolute->secure() != base_url->secure()) check(*absolute == *resolved);
  const auto only_host = base::Url::resolve("/", *resolved);
  check(only_host && only_host->origin() == resolved->origin() && only_host->target() == "/");
  return 0;
}
