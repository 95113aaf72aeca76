#include "crawler/refresh.h"

#include "crawler/html_text.h"

namespace crawler {

std::optional<std::string_view> refresh_target(std::string_view content) {
  content = without_leading_space(content);
  const bool timed = !content.empty() && (is_decimal(content.front()) || content.front() == '.');
  if (!timed) return std::nullopt;
  while (!content.empty() && (is_decimal(content.front()) || content.front() == '.'))
    content.remove_prefix(1);
  if (content.empty()) return std::nullopt;
  const char separator = content.front();
  if (separator != ';' && separator != ',' && !is_html_space(separator)) return std::nullopt;
  content = without_leading_space(content);
  if (!content.empty() && (content.front() == ';' || content.front() == ',')) content.remove_prefix(1);
  content = without_leading_space(content);

  if (same_word(content.substr(0, 3), "url")) {
    const std::string_view rest = without_leading_space(content.substr(3));
    if (rest.starts_with('=')) content = without_leading_space(rest.substr(1));
  }
  if (content.empty()) return std::nullopt;
  const char quote = content.front();
  if (quote == '"' || quote == '\'') {
    content.remove_prefix(1);
    content = content.substr(0, content.find(quote));
  }
  return content;
}

}  // namespace crawler
