// What a crawl keeps, finds in sitemaps and brakes at, in virtual time.
#include "crawler/warc_reader.h"
#include "tests/support/crawl.h"
#include "tests/support/small_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace {

using namespace std::chrono_literals;
using crawler::Fate;
using support::Crawl;
using support::page_with_links;
using support::Reply;

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "crawld-scenario.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }

  struct Record {
    std::string type;
    std::string target;
    std::string head;
    std::string block;
  };
  /// Of all files, which have to be without fault.
  std::vector<Record> records() const {
    std::vector<Record> all;
    for (const auto& entry : fs::directory_iterator(path_)) {
      if (!entry.path().string().ends_with(".warc.gz")) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      crawler::WarcReader reader(in, crawler::WarcReader::Look::all,
                                 [](const crawler::WarcProblem& p) { ADD_FAILURE() << p.what; });
      while (const crawler::WarcEntry* found = reader.next()) {
        Record record{std::string(found->field("WARC-Type")),
                      std::string(found->field("WARC-Target-URI")),
                      found->head,
                      {}};
        for (std::string_view part = reader.read(); !part.empty(); part = reader.read()) record.block += part;
        reader.finish();
        all.push_back(std::move(record));
      }
    }
    return all;
  }
  /// `response http://…` and the like, of everything but requests and metadata, sorted.
  std::vector<std::string> captures() const {
    std::vector<std::string> all;
    for (const Record& record : records()) {
      if (record.type == "response" || record.type == "revisit")
        all.push_back(record.type + " " + record.target);
    }
    std::ranges::sort(all);
    return all;
  }

 private:
  fs::path path_;
};

using Strings = std::vector<std::string>;

TEST(ArchiveStory, EverythingThatWasAnsweredIsThereAndWhatWasSeenBeforeIsARevisit) {
  Folder folder;
  Crawl crawl;
  crawl.keep_in(folder.path());
  crawl.web.add(
      "http://a.test", "192.0.2.1", [](const std::string& target, base::Now, const fetch::Request&) {
        Reply reply;
        if (target == "/robots.txt") reply.body = "User-agent: *\nDisallow: /no\n";
        if (target == "/")
          reply.body = page_with_links({"/1", "/2", "/no", "/gone", "/moved", "/secret", "/hidden"});
        if (target == "/1" || target == "/2") reply.body = "<title>the same</title>";
        if (target == "/gone") reply.status = 404;
        if (target == "/moved") {
          reply.status = 302;
          reply.headers.push_back({"Location", "/1"});
        }
        if (target == "/secret") {
          reply.body = "what nobody may keep";
          reply.headers.push_back({"X-Robots-Tag", "crawld: noarchive"});
        }
        if (target == "/hidden")
          reply.body = "<meta name=robots content=noindex>what nobody may find<a href=/3>3</a>";
        return reply;
      });
  crawl.start({"http://a.test/"});
  crawl.run(1h);
  EXPECT_EQ(crawl.idles, 1U);
  EXPECT_EQ(crawl.bugs(), 0U);
  crawl.archive.reset();
  EXPECT_EQ(folder.captures(),
            (Strings{"response http://a.test/", "response http://a.test/1", "response http://a.test/3",
                     "response http://a.test/gone", "response http://a.test/moved",
                     "response http://a.test/robots.txt", "revisit http://a.test/2"}));
  std::map<std::string, int> types;
  for (const Folder::Record& record : folder.records()) {
    ++types[record.type];
    EXPECT_EQ(record.block.find("nobody may"), std::string::npos) << record.target;
    if (record.type == "revisit") {
      EXPECT_NE(record.head.find("WARC-Refers-To-Target-URI: http://a.test/1\r\n"), std::string::npos);
    }
  }
  EXPECT_EQ(types["request"], 7);
  EXPECT_EQ(types["metadata"], 9);  // of the two that asked not to be kept, that is all
  EXPECT_EQ(crawl.fate(Fate::fetched), 6U);
}

TEST(ArchiveStory, APageThatCouldNotBeKeptIsNotDone) {
  Folder folder;
  Crawl crawl;
  crawl.keep_in(folder.path());
  crawl.web.add("http://a.test", "192.0.2.1",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  if (target == "/") reply.body = page_with_links({"/1", "/2"});
                  return reply;
                });
  {
    const support::SmallFiles full(100);
    crawl.start({"http://a.test/"});
    crawl.run(5min);
    EXPECT_EQ(crawl.fate(Fate::fetched), 0U);
    EXPECT_GT(crawl.requests_to("http://a.test").size(), 2U);
    EXPECT_EQ(crawl.idles, 0U);
  }
  crawl.run(10min);
  EXPECT_EQ(crawl.fate(Fate::fetched), 3U);
  EXPECT_EQ(crawl.idles, 1U);
  crawl.archive.reset();
  EXPECT_EQ(folder.captures(),
            (Strings{"response http://a.test/", "response http://a.test/1", "revisit http://a.test/2"}));
}

std::string urlset(const Strings& urls, const std::string& more = "") {
  std::string body = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
  for (const std::string& url : urls) body += "<url><loc>" + url + "</loc>" + more + "</url>";
  return body + "</urlset>";
}

TEST(SitemapStory, PagesOfSitemapsAreVisitedUnderTheManyRulesThatHoldForAll) {
  Crawl crawl;
  Strings asked;
  crawl.web.add(
      "http://a.test", "192.0.2.1", [](const std::string& target, base::Now, const fetch::Request&) {
        Reply reply;
        if (target == "/robots.txt")
          reply.body =
              "User-agent: *\nCrawl-delay: 5\nDisallow: /no\nSitemap: http://maps.test/a.xml\nSitemap: "
              "/no/own.xml\n"
              "Sitemap: /index.xml\n";
        if (target == "/index.xml")
          reply.body =
              "<sitemapindex "
              "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>http://a.test/child.xml"
              "</loc></sitemap><sitemap><loc>http://evil.test/x.xml</loc></sitemap></sitemapindex>";
        if (target == "/child.xml") reply.body = urlset({"http://a.test/from-child"});
        return reply;
      });
  crawl.web.add("http://maps.test", "192.0.2.2",
                [](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  // Its own sitemaps belong to a site that nobody crawls.
                  if (target == "/robots.txt")
                    reply.body = "User-agent: *\nDisallow:\nSitemap: /of-others.xml\n";
                  if (target == "/a.xml")
                    reply.body = urlset({"http://a.test/from-map", "http://a.test/no/secret",
                                         "http://maps.test/own", "http://b.test/x"});
                  return reply;
                });
  crawl.start({"http://a.test/"}, 2);
  crawl.run(1h);
  std::set<std::string> paths;
  for (const support::Seen& seen : crawl.web.log) paths.insert(seen.origin + seen.target);
  EXPECT_EQ(paths, (std::set<std::string>{"http://a.test/", "http://a.test/child.xml",
                                          "http://a.test/from-child", "http://a.test/from-map",
                                          "http://a.test/index.xml", "http://a.test/robots.txt",
                                          "http://maps.test/a.xml", "http://maps.test/robots.txt"}));
  EXPECT_EQ(crawl.web.log.size(), paths.size());
  const auto own = crawl.requests_to("http://a.test");
  for (std::size_t i = 2; i < own.size(); ++i) EXPECT_GE(own[i].start.steady - own[i - 1].start.steady, 5s);
  EXPECT_EQ(crawl.idles, 1U);
}

TEST(SitemapStory, WhatASitemapSaysHasChangedIsVisitedAgainAtOnce) {
  Crawl crawl;
  crawl.config.recrawl = {true, 24h * 20, 24h, 24h * 40};
  bool news = false;
  crawl.web.add("http://a.test", "192.0.2.1",
                [&news](const std::string& target, base::Now, const fetch::Request&) {
                  Reply reply;
                  if (target == "/robots.txt") reply.body = "User-agent: *\nSitemap: /map.xml\n";
                  if (target == "/map.xml") {
                    reply.body = urlset({"http://a.test/still"}, "<lastmod>2020-01-01</lastmod>");
                    const std::string changed =
                        news ? "<lastmod>2026-03-01T12:00:00Z</lastmod>" : "<lastmod>2020-01-01</lastmod>";
                    reply.body.insert(reply.body.rfind("</urlset>"),
                                      "<url><loc>http://a.test/news</loc>" + changed + "</url>");
                  }
                  return reply;
                });
  crawl.start({"http://a.test/"});
  crawl.run(12h);
  news = true;
  crawl.run(36h);  // the sitemap itself is read again each day
  std::map<std::string, int> visits;
  for (const support::Seen& seen : crawl.web.log) ++visits[seen.target];
  EXPECT_EQ(visits["/map.xml"], 2);
  EXPECT_EQ(visits["/news"], 2);
  EXPECT_EQ(visits["/still"], 1);
  EXPECT_EQ(visits["/"], 1);
}

TEST(TrapStory, ACalendarWithoutEndIsBrakedAndTheRestOfTheSiteIsNot) {
  Crawl crawl;
  crawl.config.traps.brake_after = 50;
  crawl.config.politeness.default_interval = 1s;
  crawl.config.scope.max_depth = 10'000;
  int days = 0;
  crawl.web.add(
      "http://a.test", "192.0.2.1", [&days](const std::string& target, base::Now, const fetch::Request&) {
        Reply reply;
        if (target == "/") {
          Strings links{"/cal/0"};
          for (int i = 0; i < 100; ++i) links.push_back("/page/" + std::to_string(i));
          reply.body = page_with_links(links);
        } else if (target.starts_with("/page/")) {
          reply.body = "all about " + target;
        } else if (target.starts_with("/cal/")) {
          ++days;
          // elsewhere
          reply.body = "no events";
          const int day = std::stoi(target.substr(5));
          reply.headers.push_back({"Link", "</cal/" + std::to_string(day + 1) + ">; rel=next"});
          reply.headers.push_back({"Link", "</cal/" + std::to_string(day + 1000000) + ">; rel=next"});
        }
        return reply;
      });
  crawl.start({"http://a.test/"});
  crawl.run(24h);
  EXPECT_EQ(crawl.bugs(), 0U);
  std::size_t pages = 0;
  for (const support::Seen& seen : crawl.web.log) pages += seen.target.starts_with("/page/") ? 1U : 0U;
  EXPECT_EQ(pages, 100U);
  EXPECT_GE(days, 50);
  EXPECT_LE(days, 400) << "of an endless number";
  EXPECT_GT(crawl.fate(Fate::trap), 10U);
  EXPECT_TRUE(std::ranges::any_of(crawl.lines, [](const std::string& line) {
    return line.find("fate=trap") != std::string::npos && line.find("below /cal/") != std::string::npos;
  }));
}

}  // namespace
