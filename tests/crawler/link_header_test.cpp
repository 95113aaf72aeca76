#include "crawler/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const base::Url kPage = base::Url::parse("http://h/dir/page").value();

std::vector<std::string> shown(const std::vector<Link>& links) {
  std::vector<std::string> out;
  for (const Link& link : links)
    out.push_back(std::string(to_string(link.kind)) + (link.nofollow ? "! " : " ") +
                  std::string(link.url.target()));
  return out;
}
std::vector<std::string> links(std::string_view value) {
  return shown(read_link_header(value, kPage));
}

TEST(LinkHeader, IsReadWithItsParameters) {
  EXPECT_THAT(links("<c>; rel=canonical"), ElementsAre("canonical /dir/c"));
  EXPECT_THAT(links("</n>; title=\"a, b; rel=x\"; REL=\"next\""), ElementsAre("next /n"));
  EXPECT_THAT(links(" <n> ;rel = \"Prev\" ; title*=UTF-8''x"), ElementsAre("prev /dir/n"));
  EXPECT_THAT(links("<f>;rel=\"alternate nofollow\";type=\"application/rss+xml\""),
              ElementsAre("alternate! /dir/f"));
  EXPECT_THAT(links("<x>; rel=\"canonical next\""), ElementsAre("canonical /dir/x", "next /dir/x"));
  EXPECT_THAT(links("<s>; rel=stylesheet, <i>; rel=icon"), ElementsAre("embed /dir/s", "embed /dir/i"));
  EXPECT_THAT(links("<>; rel=canonical"), ElementsAre("canonical /dir/page"));
}

TEST(LinkHeader, HasSeveralLinksInAValueAndOnSeveralLines) {
  EXPECT_THAT(links("<a>; rel=next, <b,c;d>; rel=prev,<e>;rel=canonical\n<f>; rel=next"),
              ElementsAre("next /dir/a", "prev /dir/b,c;d", "canonical /dir/e", "next /dir/f"));
  EXPECT_THAT(links("<a>; rel=next; title=\"not\nclosed\"\n<b>; rel=next"),
              ElementsAre("next /dir/a", "next /dir/b"))
      << "a line break ends everything";
}

TEST(LinkHeader, QuotedStringsMayHaveEscapes) {
  EXPECT_THAT(links(R"(<a>; title="x\"; rel=canonical, \\"; rel="n\ext", <b>; rel=prev)"),
              ElementsAre("next /dir/a", "prev /dir/b"));
  EXPECT_THAT(links(R"(<a>; rel="next\)"), IsEmpty()) << "the backslash is a part of it";
}

TEST(LinkHeader, TheFirstRelCountsAndForeignOnesAreLeftOut) {
  EXPECT_THAT(links("<a>; rel=next; rel=canonical"), ElementsAre("next /dir/a"));
  EXPECT_THAT(links("<a>; rel=next; anchor=\"#x\", <b>; rel=next"), ElementsAre("next /dir/b"));
  EXPECT_THAT(
      links("<a>; rev=next, <b>; rel=preconnect, <c>, <mailto:x>; rel=next, <ftp://h/>; rel=canonical"),
      IsEmpty());
}

TEST(LinkHeader, BrokenOnesEndWithTheirComma) {
  EXPECT_THAT(links("a; rel=next, <b>; rel=next"), ElementsAre("next /dir/b"));
  EXPECT_THAT(links(",, ;;, <b> rel=next, <c>; rel=next"), ElementsAre("next /dir/c"));
  EXPECT_THAT(links("<b>; rel=\"prev\"x; a=b, <c>; rel=next"), ElementsAre("prev /dir/b", "next /dir/c"));
  for (const std::string_view none :
       {"", "<", "<a", "<a>", "<a>;", "<a>; rel", "<a>; rel=", "<a; rel=next", ">", ",", "\n\n"})
    EXPECT_THAT(links(none), IsEmpty()) << none;
}

TEST(LinkHeader, IsReadUpToItsLimits) {
  std::string many;
  for (std::size_t i = 0; i < kLinkHeaderLinksMax; ++i) many += "<" + std::to_string(i) + ">;rel=next,";
  EXPECT_EQ(links(many).size(), kLinkHeaderLinksMax);
  EXPECT_EQ(links(many + "<x>;rel=next").size(), kLinkHeaderLinksMax);
  const std::string link = "<x>;rel=next";
  const std::string room(kLinkHeaderOctetsMax - link.size(), ',');
  EXPECT_EQ(links(room + link).size(), 1U);
  EXPECT_THAT(links(room + "," + link), IsEmpty()) << "`nex` is no relation";
}

TEST(LinkHeader, ManyOpenBracketsTakeNoTime) {
  std::string hostile;
  while (hostile.size() < kLinkHeaderOctetsMax) hostile += "<,";
  EXPECT_THAT(links(hostile), IsEmpty());
}

TEST(LinkHeader, ComesBeforeThePageAndAgreesWithIt) {
  const Page page =
      read_page("<base href=/b/><link rel=canonical href=/two><link rel=next href=/n><a href=x>", "text/html",
                "<one>; rel=canonical\n</n>; rel=\"next nofollow\", <s>; rel=stylesheet", kPage, {});
  EXPECT_THAT(shown(page.links), ElementsAre("canonical /dir/one", "next /n", "canonical /two", "a /b/x"));
  EXPECT_EQ(page.canonical->target(), "/dir/one");
  const Page other = read_page("%PDF", "application/pdf", "<one>; rel=canonical", kPage, {});
  EXPECT_EQ(other.kind, PageKind::none);
  EXPECT_THAT(shown(other.links), ElementsAre("canonical /dir/one"));
}

TEST(LinkHeader, SurvivesALateBase) {
  const Page page = read_page("<a href=x><base href=/b/>", "text/html", "<n>; rel=next", kPage, {});
  EXPECT_THAT(shown(page.links), ElementsAre("next /dir/n", "a /b/x"));
}

}  // namespace
}  // namespace crawler
