#include "crawler/media_type.h"

#include <algorithm>

namespace crawler {

std::string media_type(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find_first_of(";,"));
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!type.empty() && is_blank(type.front())) type.remove_prefix(1);
  while (!type.empty() && is_blank(type.back())) type.remove_suffix(1);
  const auto is_good = [](char c) {
    const auto octet = static_cast<unsigned char>(c);
    return octet > 0x20 && octet < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>';
  };
  const bool good = !type.empty() && type.size() <= kMediaTypeOctetsMax &&
                    std::ranges::count(type, '/') == 1 && std::ranges::all_of(type, is_good);
  if (!good) return {};
  std::string out(type);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace crawler
