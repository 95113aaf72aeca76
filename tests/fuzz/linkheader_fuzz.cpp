// A Link header as it comes: links are canonical and within the limits; a line of its own adds its link to
// those in front.
#include "crawler/links.h"

#include <cstdlib>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::Url url = base::Url::parse("http://h/a/b?c").value();
  const std::string value(reinterpret_cast<const char*>(data), size);
  const auto links = crawler::read_link_header(value, url);
  check(links.size() <= crawler::kLinkHeaderLinksMax);
  for (const crawler::Link& link : links) check(base::Url::parse(link.url.text()).value() == link.url);
  const std::string line = "\n</last>; rel=\"x next\"";
  if (links.size() == crawler::kLinkHeaderLinksMax || size + line.size() > crawler::kLinkHeaderOctetsMax)
    return 0;
  const auto more = crawler::read_link_header(value + line, url);
  check(more.size() == links.size() + 1 && more.back().url.target() == "/last");
  check(more.back().kind == crawler::LinkKind::next && !more.back().nofollow);
  return 0;
}
