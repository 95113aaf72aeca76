#include "crawler/srcset.h"

#include "crawler/html_text.h"

namespace crawler {
namespace {

/// Up to and with the next comma outside of parentheses.
void skip_descriptors(std::string_view& text) {
  bool inside = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(') inside = true;
    if (text[at] == ')') inside = false;
    if (text[at] == ',' && !inside) break;
  }
  text.remove_prefix(at);
}

}  // namespace

std::string_view take_image_candidate(std::string_view& text) {
  while (!text.empty() && (is_html_space(text.front()) || text.front() == ',')) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !is_html_space(text[end])) ++end;
  std::string_view url = text.substr(0, end);
  text.remove_prefix(end);
  if (!url.ends_with(',')) {
    skip_descriptors(text);
    return url;
  }
  while (url.ends_with(',')) url.remove_suffix(1);
  return url;
}

}  // namespace crawler
