#include "crawler/sitemap.h"

#include "base/time_text.h"
#include "crawler/feed.h"
#include "crawler/xml.h"
#include "tests/support/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using support::gzip;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const base::Url kUrl = base::Url::parse("http://maps.h/dir/sitemap.xml").value();

Sitemap read(std::string_view body) {
  return read_sitemap(body, kUrl, "h");
}
std::vector<std::string> urls(const Sitemap& sitemap) {
  std::vector<std::string> out;
  for (const SitemapEntry& entry : sitemap.entries) out.emplace_back(entry.url.text());
  return out;
}
std::string urlset(std::string_view inside) {
  return "<?xml version='1.0' encoding='UTF-8'?>\n<urlset "
         "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
         std::string(inside) + "</urlset>";
}
std::string entries(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += "<url><loc>http://h/" + std::to_string(i) + "</loc></url>";
  return out;
}

TEST(Sitemap, HasUrlsWithWhatIsSaidOfThem) {
  const Sitemap sitemap =
      read(urlset("<url><loc> http://h/a?x&amp;y "
                  "</loc><lastmod>2026-08-01T09:00+02:00</lastmod><changefreq>Weekly</changefreq>"
                  "<priority>0.8</priority></url>\n<url><priority>x</priority><lastmod>soon</"
                  "lastmod><loc><![CDATA[https://h:8/b]]></loc>"
                  "<changefreq>never</changefreq></url><url><loc>http://h/c</loc></url>"));
  EXPECT_EQ(sitemap.kind, Sitemap::Kind::urlset);
  EXPECT_EQ(sitemap.problem, "");
  EXPECT_EQ(sitemap.dropped, 0U);
  ASSERT_THAT(urls(sitemap), ElementsAre("http://h/a?x&y", "https://h:8/b", "http://h/c"));
  EXPECT_EQ(base::rfc3339(*sitemap.entries[0].lastmod), "2026-08-01T07:00:00.000Z");
  EXPECT_EQ(*sitemap.entries[0].changefreq, std::chrono::hours(168));
  EXPECT_EQ(*sitemap.entries[0].priority, 0.8);
  EXPECT_FALSE(sitemap.entries[1].lastmod);
  EXPECT_EQ(*sitemap.entries[1].changefreq, base::Duration::max());
  EXPECT_FALSE(sitemap.entries[1].priority);
  EXPECT_FALSE(sitemap.entries[2].changefreq);
}

TEST(Sitemap, PriorityIsFromZeroToOne) {
  const auto priority = [](std::string_view text) {
    return read(urlset("<url><loc>http://h/</loc><priority>" + std::string(text) + "</priority></url>"))
        .entries.at(0)
        .priority;
  };
  EXPECT_EQ(priority("0"), 0.0);
  EXPECT_EQ(priority(" 1.0 "), 1.0);
  for (const std::string_view none : {"", "-0.1", "1.1", "nan", "inf", "0.5x", "0,5", "1e9"})
    EXPECT_FALSE(priority(none)) << none;
}

TEST(Sitemap, EntriesAreOfTheHostAlone) {
  const Sitemap sitemap =
      read(urlset("<url><loc>http://h/a</loc></url><url><loc>http://maps.h/b</loc></url>"
                  "<url><loc>https://H:8443/c</loc></url><url><loc>http://www.h/d</loc></url>"
                  "<url><loc>/relative</loc></url><url><loc>ftp://h/</loc></url><url><loc/></url><url/>"));
  EXPECT_THAT(urls(sitemap), ElementsAre("http://h/a", "https://h:8443/c"));
  EXPECT_EQ(sitemap.dropped, 6U);
  EXPECT_THAT(urls(read_sitemap(urlset("<url><loc>/r</loc></url>"), kUrl, "maps.h")),
              ElementsAre("http://maps.h/r"));
}

TEST(Sitemap, AnIndexNamesSitemapsOfTheHostOrOfItsOwn) {
  const Sitemap sitemap = read(
      "<sitemapindex><sitemap><loc>http://h/1.xml</loc><lastmod>2026</lastmod></"
      "sitemap><sitemap><loc>2.xml.gz</loc></sitemap>"
      "<sitemap><loc>http://evil/3.xml</loc></sitemap><url><loc>http://h/no</loc></url></sitemapindex>");
  EXPECT_EQ(sitemap.kind, Sitemap::Kind::index);
  EXPECT_THAT(urls(sitemap), ElementsAre("http://h/1.xml", "http://maps.h/dir/2.xml.gz"));
  EXPECT_TRUE(sitemap.entries[0].lastmod);
  EXPECT_EQ(sitemap.dropped, 1U);
}

TEST(Sitemap, ExtensionsAreNoPages) {
  EXPECT_THAT(urls(read(urlset(
                  "<url><image:image><image:loc>http://h/no</image:loc><loc>http://h/no</loc></image:image>"
                  "<loc>http://h/a</loc><image:loc>http://h/no</image:loc>"
                  "<xhtml:link rel='alternate' href='http://h/no'/></url><video:video><loc>http://h/no</loc>"
                  "</video:video>"))),
              ElementsAre("http://h/a"));
  EXPECT_THAT(
      urls(read("<s:urlset><s:url><s:loc>http://h/a</s:loc><loc>http://h/no</loc></s:url></s:urlset>")),
      ElementsAre("http://h/a"))
      << "the root's prefix is that of the protocol";
}

TEST(Sitemap, MayBeAText) {
  const Sitemap sitemap =
      read("\xEF\xBB\xBFhttp://h/a\r\n\n  http://h/\u00E9  \nhttp://other/b\nrubbish\nhttp://h/c");
  EXPECT_EQ(sitemap.kind, Sitemap::Kind::text);
  EXPECT_THAT(urls(sitemap), ElementsAre("http://h/a", "http://h/%C3%A9", "http://h/c"));
  EXPECT_EQ(sitemap.dropped, 2U);
  EXPECT_EQ(sitemap.problem, "");
}

TEST(Sitemap, MayBeAFeed) {
  const Sitemap rss = read(
      "<rss><channel><link>http://h/</link><item><link>http://h/a</link>"
      "<pubDate>Sat, 01 Aug 2026 09:00:00 GMT</pubDate></item></channel></rss>");
  EXPECT_EQ(rss.kind, Sitemap::Kind::rss);
  EXPECT_THAT(urls(rss), ElementsAre("http://h/a"));
  EXPECT_EQ(base::rfc3339(*rss.entries[0].lastmod), "2026-08-01T09:00:00.000Z");
  const Sitemap atom = read(
      "<feed><entry><link href='http://h/a'/><published>2026-01-01</published><updated>2026-08-01"
      "</updated></entry><entry><link href='http://other/'/></entry></feed>");
  EXPECT_EQ(atom.kind, Sitemap::Kind::atom);
  EXPECT_THAT(urls(atom), ElementsAre("http://h/a"));
  EXPECT_EQ(base::rfc3339(*atom.entries[0].lastmod), "2026-08-01T00:00:00.000Z");
  EXPECT_EQ(atom.dropped, 1U);
}

TEST(Sitemap, WhatIsNoneSaysWhy) {
  for (const std::string_view body :
       {"", " \n", "Not found", "<!DOCTYPE html><html><body>", "<html/>", "{}", "\x1f\x8b", "\xFF\xFE"}) {
    const Sitemap sitemap = read(body);
    EXPECT_EQ(sitemap.kind, Sitemap::Kind::none) << body;
    EXPECT_NE(sitemap.problem, "") << body;
    EXPECT_THAT(urls(sitemap), IsEmpty()) << body;
  }
}

TEST(Sitemap, ThatBreaksGivesWhatCameBefore) {
  for (const std::string_view rest :
       {"", "<url><loc>http://h/no", "<url>&nbsp;</url>", "</urlset", "<<", "\x01"}) {
    const Sitemap sitemap = read("<urlset>" + entries(2) + std::string(rest));
    EXPECT_THAT(urls(sitemap), ElementsAre("http://h/0", "http://h/1")) << rest;
    EXPECT_NE(sitemap.problem, "") << rest;
  }
}

TEST(Sitemap, EntitiesAndInternalSubsetsEndIt) {
  for (const std::string_view head : {"<!DOCTYPE x [<!ENTITY a 'b'>]>", "<!DOCTYPE x []>",
                                      "<!DOCTYPE x SYSTEM 'file:///etc/passwd' "
                                      "[<!ENTITY % p SYSTEM 'http://h/'> %p;]>"}) {
    const Sitemap sitemap = read(std::string(head) + urlset(entries(1)).substr(40));
    EXPECT_THAT(urls(sitemap), IsEmpty()) << head;
    EXPECT_THAT(sitemap.problem, HasSubstr("DOCTYPE")) << head;
  }
  const Sitemap external =
      read("<!DOCTYPE urlset SYSTEM 'http://h/x.dtd'><urlset><url><loc>http://h/&a;b</loc></url></urlset>");
  EXPECT_THAT(urls(external), ElementsAre("http://h/b"))
      << "what the file that we do not read would say is left out";
}

TEST(Sitemap, GzipIsUnfoldedWhateverItsName) {
  const std::string body = gzip(urlset(entries(3)));
  EXPECT_EQ(read(body).entries.size(), 3U);
  EXPECT_EQ(read(body).problem, "");
  EXPECT_EQ(read(body + body).problem != "", true) << "two documents in one";
  EXPECT_THAT(urls(read(gzip("http://h/a\nhttp://h/b"))), ElementsAre("http://h/a", "http://h/b"));
  EXPECT_EQ(read(gzip(body)).kind, Sitemap::Kind::none) << "once only";
}

TEST(Sitemap, BrokenGzipGivesWhatCameBefore) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "http://h/" + std::to_string(i * 7919) + "\n";
  const std::string whole = gzip(text);
  const Sitemap half = read(whole.substr(0, whole.size() / 2));
  EXPECT_GT(half.entries.size(), 100U);
  EXPECT_EQ(half.problem, "gzip that ends early");
  EXPECT_EQ(half.entries.back().url.text(), "http://h/" + std::to_string((half.entries.size() - 1) * 7919))
      << "half a line is no URL";
  std::string broken = whole;
  for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 64; ++i) broken[i] = '\xFF';
  EXPECT_EQ(read(broken).problem, "broken gzip");
  EXPECT_GT(read(broken).entries.size(), 100U);
}

TEST(Sitemap, HasTheProtocolsLimitOfEntries) {
  EXPECT_EQ(read(urlset(entries(kSitemapEntriesMax))).dropped, 0U);
  const Sitemap more = read(urlset(entries(kSitemapEntriesMax + 3)));
  EXPECT_EQ(more.entries.size(), kSitemapEntriesMax);
  EXPECT_EQ(more.dropped, 3U);
  EXPECT_EQ(more.problem, "");
}

TEST(Sitemap, HasTheProtocolsLimitOfOctets) {
  const std::string first = "<urlset>" + entries(1);
  const std::string last = entries(1) + "</urlset>";
  const std::string room(kSitemapOctetsMax - first.size() - last.size(), ' ');
  EXPECT_EQ(read(first + room + last).entries.size(), 2U);
  EXPECT_EQ(read(first + room + last).problem, "");
  for (const std::string& body : {first + room + " " + last, gzip(first + room + " " + last)}) {
    const Sitemap cut = read(body);
    EXPECT_EQ(cut.problem, "more than 52428800 octets");
    EXPECT_GE(cut.entries.size(), 1U);
  }
}

TEST(Sitemap, ATagOrTextHasALimit) {
  const std::string room(kXmlTokenMax - 100, 'x');
  EXPECT_EQ(read(urlset("<!--" + room + "-->" + entries(1))).entries.size(), 1U);
  const Sitemap beyond = read(urlset("<url x='" + room + room + "'/>" + entries(1)));
  EXPECT_EQ(beyond.problem, "a tag or comment too long");
  const Sitemap text = read(urlset("<url><loc>http://h/" + room + "</loc></url>" + entries(1)));
  EXPECT_THAT(urls(text), ElementsAre("http://h/0"));
  EXPECT_EQ(text.dropped, 1U);
  EXPECT_THAT(urls(read("http://h/" + room + "\nhttp://h/0")), ElementsAre("http://h/0"));
}

TEST(Sitemap, SoManyElementsAndNoMore) {
  std::string room;  // urlset, url and loc are three of them
  for (std::size_t i = 3; i < kXmlElementsMax; ++i) room += "<a/>";
  EXPECT_EQ(read(urlset(room + entries(1))).entries.size(), 1U);
  const Sitemap beyond = read(urlset(room + "<a/>" + entries(1)));
  EXPECT_EQ(beyond.problem, "too many elements");
  EXPECT_TRUE(beyond.entries.empty());
}

TEST(Sitemap, SoManyUselessEntriesAndNoMore) {
  std::string lines;
  for (std::size_t i = 1; i < kSitemapDroppedMax; ++i) lines += "a\n";
  EXPECT_EQ(read(lines + "http://h/0\n").entries.size(), 1U);
  const Sitemap beyond = read(lines + "a\nhttp://h/0\n");
  EXPECT_TRUE(beyond.entries.empty());
  EXPECT_EQ(beyond.problem, "too many entries that are of no use");
  EXPECT_EQ(beyond.dropped, kSitemapDroppedMax);
}

TEST(Sitemap, OtherEncodingsAreRead) {
  const std::string body = "<urlset><url><loc>http://h/\xF2</loc></url></urlset>";
  EXPECT_THAT(urls(read("<?xml version='1.0' encoding='windows-1251'?>" + body)),
              ElementsAre("http://h/%D1%82"));
  EXPECT_THAT(urls(read("<?xml version='1.0' encoding='iso-8859-1'?>" + body)),
              ElementsAre("http://h/%C3%B2"));
  EXPECT_THAT(read("<?xml version='1.0' encoding='none'?>" + body).problem, HasSubstr("unknown encoding"));
  std::string wide = "\xFE\xFF";
  for (const char c : std::string_view("<urlset><url><loc>http://h/a</loc></url></urlset>"))
    wide += {'\0', c};
  EXPECT_THAT(urls(read(wide)), ElementsAre("http://h/a"));
}

}  // namespace
}  // namespace crawler
