// Which kind of page it is, its title, XHTML, and what it embeds.
#include "crawler/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const base::Url kUrl = base::Url::parse("http://h/dir/page").value();

Page page(std::string_view body, std::string_view type = "text/html", bool embeds = false) {
  return read_page(body, type, "", kUrl, {{}, embeds});
}
std::vector<std::string> links(const Page& page) {
  std::vector<std::string> out;
  for (const Link& link : page.links)
    out.push_back(std::string(to_string(link.kind)) + " " + std::string(link.url.target()));
  return out;
}
std::vector<std::string> embeds(std::string_view html) {
  return links(page(html, "text/html", true));
}

TEST(Page, KindDependsOnTypeAndLook) {
  struct Case {
    std::string_view type;
    std::string_view body;
    PageKind kind;
  };
  constexpr auto kHtml = PageKind::html;
  constexpr auto kFeed = PageKind::feed;
  constexpr auto kNone = PageKind::none;
  for (const Case& one : std::initializer_list<Case>{
           {"text/html", "", kHtml},
           {"Text/HTML ; charset=utf-8", "anything", kHtml},
           {"text/html", "<?xml version='1.0'?><!-- x --> <rss>", kFeed},
           {"text/html", "<feed xmlns='http://www.w3.org/2005/Atom'>", kFeed},
           {"application/xhtml+xml", "<html>", kHtml},
           {"application/rss+xml", "<rss>", kFeed},
           {"application/atom+xml;type=feed", "broken", kFeed},
           {"application/rdf+xml", "<rdf:RDF>", kFeed},
           {"text/xml", "<?xml version='1.0'?><rss>", kFeed},
           {"application/xml", "\n<!DOCTYPE feed><feed>", kFeed},
           {"application/xml", "<?xml version='1.0'?><html xmlns='x'>", kHtml},
           {"application/xml", "<urlset>", kNone},
           {"image/svg+xml", "<svg><a href=x>", kNone},
           {"", "<!DOCTYPE html>", kHtml},
           {"", " <!-- --><p>", kHtml},
           {"", "\xEF\xBB\xBF<rss>", kFeed},
           {"", "text", kNone},
           {"", "", kNone},
           {"", "<", kNone},
           {"text/plain", "<html>", kNone},
           {"application/pdf", "<html>", kNone},
       }) {
    EXPECT_EQ(page(one.body, one.type).kind, one.kind) << one.type << ' ' << one.body;
  }
  EXPECT_EQ(page("<a href=x>").charset, "utf-8");
  EXPECT_EQ(page("<a href=x>", "text/html; charset=latin1").charset, "windows-1252");
  EXPECT_EQ(page("x", "text/plain; charset=latin1").charset, "");
}

TEST(Page, TitleIsTheFirstAndFitToBeShown) {
  EXPECT_EQ(page("<title>\n a &amp; <b>  c\t</title><title>no</title>").title, "a & <b> c");
  EXPECT_EQ(page("<svg><title>no</title></svg><title>yes</title>").title, "yes");
  EXPECT_EQ(page("<title> </title><title>x").title, "x");
  EXPECT_EQ(page("<title>caf\xE9</title>", "text/html; charset=latin1").title, "caf\u00E9");
  EXPECT_EQ(page("<title>a\xFF\x01\xE2\x82 b</title>", "text/html; charset=utf-8").title,
            "a\uFFFD \uFFFD\uFFFD b");
  EXPECT_EQ(page("<p>").title, "");
}

TEST(Page, TitleIsCutAtALetter) {
  const std::string longest(kTitleOctetsMax, 'x');
  EXPECT_EQ(page("<title>" + longest + "</title>").title, longest);
  EXPECT_EQ(page("<title>" + longest + "y</title>").title, longest);
  const std::string nearly(kTitleOctetsMax - 1, 'x');
  EXPECT_EQ(page("<title>" + nearly + "\u00E9</title>").title, nearly);
  EXPECT_EQ(page("<title>" + nearly + " y</title>").title, nearly);
}

TEST(Page, CanonicalIsTheFirst) {
  EXPECT_EQ(page("<link rel=canonical href=a><link rel=canonical href=b>").canonical->target(), "/dir/a");
  EXPECT_EQ(page("<link rel=canonical href='mailto:x'><link rel=canonical href=b>").canonical->target(),
            "/dir/b");
  EXPECT_FALSE(page("<a href=x>").canonical);
}

TEST(Page, PrevIsALinkLikeNext) {
  EXPECT_THAT(links(page("<link rel=prev href=1><link rel='previous nofollow' href=2>")),
              ElementsAre("prev /dir/1", "prev /dir/2"));
}

TEST(Page, XhtmlIsReadByTheRulesOfXml) {
  const std::string_view body =
      "<?xml version='1.0'?><?x a='>' ?><html><head><script src='s'/><title/><style/><iframe src='f'/>"
      "<title>T &amp; t</title></head><body><![CDATA[<a href='no'>]]><a href='x'/><svg><p/><a "
      "href='y'/></svg></body>";
  const Page read = page(body, "application/xhtml+xml");
  EXPECT_THAT(links(read), ElementsAre("iframe /dir/f", "a /dir/x", "a /dir/y"));
  EXPECT_EQ(read.title, "T & t");
  EXPECT_THAT(links(page(body, "text/html")), IsEmpty()) << "a browser would look for </script>, too";
}

TEST(Page, EmbedsAreReadOnlyWhenAskedFor) {
  const std::string_view html =
      "<img src=1 srcset='2 1x, 3 2x'><picture><source srcset=4></picture><video src=5 poster=6><source "
      "src=7></video>"
      "<audio src=8></audio><link rel=stylesheet href=9><link rel='shortcut icon' href=10><script "
      "src=11></script>"
      "<object data=12></object><embed src=13><audio poster=no srcset=no><a href=x>";
  EXPECT_THAT(links(page(html)), ElementsAre("a /dir/x"));
  EXPECT_THAT(embeds(html),
              ElementsAre("embed /dir/1", "embed /dir/2", "embed /dir/3", "embed /dir/4", "embed /dir/5",
                          "embed /dir/6", "embed /dir/7", "embed /dir/8", "embed /dir/9", "embed /dir/10",
                          "embed /dir/11", "embed /dir/12", "embed /dir/13", "a /dir/x"));
  EXPECT_THAT(embeds("<link rel='alternate stylesheet' href=1><svg><script src=no></script></svg>"),
              IsEmpty());
  EXPECT_EQ(page("<img src='data:x'>").dropped, 0U);
  EXPECT_EQ(page("<img src='data:x'>", "text/html", true).dropped, 1U);
}

TEST(Page, SrcsetIsReadAsBrowsersDo) {
  const auto srcset = [](std::string_view value) {
    return embeds("<img srcset=\"" + std::string(value) + "\">");
  };
  EXPECT_THAT(srcset("a"), ElementsAre("embed /dir/a"));
  EXPECT_THAT(srcset(" , a 1x ,b 2x,c"), ElementsAre("embed /dir/a", "embed /dir/b", "embed /dir/c"));
  EXPECT_THAT(srcset("a,b c"), ElementsAre("embed /dir/a,b")) << "a comma ends a URL only before white space";
  EXPECT_THAT(srcset("a,, b,"), ElementsAre("embed /dir/a", "embed /dir/b"));
  EXPECT_THAT(srcset("a (x, y) 1x, b"), ElementsAre("embed /dir/a", "embed /dir/b"));
  EXPECT_THAT(srcset("a?x&amp;y 1x"), ElementsAre("embed /dir/a?x&y"));
  EXPECT_THAT(srcset(""), IsEmpty());
  EXPECT_THAT(srcset(" ,, "), IsEmpty());
}

TEST(Page, SrcsetBeyondTheLimitIsNone) {
  const std::string longest(kAttributeOctetsMax - 1, ' ');
  EXPECT_THAT(embeds("<img srcset='" + longest + "x'>"), ElementsAre("embed /dir/x"));
  EXPECT_THAT(embeds("<img srcset='" + longest + " x'>"), IsEmpty());
}

}  // namespace
}  // namespace crawler
