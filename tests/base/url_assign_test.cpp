// Most references are copied as they stand, into memory that may have held another URL.
#include "base/url.h"

#include <gtest/gtest.h>

namespace base {
namespace {

std::string shown(const Result<Url>& url) {
  return url ? std::string(url->text()) : "<" + url.error().message() + ">";
}

TEST(Url, IsReadIntoMemoryThatHeldAnother) {
  const Url base = Url::parse("http://example.com/a/b?c").value();
  Url url;
  EXPECT_EQ(url.assign("https://other.example:8/a/long/path?and=query", base), UrlError::ok);
  EXPECT_EQ(url.assign("x", base), UrlError::ok);
  EXPECT_EQ(url.text(), "http://example.com/a/x");
  EXPECT_EQ(url.origin_text(), "http://example.com");
  EXPECT_EQ(url.assign("http://[", base), UrlError::bad_host);
  EXPECT_TRUE(url.empty());
  EXPECT_EQ(url.target(), "");
  EXPECT_EQ(url.assign("y", base), UrlError::ok);
  EXPECT_EQ(url.text(), "http://example.com/a/y");
}

/// A tab has no meaning, and keeps a reference from being copied as it stands.
TEST(Url, WhatIsCopiedIsWhatReadingGives) {
  const Url base = Url::parse("https://base.example:444/x/y?z").value();
  constexpr std::string_view kReferences[] = {"https://base.example:444/a/b?c#d",
                                              "https://base.example:444/a/../b",
                                              "https://base.example:444",
                                              "https://base.example:444?q",
                                              "https://base.example:4440/",
                                              "https://base.example:444//a",
                                              "https://base.example:444@other.example/",
                                              "https:a/b",
                                              "https:./a",
                                              "https:%2E%2e/a",
                                              "https:?q",
                                              "a/.b",
                                              "a/%2fb",
                                              "a/%2Eb/..",
                                              "a/..b",
                                              "a/..",
                                              "a/b/.",
                                              "..",
                                              ".",
                                              "%2e",
                                              "%2e%2E?a",
                                              "a?b/../c",
                                              "a?../c",
                                              "a\\b",
                                              "a?b\\c",
                                              "a^b",
                                              "a?b^c",
                                              "a'b",
                                              "a?b'c",
                                              "a?b#c^",
                                              "/",
                                              "//",
                                              "///",
                                              "//h",
                                              "//h/.",
                                              "?",
                                              "#",
                                              "a#/..",
                                              "a?b?c",
                                              "/a:../b",
                                              "/a:/../b",
                                              "a;b=c,d",
                                              "a b",
                                              "a?b c",
                                              "a\x7f",
                                              "a?\x80",
                                              "a \x01#b"};
  for (const std::string_view reference : kReferences) {
    std::string tabbed(reference);
    tabbed.insert(1, "\t");
    EXPECT_EQ(shown(Url::resolve(reference, base)), shown(Url::resolve(tabbed, base))) << reference;
  }
}

}  // namespace
}  // namespace base
