#include "crawler/cdxj.h"

#include <gtest/gtest.h>

#include <string>

namespace {

crawler::Capture page() {
  crawler::Capture capture;
  capture.type = "response";
  capture.target = "http://www.a.test/B?z=1&a=2";
  capture.date = "2026-11-21T17:35:40.123Z";
  capture.content_type = "text/html; charset=utf-8";
  capture.status = 200;
  capture.digest = "sha1:FVCJIE7TJFQXMFKGYPK5KMGAUR7MEKDA";
  capture.length = 495;
  capture.offset = 827;
  capture.filename = "a.warc.gz";
  return capture;
}

TEST(Cdxj, IsOneLine) {
  EXPECT_EQ(
      crawler::cdxj_line(page()).value(),
      "test,a)/b?a=2&z=1 20261121173540 {\"url\":\"http://www.a.test/B?z=1&a=2\",\"mime\":\"text/html\","
      "\"status\":\"200\",\"digest\":\"FVCJIE7TJFQXMFKGYPK5KMGAUR7MEKDA\",\"length\":\"495\","
      "\"offset\":\"827\",\"filename\":\"a.warc.gz\"}\n");
}

TEST(Cdxj, SaysThatARevisitIsOne) {
  crawler::Capture capture = page();
  capture.type = "revisit";
  capture.status = 304;
  const std::string line = crawler::cdxj_line(capture).value();
  EXPECT_NE(line.find("\"mime\":\"warc/revisit\",\"status\":\"304\""), std::string::npos) << line;
}

TEST(Cdxj, LeavesOutWhatIsNotKnown) {
  crawler::Capture capture = page();
  capture.content_type = {};
  capture.status = 0;
  capture.digest = {};
  EXPECT_EQ(crawler::cdxj_line(capture).value(),
            "test,a)/b?a=2&z=1 20261121173540 {\"url\":\"http://www.a.test/B?z=1&a=2\",\"length\":\"495\","
            "\"offset\":\"827\",\"filename\":\"a.warc.gz\"}\n");
}

TEST(Cdxj, HasResponsesRevisitsAndResourcesOnly) {
  for (const char* type : {"request", "warcinfo", "metadata", "conversion", "continuation", ""}) {
    crawler::Capture capture = page();
    capture.type = type;
    EXPECT_FALSE(crawler::cdxj_line(capture)) << type;
  }
  crawler::Capture resource = page();
  resource.type = "resource";
  resource.content_type = "text/dns";
  EXPECT_NE(crawler::cdxj_line(resource).value().find("\"mime\":\"text/dns\""), std::string::npos);
  resource.content_type = "application/warc-fields";
  EXPECT_FALSE(crawler::cdxj_line(resource));
  crawler::Capture nowhere = page();
  nowhere.target = {};
  EXPECT_FALSE(crawler::cdxj_line(nowhere));
}

TEST(Cdxj, StaysALineOfJsonWhateverIsInIt) {
  crawler::Capture capture = page();
  capture.target = "http://a.test/\"\\ \n\xff";
  capture.content_type = "text/\"x\"\n{";
  const std::string line = crawler::cdxj_line(capture).value();
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(line,
            "test,a)/\"\\%20%0a%ff 20261121173540 {\"url\":\"http://a.test/\\\"\\\\ \\u000a\xEF\xBF\xBD\","
            "\"mime\":\"text/\\\"x\\\"\",\"status\":\"200\",\"digest\":\"FVCJIE7TJFQXMFKGYPK5KMGAUR7MEKDA\","
            "\"length\":\"495\",\"offset\":\"827\",\"filename\":\"a.warc.gz\"}\n");
}

TEST(Cdxj, FillsUpADateThatIsLessPrecise) {
  for (const auto& [date, digits] :
       {std::pair("2026", "20260101000000"), std::pair("2026-11", "20261101000000"),
        std::pair("2026-11-21T18:30Z", "20261121183000"), std::pair("", "00000101000000"),
        std::pair("2026-11-21T18:30:00.123456789Z", "20261121183000")}) {
    crawler::Capture capture = page();
    capture.date = date;
    EXPECT_EQ(crawler::cdxj_line(capture).value().substr(18, 14), digits);
  }
}

}  // namespace
