#include "crawler/admin_http.h"

#include "crawler/admin_hosts.h"
#include "crawler/admin_question.h"

#include <gtest/gtest.h>

namespace {

using namespace crawler;

std::optional<AdminRequest> read(std::string_view target) {
  AdminRequest request;
  if (!read_target(target, request)) return std::nullopt;
  return request;
}

TEST(AdminHttp, ATargetIsReadStrictly) {
  const auto request = read("/a%20b?x=1&y=a+b%26c&z");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/a b");
  EXPECT_EQ(request->query.at("x"), "1");
  EXPECT_EQ(request->query.at("y"), "a b&c");
  EXPECT_EQ(request->query.at("z"), "");
  EXPECT_TRUE(read("/"));
  EXPECT_TRUE(read("/?"));
  EXPECT_TRUE(read("/?&&"));
  for (const char* const wrong :
       {"", "x", "http://a/", "*", "/%", "/%4", "/%zz", "/?a=%f", "/?a=1&a=2", "/?a&a"}) {
    EXPECT_FALSE(read(wrong)) << wrong;
  }
}

TEST(AdminHttp, OnlyNamesOfTheLoopbackAreOurHost) {
  for (const char* const good : {"127.0.0.1:9464", "[::1]:9464", "localhost:9464", "127.0.0.3:9464"}) {
    EXPECT_TRUE(is_own_host(good, "127.0.0.3", 9464)) << good;
  }
  for (const char* const bad :
       {"", "127.0.0.1", "localhost", ":9464", "evil.test:9464", "127.0.0.1:9465", "127.0.0.1:09464",
        "localhost.evil.test:9464", "127.0.0.2:9464", "evil127.0.0.1:9464", "127.0.0.1:9464 "}) {
    EXPECT_FALSE(is_own_host(bad, "127.0.0.3", 9464)) << bad;
  }
}

TEST(AdminHttp, ThePortOfHttpIsLeftOut) {
  EXPECT_TRUE(is_own_host("127.0.0.1", "127.0.0.1", 80));
  EXPECT_TRUE(is_own_host("localhost:80", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("evil.test", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("", "127.0.0.1", 80));
}

TEST(AdminHttp, SecretsAreTheSameOrNot) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
  EXPECT_FALSE(same_secret("", "a"));
}

TEST(AdminHttp, AnErrorIsJsonWhateverItSays) {
  const AdminResponse response = admin_error(404, "\xff<script>\"");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, "{\"error\":{\"code\":\"not_found\",\"message\":\"\xEF\xBF\xBD<script>\\\"\"}}\n");
}

AdminRequest with_body(std::string body) {
  AdminRequest request;
  request.body = std::move(body);
  return request;
}

TEST(AdminQuestion, AnOrderIsAnObjectOfKnownKeys) {
  const AdminRequest good =
      with_body(R"({"host":"WWW.Example.org","until":"2026-11-22T06:00:00Z","n":1.5,"no":null})");
  const OrderBody body(good, {"host", "until", "n", "no"});
  EXPECT_EQ(body.host(), "www.example.org");
  EXPECT_TRUE(body.time("until"));
  EXPECT_EQ(body.number("n"), 1.5);
  EXPECT_FALSE(body.text("no"));
  EXPECT_FALSE(body.text("missing"));
  EXPECT_THROW(body.required("missing"), BadRequest);
  EXPECT_THROW(body.number("host"), BadRequest);
  EXPECT_THROW(body.text("n"), BadRequest);
  for (const char* const wrong : {"[]", "1", "{", "{\"x\":1}", "{\"host\":1,}", "\xff"}) {
    EXPECT_THROW(OrderBody(with_body(wrong), {"host"}), BadRequest) << wrong;
  }
  EXPECT_NO_THROW(OrderBody(with_body(""), {}));
  for (const char* const wrong :
       {R"({"host":"http://a/"})", R"({"host":"a/b"})", R"({"host":""})", R"({"host":null})",
        R"({"host":"a:81"})", R"({"host":"a b"})", R"({"host":"u@a"})"}) {
    EXPECT_THROW(OrderBody(with_body(wrong), {"host"}).host(), BadRequest) << wrong;
  }
  EXPECT_THROW(OrderBody(with_body(R"({"until":"tomorrow"})"), {"until"}).time("until"), BadRequest);
}

HostRow row(std::string_view origin, HostState state, std::uint64_t owed) {
  HostRow made;
  made.origin = base::Url::parse(std::string(origin) + "/")->origin();
  made.state = state;
  made.owed = owed;
  return made;
}

std::string selected(std::string_view target) {
  AdminRequest request;
  EXPECT_TRUE(read_target(target, request));
  std::vector<HostRow> rows{
      row("http://c.test", HostState::waiting, 5), row("http://a.test", HostState::idle, 7),
      row("http://b.test", HostState::waiting, 5), row("https://b.test", HostState::ready, 1)};
  const std::size_t matched = select_rows(rows, read_hosts_question(request));
  std::string out = std::to_string(matched) + ":";
  for (const HostRow& found : rows) out += " " + std::string(found.origin.text());
  return out;
}

TEST(AdminHosts, RowsAreChosenSortedAndPaged) {
  EXPECT_EQ(selected("/"), "4: http://a.test http://b.test http://c.test https://b.test");
  EXPECT_EQ(selected("/?state=waiting"), "2: http://b.test http://c.test");
  EXPECT_EQ(selected("/?filter=b.t&sort=owed"), "2: https://b.test http://b.test");
  EXPECT_EQ(selected("/?sort=owed&order=desc"),
            "4: http://a.test http://b.test http://c.test https://b.test");
  EXPECT_EQ(selected("/?limit=2&offset=1"), "4: http://b.test http://c.test");
  EXPECT_EQ(selected("/?limit=0"), "4:");
  EXPECT_EQ(selected("/?offset=100"), "4:");
  EXPECT_EQ(selected("/?limit=1000"), "4: http://a.test http://b.test http://c.test https://b.test");
  for (const char* const wrong :
       {"/?limit=1001", "/?limit=-1", "/?limit=x", "/?limit=", "/?offset=100001", "/?order=up", "/?sort=x",
        "/?state=x", "/?what=1", "/?limit=99999999999999999999"}) {
    EXPECT_THROW(selected(wrong), BadRequest) << wrong;
  }
}

}  // namespace
