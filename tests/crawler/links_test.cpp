#include "crawler/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const base::Url kPage = base::Url::parse("http://example.com/dir/page").value();
const std::vector<std::string> kTokens = {"crawld"};

Page page(std::string_view html) {
  return read_page(html, kPage, kTokens);
}

/// Links as `kind path`, or `kind! path` when not to be followed; other hosts in full.
std::vector<std::string> links(std::string_view html) {
  std::vector<std::string> out;
  for (const Link& link : page(html).links) {
    const bool here = link.url.host() == kPage.host();
    out.push_back(std::string(to_string(link.kind)) + (link.nofollow ? "! " : " ") +
                  std::string(here ? link.url.target() : link.url.text()));
  }
  return out;
}

TEST(Links, AreReadOfAllKinds) {
  EXPECT_THAT(links("<a href=x>1</a><map><area href='/y'></map>"
                    "<frame src=\"f\"><iframe src=g></iframe>"
                    "<link rel=canonical href=c><link rel='alternate' href=d><link rel=next href=e>"
                    "<meta http-equiv=refresh content='0; url=h'>"),
              ElementsAre("a /dir/x", "area /y", "frame /dir/f", "iframe /dir/g", "canonical /dir/c",
                          "alternate /dir/d", "next /dir/e", "refresh /dir/h"));
}

TEST(Links, OnlyHttpCountsAndTheRestIsCounted) {
  const Page read =
      page("<a href='mailto:a@b'><a href='javascript:x()'><a href='http://['><a href=ok><a name=x>");
  EXPECT_EQ(read.links.size(), 1U);
  EXPECT_EQ(read.dropped, 3U);
}

TEST(Links, AppearOnceOfEachKind) {
  EXPECT_THAT(links("<a href=x><A HREF=x#1><a href='../dir/x'><area href=x><a href=y><a href=x>"),
              ElementsAre("a /dir/x", "area /dir/x", "a /dir/y"));
}

TEST(Links, WithNofollowAreTold) {
  EXPECT_THAT(links("<a rel=nofollow href=1><a rel='noopener UGC' href=2><a href=3 rel=\"sponsored,x\"><a "
                    "rel=nofollower "
                    "href=4><link rel='next nofollow' href=5>"),
              ElementsAre("a! /dir/1", "a! /dir/2", "a! /dir/3", "a /dir/4", "next! /dir/5"));
  EXPECT_THAT(links("<a rel=nofollow href=1><a href=1>"), ElementsAre("a /dir/1"))
      << "one of them may be followed";
  EXPECT_THAT(links("<a href=1><a rel=nofollow href=1>"), ElementsAre("a /dir/1"));
}

TEST(Links, OfLinkElementsDependOnRel) {
  EXPECT_THAT(links("<link rel=stylesheet href=1><link href=2><link rel='alternate stylesheet' href=3>"
                    "<link rel='shortcut icon' href=4><link rel='Canonical Next' href=5>"),
              ElementsAre("canonical /dir/5", "next /dir/5"));
}

TEST(Links, AreResolvedAgainstTheFirstBase) {
  EXPECT_THAT(links("<base href='/b/'><base href='/c/'><a href=x>"), ElementsAre("a /b/x"));
  EXPECT_THAT(links("<base target=_top><base href='../up/'><a href=x>"), ElementsAre("a /up/x"));
  EXPECT_THAT(links("<base href='//other.example/b'><a href=x>"), ElementsAre("a http://other.example/x"));
  EXPECT_THAT(links("<base href='data:x'><base href='/c/'><a href=x>"), ElementsAre("a /dir/x"))
      << "http(s) only";
  EXPECT_THAT(links("<base href='file:///c/'><a href=x>"), ElementsAre("a /dir/x"));
}

TEST(Links, BeforeTheBaseFollowItToo) {
  EXPECT_THAT(links("<a href=x><base href='/b/'><a href=y>"), ElementsAre("a /b/x", "a /b/y"));
  const Page read = page("<a href='mailto:x'><meta name=robots content=noindex><base href='/b/'><a href=y>");
  EXPECT_EQ(read.dropped, 1U) << "counted once, though read twice";
  EXPECT_TRUE(read.rules.noindex);
}

TEST(Links, OfRefreshAreReadAsBrowsersDo) {
  const auto refresh = [](std::string_view content) {
    return links("<meta http-equiv=Refresh content=\"" + std::string(content) + "\">");
  };
  for (const std::string_view content :
       {"0;url=x", " 5 ; URL = 'x' and more", "0.5,x", "3 x", ".;x", "1;url='x", "0;url=x "}) {
    EXPECT_THAT(refresh(content), ElementsAre("refresh /dir/x")) << content;
  }
  for (const std::string_view content : {"", "5", "5;", "url=x", "-1;url=x", "5x;url=y", "5; url="}) {
    EXPECT_THAT(refresh(content), IsEmpty()) << content;
  }
  EXPECT_THAT(refresh("0;urls"), ElementsAre("refresh /dir/urls"));
  EXPECT_THAT(links("<meta name=refresh content='0;url=x'>"), IsEmpty());
}

TEST(Links, AttributesMayBeWrittenInAllWays) {
  EXPECT_THAT(
      links(
          "<a\nhref\t=\n1><a/href='2'/><a title='>' href=\"3\"><a href=4 href=5><a x=\"1\"href=6><a =href=7 "
          "HREF=8><a href=9/><a href = '10'title=x><a href=\"a'b\">"),
      ElementsAre("a /dir/1", "a /dir/2", "a /dir/3", "a /dir/4", "a /dir/6", "a /dir/8", "a /dir/9/",
                  "a /dir/10", "a /dir/a'b"));
  EXPECT_THAT(links("<a href><a href=><a href=''>"), ElementsAre("a /dir/page"))
      << "an empty reference is the page";
}

TEST(Links, AreFoundBehindWhateverAttributesOtherTagsHave) {
  const char* const found[] = {
      "<p =\">\"<a href=x>",        // a `=` may begin a name, and then no value follows
      "<p a=\"b\"='><a href=x>'>",  // ... behind a quoted value
      "<p a/='><a href=x>'>",       // ... behind a slash
      "<p a==\">\"<a href=x>",      // a second `=` begins an unquoted value
      "<p a=b='><a href=x>'>",      // ... in which quotes mean nothing
      "<p \"a'b><a href=x>",        // nor do they in names
      "<p a=><a href=x>",           // a value may be missing
      "</p='><a href=x>'>",         // the name of an element has a `=` in it
      "<p='><a href=x>'>",
      "<p a='><a href=y>'><a href=x>",     // what looks like a tag in a value is none
      "<p a ='><a href=y>'><a href=x>",    // ... with blanks before the `=`
      "<p a= \n'><a href=y>'><a href=x>",  // ... and behind it
      "</p a='><a href=y>'><a href=x>",    // ... and in an end tag
      "<svg></svg></p a='><a href=y>'><a href=x>",
      "<svg><g a='><a href=y>'></g></svg><a href=x>",
  };
  for (const char* html : found) EXPECT_THAT(links(html), ElementsAre("a /dir/x")) << html;
}

TEST(Links, AreFoundAtAnyDistance) {
  for (std::size_t distance = 0; distance < 80; ++distance) {
    const std::string some(distance, 'y');
    for (const std::string& html :
         {some + "<a href=x>", "<p " + some + "><a href=x>", "<p a='" + some + "><a href=z>'><a href=x>",
          "<p " + some + "a=\"<a href=z>\"><a href=x>", "</p " + some + "><a href=x>",
          "<script><!-- " + some + "<script></script><a href=z>--></script><a href=x>",
          "<!--" + some + "--><a href=x>", "<a title='" + some + "' href=x>" + some}) {
      EXPECT_THAT(links(html), ElementsAre("a /dir/x")) << html;
    }
    EXPECT_THAT(links("<a href='" + some + "&amp;'>"), ElementsAre("a /dir/" + some + "&"));
  }
}

TEST(Links, WhatTheEndCutsOffIsNoTag) {
  for (const std::string_view tail :
       {"<", "<a", "<a ", "<a href", "<a href=", "<a href=y", "<a href='y", "<a href='y'", "<a href='y' ",
        "<a href=y /", "</", "</a", "<!", "<!-", "<!--", "<!-- <a href=y>", "<?"}) {
    EXPECT_THAT(links("<a href=x>" + std::string(tail)), ElementsAre("a /dir/x")) << tail;
  }
}

TEST(Links, InCommentsAreNone) {
  for (const std::string_view comment :
       {"<!-- <a href=no> -->", "<!--><a href=x2>-->", "<!---><a href=x2>-->", "<!--!><a href=no>-->",
        "<!----!>", "<!-- --!><a href=x2>", "<!---!><a href=no>-->", "<!----><a href=x2>",
        "<!-- a -- <a href=no> -->", "<!DOCTYPE 'a>", "<! <a href=no>", "<? <a href=no>", "</ <a href=no>",
        "</><a href=x2>", "<![CDATA[<a href=no>]]>"}) {
    const bool more = comment.find("x2") != std::string_view::npos;
    const auto found = links(std::string(comment) + "<a href=x>");
    EXPECT_EQ(found, (more ? std::vector<std::string>{"a /dir/x2", "a /dir/x"}
                           : std::vector<std::string>{"a /dir/x"}))
        << comment;
  }
}

TEST(Links, InRawTextAreNone) {
  for (const std::string_view name :
       {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"}) {
    const std::string element(name);
    EXPECT_THAT(
        links("<" + element + "><a href=no></a></" + element + "x></" + element + " a='>'><a href=x>"),
        ElementsAre("a /dir/x"))
        << name;
    EXPECT_THAT(links("<" + element + "><a href=no></" + element), IsEmpty()) << name;
  }
  EXPECT_THAT(links("<noscript><a href=x></noscript>"), ElementsAre("a /dir/x"));
  EXPECT_THAT(links("<a href=x><plaintext></plaintext><a href=no>"), ElementsAre("a /dir/x"));
}

TEST(Links, AfterEscapedScriptsAreFound) {
  for (const std::string_view script :
       {"<!-- <script> </script> <a href=no> --></script>", "<!-- </script>", "<!--> <script> </script>",
        "<!-- <scriptx> </script>", "<!-- <script> --> </script>", "<!-- <script> </script> </script>",
        "<!-- <script/ </script/ <script> </script> </script>", "'<script>' </SCRIPT\t>",
        "<!-<script></script>"}) {
    EXPECT_THAT(links("<script>" + std::string(script) + "<a href=x>"), ElementsAre("a /dir/x")) << script;
  }
  EXPECT_THAT(links("<script><!-- <script></script> <a href=no>"), IsEmpty());
}

TEST(Links, InSvgAndMathmlAreReadByTheirRules) {
  EXPECT_THAT(links("<svg><style/><a href=1></a><title/><a href=2></a></svg><a href=3>"),
              ElementsAre("a /dir/1", "a /dir/2", "a /dir/3"));
  EXPECT_THAT(links("<svg><![CDATA[>]]<a href=no>]]></svg><a href=x>"), ElementsAre("a /dir/x"));
  EXPECT_THAT(links("<svg/><style><a href=no></style><a href=x>"), ElementsAre("a /dir/x"));
  EXPECT_THAT(links("<svg><foreignObject><style><a href=no></style><a href=1></foreignObject><style><a "
                    "href=2></style>"),
              ElementsAre("a /dir/1", "a /dir/2"));
  EXPECT_THAT(links("<svg><p><style><a href=no></style><a href=x>"), ElementsAre("a /dir/x"))
      << "<p> ends SVG";
  EXPECT_THAT(links("<math><mi><style><a href=no></style></mi><style><a href=x></style></math>"),
              ElementsAre("a /dir/x"));
}

TEST(Links, AreFoundBehindSvgNestedWithoutEnd) {
  std::string html;
  for (int i = 0; i < 10'000; ++i) html += "<svg><desc>";
  EXPECT_THAT(links(html + "<a href=x>"), ElementsAre("a /dir/x"));
}

TEST(Links, CharacterReferencesAreResolved) {
  EXPECT_THAT(
      links(
          "<a href='?a=1&amp;b=2'><a href='?a&copy=1'><a href='?&copy;'><a href='?a&copyb'><a href='?a&copy'>"
          "<a href='&#x2F;&#120;'><a href='&#47x'><a href='?&#;&#x;&;&'><a href='?&nosuch;&notin;&notit;'>"),
      ElementsAre("a /dir/page?a=1&b=2", "a /dir/page?a&copy=1", "a /dir/page?%C2%A9", "a /dir/page?a&copyb",
                  "a /dir/page?a%C2%A9", "a /x", "a /dir/page?&", "a /dir/page?&nosuch;%E2%88%89&notit;"));
}

TEST(Links, InUtf16AreRead) {
  const std::string text = "<a href=x>";
  std::string little = "\xFF\xFE";
  std::string big = "\xFE\xFF";
  for (const char c : text) {
    little += c;
    little += '\0';
    big += '\0';
    big += c;
  }
  EXPECT_THAT(links(little), ElementsAre("a /dir/x"));
  EXPECT_THAT(links(big), ElementsAre("a /dir/x"));
  EXPECT_THAT(links(big + "\x01"), ElementsAre("a /dir/x"));
  EXPECT_THAT(links("\xEF\xBB\xBF" + text), ElementsAre("a /dir/x"));
}

TEST(Links, AreToldApartHoweverManyThereAre) {
  std::string html;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < 3000; ++i) html += "<a href=" + std::to_string(i) + "><area href=1>";
  }
  const Page read = page(html);
  ASSERT_EQ(read.links.size(), 3001U);
  EXPECT_EQ(read.links.back().url.target(), "/dir/2999");
  EXPECT_EQ(read.dropped, 0U);
}

TEST(Links, AreKeptUpToTheirLimit) {
  std::string html;
  for (std::size_t i = 0; i < kLinksMax; ++i) html += "<a href=" + std::to_string(i) + ">";
  EXPECT_EQ(page(html).links.size(), kLinksMax);
  EXPECT_EQ(page(html).dropped, 0U);
  const Page more = page(html + "<a href=more>");
  EXPECT_EQ(more.links.size(), kLinksMax);
  EXPECT_EQ(more.dropped, 1U);
}

TEST(Links, AreLookedForUpToALimitOfReferences) {
  std::string html;
  for (std::size_t i = 0; i + 1 < kReferencesMax; ++i) html += "<a href=x>";
  EXPECT_THAT(links(html + "<a href=last>"), ElementsAre("a /dir/x", "a /dir/last"));
  EXPECT_THAT(links(html + "<a href=x><a href=beyond>"), ElementsAre("a /dir/x"));
  EXPECT_EQ(page(html + "<a href=x><a href=beyond>").dropped, 1U);
}

TEST(Links, WithAnAttributeBeyondTheLimitAreNone) {
  const std::string longest(kAttributeOctetsMax - 1, ' ');
  const Page fits = page("<a href='" + longest + "x'><a href=y>");
  EXPECT_EQ(fits.links.size(), 2U);
  const Page beyond = page("<a href='" + longest + "x '><a href=y>");
  EXPECT_EQ(beyond.links.size(), 1U);
  EXPECT_EQ(beyond.dropped, 1U);
  const Page refresh = page("<meta http-equiv=refresh content='0;" + longest + "x'><a href=y>");
  EXPECT_EQ(refresh.links.size(), 1U);
  EXPECT_EQ(refresh.dropped, 1U);
}

TEST(Links, MetaRobotsRulesAreRead) {
  const auto rules = [](std::string_view name, std::string_view content) {
    const IndexRules read =
        page("<meta name='" + std::string(name) + "' content='" + std::string(content) + "'>").rules;
    return std::string(read.nofollow ? "F" : "") + (read.noindex ? "I" : "") + (read.noarchive ? "A" : "");
  };
  EXPECT_EQ(rules("robots", "nofollow"), "F");
  EXPECT_EQ(rules("ROBOTS", "NoIndex,NOFOLLOW, noarchive"), "FIA");
  EXPECT_EQ(rules(" robots ", "none"), "FI");
  EXPECT_EQ(rules("Crawld", "noindex nofollow"), "FI");
  EXPECT_EQ(rules("googlebot", "none"), "");
  EXPECT_EQ(rules("robots", "all, index, follow"), "");
  EXPECT_EQ(rules("robots", "max-image-preview:none, max-snippet: none"), "");
  EXPECT_EQ(rules("robots", "max-image-preview:none, noindex"), "I");
  EXPECT_EQ(page("<meta name=robots><meta content=none>").rules.noindex, false);
}

TEST(Links, RulesOfSeveralElementsAddUp) {
  const Page read = page("<meta name=robots content=noindex><meta name=crawld content=nofollow>");
  EXPECT_TRUE(read.rules.noindex);
  EXPECT_TRUE(read.rules.nofollow);
}

TEST(RobotsTag, ConcernsUsUnlessAnotherTokenStandsInFront) {
  const auto rules = [](std::string_view value) {
    const IndexRules read = read_robots_tag(value, kTokens);
    return std::string(read.nofollow ? "F" : "") + (read.noindex ? "I" : "") + (read.noarchive ? "A" : "");
  };
  EXPECT_EQ(rules(""), "");
  EXPECT_EQ(rules("noindex"), "I");
  EXPECT_EQ(rules("NOINDEX , nofollow,noarchive"), "FIA");
  EXPECT_EQ(rules("none"), "FI");
  EXPECT_EQ(rules("googlebot: noindex, nofollow"), "");
  EXPECT_EQ(rules("googlebot:none"), "");
  EXPECT_EQ(rules("crawld: noindex, nofollow"), "FI");
  EXPECT_EQ(rules("Crawld:noindex"), "I");
  EXPECT_EQ(rules("noarchive, googlebot: nofollow"), "A");
  EXPECT_EQ(rules("googlebot: nofollow, crawld: noindex"), "I");
  EXPECT_EQ(rules("googlebot: nofollow, *: noindex"), "I");
  EXPECT_EQ(rules("googlebot: nofollow\nnoindex"), "I") << "a header line of its own";
  EXPECT_EQ(rules("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"), "I");
  EXPECT_EQ(rules("unavailable_after: Tuesday, 25-Jun-30 15:00:00 EST, nofollow"), "F");
  EXPECT_EQ(rules("unavailable_after:2030-06-25T15:00:00, nofollow"), "F");
  EXPECT_EQ(rules("max-image-preview:none, max-snippet: 20, nofollow"), "F");
  EXPECT_EQ(rules("max-image-preview: none"), "");
  EXPECT_EQ(rules("googlebot: unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"), "");
}

}  // namespace
}  // namespace crawler
