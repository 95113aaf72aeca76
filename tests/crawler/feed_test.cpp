#include "crawler/feed.h"

#include "crawler/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const base::Url kUrl = base::Url::parse("http://h/dir/feed").value();

Page feed(std::string_view body, std::string_view type = "application/rss+xml") {
  return read_page(body, type, "", kUrl, {});
}
std::vector<std::string> links(std::string_view body, std::string_view type = "application/rss+xml") {
  std::vector<std::string> out;
  for (const Link& link : feed(body, type).links)
    out.push_back(std::string(to_string(link.kind)) + " " + std::string(link.url.target()));
  return out;
}
std::vector<std::string> items(std::string_view inside) {
  return links("<rss><channel><item>" + std::string(inside) + "</item></channel></rss>");
}

TEST(Feed, OfRssHasItsPageItsItemsAndItsNextPart) {
  const std::string_view body =
      "<?xml version='1.0'?>\n<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel>"
      "<title> News &amp;\nmore </title><link>/</link><atom:link rel='self' href='/dir/feed'/>"
      "<atom:link rel='next' href='?p=2'/><image><title>no</title><link>/no</link></image>"
      "<item><title>x</title><link>\n http://h/1?a&amp;b </link><guid>/no</guid><enclosure url='/no'/></item>"
      "<item><link><![CDATA[/2]]></link><media:title>no</media:title><comments>/no</comments></item></"
      "channel></rss>";
  EXPECT_THAT(links(body), ElementsAre("alternate /", "next /dir/feed?p=2", "item /1?a&b", "item /2"));
  EXPECT_EQ(feed(body).title, "News & more");
  EXPECT_EQ(feed(body).charset, "utf-8");
}

TEST(Feed, OfRssTakesAGuidInPlaceOfALink) {
  EXPECT_THAT(items("<guid>/g</guid>"), ElementsAre("item /g"));
  EXPECT_THAT(items("<guid isPermaLink='true'>/g</guid><link>/l</link>"), ElementsAre("item /l"));
  EXPECT_THAT(items("<guid isPermaLink='false'>/g</guid>"), IsEmpty());
}

TEST(Feed, OfRdfHasItsItemsBesideTheChannel) {
  EXPECT_THAT(
      links("<rdf:RDF><channel><link>/</link></channel><item rdf:about='x'><link>/1</link></item></rdf:RDF>"),
      ElementsAre("alternate /", "item /1"));
}

TEST(Feed, OfAtomHasLinksByRelation) {
  const std::string_view body =
      "<feed xmlns='http://www.w3.org/2005/Atom'><title type='text'>T</title><link href='/'/><link "
      "rel='self' href='/self'/>"
      "<link rel='next' href='?2'/><link rel='previous' href='?0'/><link rel='hub' href='/hub'/>"
      "<entry><title>no</title><link href='/1'/><link rel='enclosure' href='/no'/><link rel='replies' "
      "href='/no'/></entry>"
      "<entry><link rel='alternate' type='text/html' href='/2'/><content type='xhtml'><div><link "
      "href='/no'/></div>"
      "</content></entry></feed>";
  EXPECT_THAT(links(body, "application/atom+xml"),
              ElementsAre("alternate /", "next /dir/feed?2", "prev /dir/feed?0", "item /1", "item /2"));
  EXPECT_EQ(feed(body, "text/xml").title, "T");
  EXPECT_THAT(links("<a:feed><a:entry><a:link href='/1'/></a:entry></a:feed>", "application/atom+xml"),
              ElementsAre("item /1"));
}

TEST(Feed, KeepsToXmlBase) {
  EXPECT_THAT(links("<feed xml:base='/b/'><link href='x'/><entry xml:base='c/'><link href='y'/></entry>"
                    "<entry><link xml:base='/d/' href='z'/></entry><entry><link href='w'/></entry></feed>",
                    "application/atom+xml"),
              ElementsAre("alternate /b/x", "item /b/c/y", "item /d/z", "item /b/w"));
}

TEST(Feed, ThatBreaksGivesWhatCameBefore) {
  EXPECT_THAT(items("<link>/1</link></item><item><link>/2</link>&nbsp;</item><item><link>/3</link>"),
              ElementsAre("item /1", "item /2"));
  EXPECT_THAT(links(" \n<?xml version='1.0'?><rss><channel><item><link>/1</link>"), ElementsAre("item /1"))
      << "white space in front is no harm";
  EXPECT_THAT(
      links("<!DOCTYPE rss PUBLIC '-//x' 'http://h/rss.dtd'><rss><channel><item><link>/1</link></item>"),
      ElementsAre("item /1"));
  EXPECT_THAT(links("<!DOCTYPE rss [<!ENTITY a 'b'>]><rss><channel><item><link>/1</link></item>"), IsEmpty());
  EXPECT_THAT(links("nothing"), IsEmpty());
  EXPECT_THAT(links(""), IsEmpty());
}

TEST(Feed, IsReadInItsEncoding) {
  const std::string item =
      "<rss><channel><title>caf\xE9</title><item><link>/caf\xE9</link></item></channel></rss>";
  EXPECT_THAT(links(item, "application/rss+xml; charset=iso-8859-1"), ElementsAre("item /caf%C3%A9"));
  EXPECT_THAT(links("<?xml version='1.0' encoding='windows-1252'?>" + item), ElementsAre("item /caf%C3%A9"));
  EXPECT_EQ(feed(item, "text/xml;charset=latin1").title, "caf\u00E9");
  EXPECT_THAT(
      links("<?xml version='1.0' encoding='gb2312'?><rss><channel><item><link>/\xD6\xD0</link></item>"),
      ElementsAre("item /%E4%B8%AD"));
}

TEST(Feed, HasALimitOfLinksAndOfDepth) {
  std::string many = "<rss><channel>";
  for (std::size_t i = 0; i < kLinksMax + 2; ++i)
    many += "<item><link>/" + std::to_string(i) + "</link></item>";
  EXPECT_EQ(feed(many).links.size(), kLinksMax);
  EXPECT_EQ(feed(many).dropped, 2U);
  const auto nested = [](std::size_t depth) {
    std::string text = "<rss><channel>";
    for (std::size_t i = 2; i < depth; ++i) text += "<x>";
    for (std::size_t i = 2; i < depth; ++i) text += "</x>";
    return text + "<item><link>/1</link></item>";
  };
  EXPECT_THAT(links(nested(kXmlDepthMax)), ElementsAre("item /1"));
  EXPECT_THAT(links(nested(kXmlDepthMax + 1)), IsEmpty());
}

TEST(Feed, ALinkBeyondTheLimitIsNone) {
  const std::string longest = "/" + std::string(kXmlTextMax - 1, ' ');
  EXPECT_THAT(items("<link>" + longest + "</link>"), ElementsAre("item /"));
  EXPECT_THAT(items("<link>" + longest + " </link>"), IsEmpty());
}

}  // namespace
}  // namespace crawler
