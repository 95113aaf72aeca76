// Every key here is what python's surt 0.3.1 makes of the URL.
#include "crawler/surt.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

const std::string k32 = "0123456789abcdef0123456789ABCDEF";
const std::string k24 = "abcdefghijklmnopqrstuvwx";

TEST(Surt, IsTheKeyThatOthersLookUp) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"http://example.com/", "com,example)/"},
      {"http://example.com", "com,example)/"},
      {"https://www.Example.com/", "com,example)/"},
      {"http://www2.example.com/", "com,example)/"},
      {"http://www.com/", "com)/"},
      {"http://wwwx.example.com/", "com,example,wwwx)/"},
      {"http://example.com:8080/A/", "com,example:8080)/a"},
      {"https://example.com:443/a/", "com,example)/a"},
      {"http://example.com:443/", "com,example:443)/"},
      {"http://1.2.3.4/x", "4,3,2,1)/x"},
      {"http://[::1]/x", "::1)/x"},
      {"http://[2001:db8::1]:8080/x", "2001:db8::1:8080)/x"},
      {"http://user:pw@example.com/", "com,example)/"},
      {"http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"},
      {"http://example.com./x", "com,example)/x"},
      {"http://a..b.test/", "test,b,a)/"},
      {"http://localhost/x", "localhost)/x"},
      {"ftp://example.com/x", "com,example)/x"},
      {"http://example.com/%7Ea/%2fb/%41", "com,example)/~a/b/a"},
      {"http://example.com/a//b/../c", "com,example)/a/c"},
      {"http://example.com/caf%C3%A9", "com,example)/caf%c3%a9"},
      {"http://example.com/a b", "com,example)/a%20b"},
      {"http://example.com/%ff", "com,example)/%ff"},
      {"http://example.com/a%00b", "com,example)/a%00b"},
      {"http://example.com/a?b=2&a=1&A=3", "com,example)/a?a=1&a=3&b=2"},
      {"http://example.com/a?", "com,example)/a"},
      {"http://example.com?b", "com,example)/?b"},
      {"http://example.com/a?b=a%26c&a", "com,example)/a?a&b=a&c"},
      {"http://example.com/a?z&a=&a", "com,example)/a?a&a=&z"},
      {"http://example.com/a?b=%252525", "com,example)/a?b=%25"},
      {"http://example.com/a?B=+x%20y", "com,example)/a?b=+x%20y"},
      {"http://example.com/a?q=\"<>|", "com,example)/a?q=\"<>|"},
      {"http://example.com/a?b#c?d", "com,example)/a?b"},
      {"http://example.com/a?a=2&a-b=1", "com,example)/a?a=2&a-b=1"},
      {"dns:www.example.com", "dns:www.example.com"},
      {"urn:uuid:1", "urn:uuid:1"},
  };
  for (const auto& [url, key] : cases) EXPECT_EQ(crawler::surt(url), key) << url;
}

TEST(Surt, LeavesOutSessions) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"?PHPSESSID=" + k32 + "&z=1", "?z=1"},
      {"?z=1&jsessionid=" + k32, "?&z=1"},
      {"?a=1&sid=" + k32 + "&b=2", "?a=1&b=2"},
      {"?a=1&sid=" + k32 + "x&b=2", "?a=1&b=2&sid=0123456789abcdef0123456789abcdefx"},
      {"?jsessionid=" + k32, ""},
      {"?ASPSESSIONIDabcdefgh=" + k24 + "&x", "?x"},
      {"?cfid=1&cftoken=2&x=3", "?x=3"},
      {"?cfid=1&x=3&cftoken=2", "?cfid=1&cftoken=2&x=3"},
  };
  for (const auto& [query, key] : cases) {
    EXPECT_EQ(crawler::surt("http://a.test/p" + query), "test,a)/p" + key) << query;
  }
  EXPECT_EQ(crawler::surt("http://a.test/(S(" + k24 + "))/page.aspx"), "test,a)/page.aspx");
  EXPECT_EQ(crawler::surt("http://a.test/x/(" + k24 + ")/y/page.aspx"), "test,a)/x/y/page.aspx");
  EXPECT_EQ(crawler::surt("http://a.test/(" + k24 + ")/page.html"), "test,a)/(" + k24 + ")/page.html");
}

TEST(Surt, HasNoBlankInItWhateverComesIn) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  for (const std::string& url :
       {"http://a.test/" + all, "http://" + all, all, "http://a.test/?" + all, std::string()}) {
    for (const char c : crawler::surt(url)) {
      EXPECT_GT(c, ' ');
      EXPECT_LT(c, '\x7f');
    }
  }
}

TEST(Surt, UndoesNestedEscapesInOnePass) {
  std::string nested = "%";
  for (int i = 0; i < 1'000'000; ++i) nested += "25";
  EXPECT_EQ(crawler::surt("http://a.test/" + nested), "test,a)/%25");
}

}  // namespace
