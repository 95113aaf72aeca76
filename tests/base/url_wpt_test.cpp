// Conformance with the URL cases of web-platform-tests (url/resources/urltestdata.json), read from a file
// that is not ours to ship: CRAWLD_WPT names it. We drop user name and fragment and know no scheme but http
// and https, so the expectations are cut accordingly.
#include "base/url.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace base {
namespace {

using nlohmann::json;

/// The cases have surrogates without a partner, which are no JSON text; a browser reads them as U+FFFD.
std::string without_lone_surrogates(std::string text) {
  const auto unit = [&](std::size_t at) {
    return at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u'
               ? std::strtoul(text.substr(at + 2, 4).c_str(), nullptr, 16)
               : 0UL;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const unsigned long first = unit(i);
    if (first >= 0xD800 && first < 0xDC00 && unit(i + 6) >= 0xDC00 && unit(i + 6) < 0xE000) {
      i += 11;
    } else if (first >= 0xD800 && first < 0xE000) {
      text.replace(i + 2, 4, "FFFD");
      i += 5;
    } else {
      ++i;
    }
  }
  return text;
}

bool is_http(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

std::string field(const json& row, const char* name) {
  const auto found = row.find(name);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Without fragment and user name. The expectation is a normal form: its authority ends at the first slash.
std::string expected_text(std::string href) {
  href.resize(std::min(href.find('#'), href.size()));
  const std::size_t authority = href.find("//") + 2;
  const std::size_t at = href.rfind('@', href.find('/', authority));
  if (at != std::string::npos && at >= authority) href.erase(authority, at + 1 - authority);
  return href;
}

Result<Url> read_row(const json& row) {
  const std::string base = field(row, "base");
  if (!is_http(base)) return Url::parse(field(row, "input"));
  const auto document = Url::parse(base);
  if (!document) return document.error();
  return Url::resolve(field(row, "input"), *document);
}

TEST(UrlConformance, AllHttpRowsOfWebPlatformTestsAgree) {
  const char* path = std::getenv("CRAWLD_WPT");
  if (path == nullptr)
    GTEST_SKIP() << "CRAWLD_WPT is not set: point it at urltestdata.json to measure conformance";
  std::ifstream file(path);
  ASSERT_TRUE(file) << "cannot read " << path;
  std::stringstream text;
  text << file.rdbuf();

  std::size_t read = 0;
  std::size_t refused = 0;
  std::size_t foreign = 0;
  for (const json& row : json::parse(without_lone_surrogates(text.str()))) {
    if (!row.is_object()) continue;
    const auto url = read_row(row);
    const std::string href = field(row, "href");
    if (!is_http(href)) {
      EXPECT_FALSE(url.has_value()) << row.dump() << "\n  ours: " << url->text();
      ++(row.contains("failure") ? refused : foreign);
      continue;
    }
    ++read;
    EXPECT_EQ(url ? url->text() : "refused", expected_text(href)) << row.dump();
  }
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 100U);
  std::cout << "rows with an http(s) URL: " << read << ", with a failure: " << refused
            << ", with another scheme (refused by us): " << foreign << "\n";
}

}  // namespace
}  // namespace base
