#include "base/url.h"

#include "base/idn.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <iterator>

namespace base {
namespace {

/// The normal form, or the reason in brackets.
std::string shown(const Result<Url>& url) {
  return url ? std::string(url->text()) : "<" + url.error().message() + ">";
}
std::string parsed(std::string_view input) {
  return shown(Url::parse(input));
}
std::string resolved(std::string_view reference, std::string_view base) {
  return shown(Url::resolve(reference, Url::parse(base).value()));
}
UrlError error_of(std::string_view input) {
  const auto url = Url::parse(input);
  return url ? UrlError::ok : static_cast<UrlError>(url.error().value());
}

struct Pair {
  std::string_view input;
  std::string_view expected;
};

TEST(Url, ReadsAbsoluteUrlsAsBrowsersDo) {
  for (const auto& [input, expected] : std::initializer_list<Pair>{
           {"http://example.com", "http://example.com/"},
           {"HTTPS://Example.COM:443/A?B#c", "https://example.com/A?B"},
           {"http://example.com:443/", "http://example.com:443/"},
           {"http://example.com:00080/", "http://example.com/"},
           {"http://example.com:/x", "http://example.com/x"},
           {"  \t http://example.com/a \r\n", "http://example.com/a"},
           {"ht\ntp://exam\tple.com/a\r\nb", "http://example.com/ab"},
           {"http:\\\\example.com\\a\\b?c\\d", "http://example.com/a/b?c\\d"},
           {"http:example.com/x", "http://example.com/x"},
           {"http:/example.com/x", "http://example.com/x"},
           {"http://////example.com///x", "http://example.com///x"},
           {"http://example.com?q", "http://example.com/?q"},
           {"http://example.com/?", "http://example.com/?"},
           {"http://example.com/#", "http://example.com/"},
           {"http://example.com#?/@x", "http://example.com/"},
           {"http://a_b.example/", "http://a_b.example/"},
           {"http://-bad-.example./", "http://-bad-.example./"},
           {"http://a..b/", "http://a..b/"},
       }) {
    EXPECT_EQ(parsed(input), expected) << input;
  }
}

TEST(Url, DropsUserNameAndPassword) {
  EXPECT_EQ(parsed("http://user:secret@example.com/"), "http://example.com/");
  EXPECT_EQ(parsed("http://a@b@c:81/@d"), "http://c:81/@d");
  EXPECT_EQ(parsed("http://evil.example:80\\@good.example/"), "http://evil.example/@good.example/");
  EXPECT_EQ(parsed("http://user@/"), "<invalid host>");
}

TEST(Url, RemovesDotSegmentsInAllSpellings) {
  for (const auto& [input, expected] : std::initializer_list<Pair>{
           {"/a/./b", "/a/b"},
           {"/a/../b", "/b"},
           {"/../../b", "/b"},
           {"/a/b/..", "/a/"},
           {"/a/b/.", "/a/b/"},
           {"/a//..", "/a/"},
           {"/%2e%2E/%2e./.%2e/x/%2e/y", "/x/y"},
           {"/.../..a/a..", "/.../..a/a.."},
           {"/%2e%2e%2e", "/%2e%2e%2e"},
           {"/%2ea/%2", "/%2ea/%2"},
           {"/a/..?../b", "/?../b"},
       }) {
    EXPECT_EQ(parsed("http://h" + std::string(input)), "http://h" + std::string(expected)) << input;
  }
}

TEST(Url, EncodesWhatPathAndQueryMayNotHoldAndKeepsTheRest) {
  EXPECT_EQ(parsed("http://h/ \"<>^`{}|'[]"), "http://h/%20%22%3C%3E%5E%60%7B%7D|'[]");
  EXPECT_EQ(parsed("http://h/? \"<>^`{}|'[]"), "http://h/?%20%22%3C%3E^`{}|%27[]");
  EXPECT_EQ(parsed("http://h/%7e%zz%?%7e%zz%"), "http://h/%7e%zz%?%7e%zz%");
  EXPECT_EQ(parsed("http://h/\u00E9?\u00E9"), "http://h/%C3%A9?%C3%A9");
  EXPECT_EQ(parsed("http://h/\xE9\x7F"), "http://h/%E9%7F") << "octets that are no UTF-8 stay themselves";
  EXPECT_EQ(parsed(std::string_view("http://h/a\0b", 12)), "http://h/a%00b");
}

TEST(Url, ResolvesReferences) {
  constexpr std::string_view kBase = "http://h:81/a/b/c?q";
  for (const auto& [input, expected] : std::initializer_list<Pair>{
           {"", "http://h:81/a/b/c?q"},
           {"#x", "http://h:81/a/b/c?q"},
           {"d", "http://h:81/a/b/d"},
           {"?x", "http://h:81/a/b/c?x"},
           {"?", "http://h:81/a/b/c?"},
           {".", "http://h:81/a/b/"},
           {"..", "http://h:81/a/"},
           {"../../../d", "http://h:81/d"},
           {"/d", "http://h:81/d"},
           {"\\d", "http://h:81/d"},
           {"//i", "http://i/"},
           {"\\\\i\\j", "http://i/j"},
           {"/\\i", "http://i/"},
           {"http:d", "http://h:81/a/b/d"},
           {"http:/d", "http://h:81/d"},
           {"http:?x", "http://h:81/a/b/c?x"},
           {"https:d", "https://d/"},
           {"a:b", "<scheme is neither http nor https>"},
           {"1a:b", "http://h:81/a/b/1a:b"},
           {":b", "http://h:81/a/b/:b"},
           {"a/b:c", "http://h:81/a/b/a/b:c"},
           {"//", "<invalid host>"},
           {"http://", "<invalid host>"},
       }) {
    EXPECT_EQ(resolved(input, kBase), expected) << input;
  }
}

TEST(Url, MayResolveIntoItsOwnBase) {
  Url url = Url::parse("http://h/a/b").value();
  url = Url::resolve("../c", url).value();
  EXPECT_EQ(url.text(), "http://h/c");
}

TEST(Url, TellsWhyItRefuses) {
  EXPECT_EQ(error_of("/a"), UrlError::no_scheme);
  EXPECT_EQ(error_of(""), UrlError::no_scheme);
  EXPECT_EQ(error_of("example.com"), UrlError::no_scheme);
  EXPECT_EQ(error_of("ftp://example.com/"), UrlError::not_http);
  EXPECT_EQ(error_of("httpss://example.com/"), UrlError::not_http);
  EXPECT_EQ(error_of("javascript:alert(1)"), UrlError::not_http);
  EXPECT_EQ(error_of("http://"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://:80/"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://a b/"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://a%00b/"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://h:x/"), UrlError::bad_port);
  EXPECT_EQ(error_of("http://h:-1/"), UrlError::bad_port);
  EXPECT_EQ(make_error_code(UrlError::bad_port).message(), "invalid port");
}

TEST(Url, PortsEndAt65535) {
  EXPECT_EQ(parsed("http://h:65535/"), "http://h:65535/");
  EXPECT_EQ(error_of("http://h:65536/"), UrlError::bad_port);
  EXPECT_EQ(error_of("http://h:4294967376/"), UrlError::bad_port) << "no wrap around";
  EXPECT_EQ(Url::parse("http://h:0/")->port(), 0);
}

TEST(Url, IsNeverLongerThanItsLimit) {
  const std::string prefix = "http://h/";
  EXPECT_EQ(error_of(prefix + std::string(kUrlOctetsMax - prefix.size(), 'a')), UrlError::ok);
  EXPECT_EQ(error_of(prefix + std::string(kUrlOctetsMax - prefix.size() + 1, 'a')), UrlError::too_long);
  const std::size_t spaces = (kUrlOctetsMax - prefix.size() - 1) / 3;
  EXPECT_EQ(error_of(prefix + std::string(spaces, '\x01') + "a"), UrlError::ok) << "counts the encoded form";
  EXPECT_EQ(error_of(prefix + std::string(spaces + 1, '\x01') + "a"), UrlError::too_long);
}

TEST(Url, LooksAtABoundedInputAndCountsOnlyWhatStays) {
  const std::string url = "http://h/#";
  EXPECT_EQ(error_of(url + std::string(kUrlInputOctetsMax - url.size(), 'a')), UrlError::ok);
  EXPECT_EQ(error_of(url + std::string(kUrlInputOctetsMax - url.size() + 1, 'a')), UrlError::too_long);
  std::string climbing = "http://h/";
  while (climbing.size() < 2 * kUrlOctetsMax) climbing += "a/../";
  EXPECT_EQ(parsed(climbing), "http://h/");
  const Url base = Url::parse("http://h/" + std::string(kUrlOctetsMax - 20, 'a') + "/").value();
  EXPECT_TRUE(Url::resolve(std::string(10, 'b'), base));
  EXPECT_FALSE(Url::resolve(std::string(11, 'b'), base));
}

TEST(Url, GivesItsParts) {
  const Url url = Url::parse("https://u@Example.com:8443/a/b?c?d#e").value();
  EXPECT_TRUE(url.secure());
  EXPECT_EQ(url.host(), "example.com");
  EXPECT_EQ(url.port(), 8443);
  EXPECT_EQ(url.path(), "/a/b");
  EXPECT_EQ(url.target(), "/a/b?c?d");
  EXPECT_EQ(url.origin_text(), "https://example.com:8443");
  EXPECT_EQ(url.origin().text(), "https://example.com:8443");
  EXPECT_EQ(url.origin().host(), "example.com");
  EXPECT_EQ(url.origin().port(), 8443);
  EXPECT_TRUE(url.origin().secure());
  EXPECT_EQ(Url::parse("http://h")->port(), 80);
  EXPECT_EQ(Url::parse("https://h")->origin().port(), 443);
  EXPECT_EQ(Url::parse("http://[::1]")->host(), "[::1]");
  EXPECT_EQ(Url::parse("http://[::1]")->port(), 80);
  EXPECT_EQ(Url::parse("http://[::1]:8080")->port(), 8080);
  EXPECT_EQ(Url::parse("http://[::1]:8080")->origin().host(), "[::1]");
}

TEST(Url, AnEmptyOneHasEmptyParts) {
  const Url url;
  EXPECT_TRUE(url.empty());
  EXPECT_EQ(url.host(), "");
  EXPECT_EQ(url.path(), "");
  EXPECT_EQ(Origin().host(), "");
}

TEST(Url, EqualTextIsEqualUrlAndOrigin) {
  EXPECT_EQ(Url::parse("http://H/a#1").value(), Url::parse("http://h:80/./a#2").value());
  EXPECT_NE(Url::parse("http://h/a").value(), Url::parse("https://h/a").value());
  EXPECT_EQ(Url::parse("http://h/a")->origin(), Url::parse("http://h/b")->origin());
  EXPECT_NE(Url::parse("http://h/")->origin(), Url::parse("http://h:81/")->origin());
}

TEST(UrlHost, Ipv4IsReadInEverySpelling) {
  for (const std::string_view host :
       {"127.0.0.1", "0x7f.1", "017700000001", "2130706433", "0x7F000001", "127.1", "127.0.1",
        "0177.0.0x0.01", "127.0.0.1.", "%31%32%37.1", "\uFF11\uFF12\uFF17.1"}) {
    EXPECT_EQ(parsed("http://" + std::string(host) + "/"), "http://127.0.0.1/") << host;
  }
  EXPECT_EQ(parsed("http://4294967295/"), "http://255.255.255.255/");
  EXPECT_EQ(parsed("http://1.16777215/"), "http://1.255.255.255/");
  EXPECT_EQ(parsed("http://0x/"), "http://0.0.0.0/");
}

TEST(UrlHost, AHostThatEndsInANumberIsIpv4OrNothing) {
  for (const std::string_view host :
       {"4294967296", "1.16777216", "1.2.65536", "1.2.3.256", "256.1", "1.2.3.4.5", "a.1", "08", "1.2.3.09",
        "0x1g.1", "1..2", "a.0x1", "99999999999999999999999"}) {
    EXPECT_EQ(error_of("http://" + std::string(host) + "/"), UrlError::bad_host) << host;
  }
  for (const std::string_view host : {"1a", "1.2.3.4a", "a.0xg", "1.2.3.4..", "0xg"}) {
    EXPECT_EQ(error_of("http://" + std::string(host) + "/"), UrlError::ok) << host;
  }
}

TEST(UrlHost, Ipv6IsCompressed) {
  for (const auto& [input, expected] : std::initializer_list<Pair>{
           {"0:0:0:0:0:0:0:0", "::"},
           {"0:0:0:0:0:0:0:1", "::1"},
           {"1::", "1::"},
           {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
           {"1:0:0:2:0:0:3:4", "1::2:0:0:3:4"},
           {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
           {"::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"},
           {"2001:DB8::00Ff", "2001:db8::ff"},
           {"::ffff:1.2.3.4", "::ffff:102:304"},
           {"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"},
       }) {
    EXPECT_EQ(parsed("http://[" + std::string(input) + "]/"), "http://[" + std::string(expected) + "]/")
        << input;
  }
}

TEST(UrlHost, BrokenIpv6IsRefused) {
  for (const std::string_view host : {"",
                                      ":",
                                      ":::",
                                      "1",
                                      "1:",
                                      ":1",
                                      "1:2:3:4:5:6:7",
                                      "1:2:3:4:5:6:7:8:9",
                                      "1::2::3",
                                      "1:2:3:4:5:6:7:8::",
                                      "12345::",
                                      "g::",
                                      "::1.2.3",
                                      "::1.2.3.4.5",
                                      "::1.2.3.256",
                                      "::01.2.3.4",
                                      "::1.2.3.4:5",
                                      "1:2:3:4:5:6:7:1.2.3.4",
                                      "::1%25e",
                                      "::%31",
                                      "1:2:3:4:5:6:7::8:9"}) {
    EXPECT_EQ(error_of("http://[" + std::string(host) + "]/"), UrlError::bad_host) << host;
  }
  EXPECT_EQ(error_of("http://[::1/"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://[::1]x/"), UrlError::bad_host);
  EXPECT_EQ(error_of("http://x[::1]/"), UrlError::bad_host);
}

TEST(UrlHost, InternationalNamesBecomeALabels) {
  for (const auto& [input, expected] : std::initializer_list<Pair>{
           {"B\u00DCCHER.example", "xn--bcher-kva.example"},
           {"b%C3%BCcher.example", "xn--bcher-kva.example"},
           {"stra\u00DFe.example", "xn--strae-oqa.example"},
           {"stra\u1E9Ee.example", "xn--strae-oqa.example"},
           {"\u2603.example", "xn--n3h.example"},
           {"-x-.\u00E9.example", "-x-.xn--9ca.example"},
           {"r3---sn.\u00E9.example", "r3---sn.xn--9ca.example"},
           {"-\u00E9-.example", "xn-----bja.example"},
           {"a_b.\u00E9", "a_b.xn--9ca"},
           {"\u00E9_b", "xn--_b-9ia"},
           {"\u00E9..example", "xn--9ca..example"},
           {"\u00E9\u3002example", "xn--9ca.example"},
           {"xn--zz--unknown", "xn--zz--unknown"},
           {"XN--Bcher-KVA.\u00E9", "xn--bcher-kva.xn--9ca"},
       }) {
    EXPECT_EQ(parsed("http://" + std::string(input) + "/"), "http://" + std::string(expected) + "/") << input;
  }
}

TEST(UrlHost, RefusesNamesThatBrowsersRefuse) {
  for (const std::string_view host : {"a\uFFFDb", "\uFF05\uFF14\uFF11", "xn--a.\u00E9", "\u00E9%2F",
                                      "\u00E9%00b", "a\u200Cb", "\xC3", "\u00E9 b", "\u05D0a", "\u0301a"}) {
    EXPECT_EQ(error_of("http://" + std::string(host) + ".example/"), UrlError::bad_host) << host;
  }
}

TEST(UrlHost, AnEmptyNameIsNoHost) {
  EXPECT_EQ(error_of("http://\u00AD/"), UrlError::bad_host) << "a soft hyphen maps to nothing";
  EXPECT_EQ(parsed("http://\u00AD.example/"), "http://.example/");
}

TEST(UrlHost, MapsNamesUpToTheLimitOnly) {
  std::string domain = "\u00E9";
  while (domain.size() + 2 <= kIdnOctetsMax) domain += ".a";
  domain.resize(kIdnOctetsMax, '.');
  EXPECT_EQ(error_of("http://" + domain + "/"), UrlError::ok);
  EXPECT_EQ(error_of("http://" + domain + "a/"), UrlError::bad_host);
}

TEST(UrlHost, MapsSoManyLabelsOfSuchALengthOnly) {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
  };
  const std::string labels = repeated("\u00E9.", kIdnLabelsMax);
  EXPECT_EQ(parsed("http://" + labels + "x/"), "http://" + repeated("xn--9ca.", kIdnLabelsMax) + "x/");
  EXPECT_EQ(error_of("http://" + labels + "\u00E9/"), UrlError::bad_host);
  const std::string hyphens = repeated("\u00AD", kIdnLabelOctetsMax / 2 - 1);  // map to nothing
  EXPECT_EQ(parsed("http://" + hyphens + "\u00E9/"), "http://xn--9ca/");
  EXPECT_EQ(error_of("http://" + hyphens + "\u00E9a/"), UrlError::bad_host);
}

/// Pieces that mean something to a parser, in any order.
std::string stirred(Random& random) {
  constexpr std::string_view kPieces[] = {
      "http:", "https:", "//",   "/",  "\\",   "..",   ".",      "%2e", "?",      "#",
      "@",     ":",      "80",   "a",  "B",    "[::1", "]",      "%",   "%41",    " ",
      "\t",    "\u00E9", "\xFF", "0x", "1.2.", "xn--", "\u2603", "'",   "\u3002", "-"};
  std::string text = random.below(2) == 0 ? "http://h" : "";
  const std::uint64_t count = random.below(9);
  for (std::uint64_t i = 0; i < count; ++i) text += kPieces[random.below(std::size(kPieces))];
  return text;
}

TEST(Url, ReadingANormalFormChangesNothing) {
  Random random(20260101);
  const Url base = Url::parse("https://base.example:444/x/y?z").value();
  std::size_t read = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string input = stirred(random);
    const auto url = Url::resolve(input, base);
    if (!url) continue;
    ++read;
    const std::string text(url->text());
    ASSERT_EQ(parsed(text), text) << input;
    std::string tabbed = input;
    tabbed.insert(std::min(tabbed.size(), tabbed.find_first_not_of(" \t\n\r") + 1), "\t");
    ASSERT_EQ(resolved(tabbed, base.text()), text) << input;
    ASSERT_EQ(resolved(text, "http://other.example/a/b"), text) << input;
    ASSERT_EQ(resolved(url->target(), text),
              url->target().starts_with("//") ? resolved(url->target(), text) : text);
    if (const auto absolute = Url::parse(input); absolute && absolute->secure() != base.secure()) {
      ASSERT_EQ(*absolute, *url) << input;
    }
  }
  EXPECT_GT(read, 10'000U);
}

}  // namespace
}  // namespace base
