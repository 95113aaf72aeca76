#include "config/json_text.h"

#include "base/escape.h"

namespace config {

std::string json_string(std::string_view text) {
  return base::json_quoted(text, text.size());
}

std::string json_object(const JsonMembers& members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (text.size() > 1) text += ',';
    text.append(json_string(name)).append(":").append(value);
  }
  return text + '}';
}

std::string json_array(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ',';
    text += item;
  }
  return text + ']';
}

}  // namespace config
