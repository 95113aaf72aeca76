#include "crawler/findings.h"

#include "crawler/keeping.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace crawler {
namespace {

using namespace std::chrono_literals;

base::Url url_of(std::string_view text) {
  return *base::Url::parse(text);
}

class FindingsTest : public ::testing::Test {
 protected:
  Findings find(std::string_view url, fetch::Outcome outcome, Fate fate = Fate::fetched) {
    item_.url = url_of(url);
    fate_ = fate;
    const Scope scope(options_.scope, {{url_of("http://a.test/"), "test"}});
    return findings_of(item_, outcome, options_, scope, fate_);
  }
  static fetch::Outcome html(std::string body) {
    fetch::Outcome outcome;
    outcome.status = 200;
    outcome.headers.add("Content-Type", "text/html; charset=utf-8");
    outcome.body = std::move(body);
    return outcome;
  }
  static std::string urls(const Findings& findings) {
    std::string all;
    for (const Offer& offer : findings.offers) all += std::string(offer.url.text()) + "\n";
    return all;
  }

  Item item_;
  FindOptions options_{{{"crawld"}, false}, {}, {}};
  Fate fate_ = Fate::fetched;
};

TEST_F(FindingsTest, LinksThatAreFollowedAreCleanedAndTrapsAndStrangersAreLeftOut) {
  options_.scope.strip_parameters = {"utm_*", "sid"};
  const std::string deep = "/" + std::string(60, 'x');
  const Findings found =
      find("http://a.test/", html("<a href='/p?utm_source=x&id=1&sid=7'>1</a><a href='/p?id=1'>2</a>"
                                  "<a href='/a/b/a/b/a/b/a/b/'>trap</a><a href='http://b.test/'>b</a>"
                                  "<a rel=nofollow href=/n>n</a>"));
  EXPECT_EQ(urls(found), "http://a.test/p?id=1\nhttp://a.test/p?id=1\n");
  EXPECT_EQ(found.traps, 1U);
  EXPECT_EQ(found.out_of_scope, 1U);
  EXPECT_EQ(found.page.links.size(), 5U);
}

TEST_F(FindingsTest, NofollowOfPageAndOfHeaderAndOthersTokens) {
  EXPECT_EQ(urls(find("http://a.test/", html("<meta name=robots content=nofollow><a href=/x>x</a>"))), "");
  fetch::Outcome outcome = html("<a href=/x>x</a>");
  outcome.headers.add("X-Robots-Tag", "otherbot: nofollow");
  EXPECT_EQ(urls(find("http://a.test/", outcome)), "http://a.test/x\n");
  outcome.headers.add("X-Robots-Tag", "crawld: noarchive, nofollow");
  const Findings found = find("http://a.test/", outcome);
  EXPECT_EQ(urls(found), "");
  EXPECT_TRUE(found.rules.noarchive);
}

TEST_F(FindingsTest, PagesThatAskNotToBeKept) {
  const base::WallTime now = std::chrono::sys_days(std::chrono::year(2026) / 3 / 1);
  EXPECT_FALSE(asks_not_to_be_kept({}, now));
  EXPECT_FALSE(asks_not_to_be_kept({.nofollow = true}, now));
  EXPECT_TRUE(asks_not_to_be_kept({.noindex = true}, now));
  EXPECT_TRUE(asks_not_to_be_kept({.noarchive = true}, now));
  EXPECT_TRUE(asks_not_to_be_kept({.unavailable_after = now}, now));
  EXPECT_FALSE(asks_not_to_be_kept({.unavailable_after = now + 1s}, now));
}

TEST_F(FindingsTest, ARedirectLeadsOnAndOneThatLeadsNowhereIsRefused) {
  fetch::Outcome outcome;
  outcome.status = 301;
  outcome.headers.add("Location", "next");
  item_.discovery.depth = 3;
  Findings found = find("http://a.test/dir/", outcome, Fate::redirected);
  ASSERT_EQ(urls(found), "http://a.test/dir/next\n");
  EXPECT_EQ(found.offers[0].discovery.depth, 3U);
  EXPECT_EQ(found.offers[0].discovery.redirects, 1U);
  EXPECT_EQ(fate_, Fate::redirected);
  item_.discovery.redirects = kRedirectsMax;
  EXPECT_EQ(urls(find("http://a.test/dir/", outcome, Fate::redirected)), "");
  EXPECT_EQ(fate_, Fate::refused);
  item_.discovery.redirects = 0;
  outcome.headers = {};
  outcome.headers.add("Location", "/a/b/a/b/a/b/a/b/a");
  find("http://a.test/", outcome, Fate::redirected);
  EXPECT_EQ(fate_, Fate::refused);
}

fetch::Outcome xml(std::string body) {
  fetch::Outcome outcome;
  outcome.status = 200;
  outcome.headers.add("Content-Type", "application/xml");
  outcome.body = std::move(body);
  return outcome;
}

TEST_F(FindingsTest, ASitemapsPagesHaveTheirPlanAndOthersHostsAreLeftOut) {
  item_.discovery.sitemap = true;
  const Findings found =
      find("http://a.test/sitemap.xml",
           xml("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
               "<url><loc>http://a.test/1</loc><lastmod>2026-01-02</lastmod><changefreq>weekly</changefreq>"
               "<priority>0.9</priority></url><url><loc>http://a.test/2</loc><priority>0.1</priority></url>"
               "<url><loc>http://evil.test/3</loc></url><url><loc>http://a.test/4</loc></url></urlset>"));
  EXPECT_EQ(urls(found), "http://a.test/1\nhttp://a.test/2\nhttp://a.test/4\n");
  EXPECT_EQ(found.sitemap, Sitemap::Kind::urlset);
  EXPECT_EQ(found.dropped, 1U);
  const Offer& first = found.offers[0];
  EXPECT_EQ(first.discovery.how, How::sitemap);
  EXPECT_FALSE(first.discovery.sitemap);
  EXPECT_EQ(first.discovery.changes, Changes::weekly);
  EXPECT_EQ(first.modified, 1'767'312'000);
  EXPECT_EQ(first.discovery.depth, 0U);
  EXPECT_EQ(found.offers[1].discovery.depth, 2U);
  EXPECT_EQ(found.offers[2].discovery.depth, 1U);
  EXPECT_EQ(found.offers[2].modified, std::nullopt);
}

TEST_F(FindingsTest, TheLastLineOfATextThatBrokeOffIsNoUrl) {
  item_.discovery.sitemap = true;
  fetch::Outcome outcome = xml("http://a.test/1\nhttp://a.test/2");
  EXPECT_EQ(urls(find("http://a.test/map.txt", outcome)), "http://a.test/1\nhttp://a.test/2\n");
  outcome.error = fetch::Error::truncated;
  EXPECT_EQ(urls(find("http://a.test/map.txt", outcome)), "http://a.test/1\n");
}

TEST_F(FindingsTest, AnIndexLeadsToSitemapsAndNotForEver) {
  item_.discovery.sitemap = true;
  item_.discovery.behalf = "a.test";
  const fetch::Outcome index = xml(
      "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
      "<sitemap><loc>http://maps.test/1.xml</loc></sitemap><sitemap><loc>http://a.test/2.xml</loc></sitemap>"
      "<sitemap><loc>http://evil.test/3.xml</loc></sitemap></sitemapindex>");
  const Findings found = find("http://maps.test/index.xml", index);
  EXPECT_EQ(urls(found), "http://maps.test/1.xml\nhttp://a.test/2.xml\n");
  ASSERT_EQ(found.offers.size(), 2U);
  EXPECT_TRUE(found.offers[0].discovery.sitemap);
  EXPECT_EQ(found.offers[0].discovery.behalf, "a.test");
  EXPECT_EQ(found.offers[1].discovery.behalf, "");
  EXPECT_EQ(found.offers[0].discovery.depth, 1U);
  item_.discovery.depth = kSitemapDepthMax;
  const Findings deeper = find("http://maps.test/index.xml", index);
  EXPECT_EQ(urls(deeper), "");
  EXPECT_EQ(deeper.dropped, 3U);
}

TEST_F(FindingsTest, SitemapsOfARobotsTxt) {
  const base::Origin origin = url_of("http://a.test:81/").origin();
  const std::vector<std::string> named{"/map.xml", "https://b.test/m.xml", "ftp://c.test/", "http://["};
  const std::vector<Offer> offers = sitemap_offers(origin, named, true);
  ASSERT_EQ(offers.size(), 2U);
  EXPECT_EQ(offers[0].url.text(), "http://a.test:81/map.xml");
  EXPECT_EQ(offers[0].discovery.behalf, "");
  EXPECT_EQ(offers[1].discovery.behalf, "a.test");
  EXPECT_TRUE(offers[1].discovery.sitemap);
  EXPECT_TRUE(sitemap_offers(origin, {}, false).empty());
  ASSERT_EQ(sitemap_offers(origin, {}, true).size(), 1U);
  EXPECT_EQ(sitemap_offers(origin, {}, true)[0].url.text(), "http://a.test:81/sitemap.xml");
}

TEST_F(FindingsTest, ARobotsTxtNamesSoManySitemapsOnSoManyHosts) {
  const base::Origin origin = url_of("http://a.test/").origin();
  std::vector<std::string> named;
  for (std::size_t i = 0; i < kSitemapHostsMax + 3; ++i) {
    named.push_back("http://maps" + std::to_string(i) + ".test/1");
    named.push_back("http://maps" + std::to_string(i) + ".test/2");
  }
  EXPECT_EQ(sitemap_offers(origin, named, false).size(), 2 * kSitemapHostsMax);
  named.clear();
  for (std::size_t i = 0; i < kSitemapsOfOriginMax + 1; ++i) named.push_back("/" + std::to_string(i));
  EXPECT_EQ(sitemap_offers(origin, named, false).size(), kSitemapsOfOriginMax);
}

TEST_F(FindingsTest, ARedirectedSitemapStaysWhereItWasSaidToBe) {
  item_.discovery.sitemap = true;
  fetch::Outcome outcome;
  outcome.status = 301;
  const auto led_to = [&](const std::string& location, const std::string& behalf) {
    outcome.headers = {};
    outcome.headers.add("Location", location);
    item_.discovery.behalf = behalf;
    return urls(find("http://maps.test/m.xml", outcome, Fate::redirected));
  };
  EXPECT_EQ(led_to("http://maps.test/n.xml", "a.test"), "http://maps.test/n.xml\n");
  EXPECT_EQ(led_to("http://b.test/n.xml", "b.test"), "http://b.test/n.xml\n");
  EXPECT_EQ(led_to("http://a.test/n.xml", ""), "http://a.test/n.xml\n");  // in scope
  EXPECT_EQ(led_to("http://elsewhere.test/n.xml", "b.test"), "");
  EXPECT_EQ(fate_, Fate::refused);
}

TEST_F(FindingsTest, APageThatSomebodyCallsASitemapStaysAPage) {
  item_.discovery.sitemap = true;
  const Findings found = find("http://a.test/page", html("<!doctype html><p><a href=/x>x</a>"));
  EXPECT_EQ(urls(found), "http://a.test/x\n");
  EXPECT_FALSE(found.offers[0].discovery.sitemap);
  EXPECT_EQ(urls(find("http://b.test/page", html("<!doctype html><p><a href=http://a.test/x>x</a>"))), "");
}

TEST(Keeping, HopsAndTheLineOfAPage) {
  EXPECT_EQ(hops_of({.depth = 2, .redirects = 1, .how = How::redirect}), "LLR");
  EXPECT_EQ(hops_of({.depth = 1, .how = How::sitemap}), "M");
  EXPECT_EQ(hops_of({.how = How::seed, .seed = true}), "");
  const base::Url url = url_of("http://a.test/%22");
  const Discovery discovery{.depth = 2};
  fetch::Outcome outcome;
  outcome.status = 200;
  outcome.body = "abc";
  Findings findings;
  findings.page.title = "A \"title\"\n\x1b[31m";
  const Visited visited{url, discovery, outcome, "fetched", {}, 5ms, "*", "Allow: /", 3};
  const std::string line = page_line(visited, findings, "sha1:X");
  EXPECT_TRUE(line.starts_with("{\"id\":\"1970-01-01T00:00:00.000Z http://a.test/%22\",\"url\":")) << line;
  EXPECT_NE(line.find("\"title\":\"A \\\"title\\\"\\u000a"), std::string::npos) << line;
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  const auto fields = metadata_of(visited, findings);
  EXPECT_TRUE(std::ranges::find(fields, std::pair<std::string, std::string>(
                                            "robotsRule", "Allow: / (line 3)")) != fields.end());
}

}  // namespace
}  // namespace crawler
