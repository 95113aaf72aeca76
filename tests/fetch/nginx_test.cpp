// A real web server: what it does by itself with keep-alive, gzip and chunks.
#include "tests/fetch/net.h"
#include "tests/support/certificates.h"
#include "tests/support/child.h"

#include <gtest/gtest.h>

namespace fetch {
namespace {

std::string page() {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "<p>paragraph " + std::to_string(i * 7919) + "</p>\n";
  return text;
}

std::string configuration(const std::string& folder, std::uint16_t port) {
  return "daemon off; master_process off; worker_processes 1; pid " + folder + "/pid; error_log " + folder +
         "/error.log;\nevents { worker_connections 64; }\nhttp { access_log off; default_type text/html;\n" +
         "client_body_temp_path " + folder + "/b; proxy_temp_path " + folder + "/p; fastcgi_temp_path " +
         folder + "/f; uwsgi_temp_path " + folder + "/u; scgi_temp_path " + folder + "/s;\n" +
         "gzip on; gzip_min_length 100; root " + folder +
         ";\nserver { listen 127.0.0.1:" + std::to_string(port) + "; keepalive_requests 5; }\n}\n";
}

TEST(Nginx, ServesPages) {
  const std::string program = support::find_program("nginx");
  ASSERT_FALSE(program.empty()) << "install nginx-light: this test asks a real web server";
  const support::TempFolder folder;
  const std::string text = page();
  folder.write("page.html", text);
  folder.write("small.html", "small");
  const std::uint16_t port = support::free_port();
  const std::string file = folder.write("nginx.conf", configuration(folder.path(), port));
  const support::Child nginx({program, "-p", folder.path(), "-c", file}, folder.path("log"));
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  Net net;
  for (int i = 0; i < 1000; ++i) {
    if (net.get(url + "/small.html").error != Error::refused) break;
    net.run_for(10ms);
  }
  const Outcome small = net.get(url + "/small.html");
  EXPECT_EQ(small.body, "small") << small.detail;
  EXPECT_TRUE(small.reused);
  const Outcome big = net.get(url + "/page.html");
  EXPECT_EQ(big.body, text);
  EXPECT_EQ(big.headers.get("content-encoding"), "gzip");
  EXPECT_EQ(big.headers.get("transfer-encoding"), "chunked");
  EXPECT_TRUE(big.reused);
  EXPECT_LT(big.wire_octets, text.size() / 2);
  EXPECT_EQ(net.get(url + "/missing").status, 404);

  Request again = Net::request(url + "/small.html");
  again.if_none_match = small.headers.get("etag");
  const Outcome unchanged = net.fetch(std::move(again));
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.body, "");
  int fresh = 0;
  for (int i = 0; i < 20; ++i) {
    const Outcome outcome = net.get(url + "/page.html");
    EXPECT_EQ(outcome.error, Error::none) << outcome.detail;
    EXPECT_EQ(outcome.body, text);
    if (!outcome.reused) ++fresh;
  }
  EXPECT_GE(fresh, 3) << "nginx ends a connection after five requests";
  EXPECT_LE(fresh, 5);
}

}  // namespace
}  // namespace fetch
