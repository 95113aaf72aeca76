#include "crawler/admin_client.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

namespace crawler {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Kind = AdminError::Kind;

int listen_at(const std::string& path, int backlog) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  std::memcpy(where.sun_path, path.data(), path.size());
  EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&where), sizeof where), 0) << std::strerror(errno);
  EXPECT_EQ(::listen(listener, backlog), 0);
  return listener;
}

/// Answers the first connection, octet for octet, then closes it; or keeps it open until the client goes.
class OneAnswer {
 public:
  OneAnswer(const std::string& path, std::string octets, bool keep_open = false)
      : listener_(listen_at(path, 4)), thread_([this, octets = std::move(octets), keep_open] {
          const int peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
          if (peer < 0) return;
          char piece[4096];
          while (request_.find("\r\n\r\n") == std::string::npos) {
            const ssize_t got = ::recv(peer, piece, sizeof piece, 0);
            if (got <= 0) break;
            request_.append(piece, static_cast<std::size_t>(got));
          }
          std::string_view left = octets;
          while (!left.empty()) {
            const ssize_t sent = ::send(peer, left.data(), left.size(), MSG_NOSIGNAL);
            if (sent <= 0) break;
            left.remove_prefix(static_cast<std::size_t>(sent));
          }
          while (keep_open && ::recv(peer, piece, sizeof piece, 0) > 0) {
          }
          ::close(peer);
        }) {}
  ~OneAnswer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;

  /// Only when the client is done.
  const std::string& request() const { return request_; }

 private:
  int listener_;
  std::string request_;
  std::thread thread_;
};

class Admin : public testing::Test {
 protected:
  Admin() {
    char name[] = "/tmp/crawld-test.XXXXXX";
    folder_ = ::mkdtemp(name);
    path_ = folder_ + "/s";
  }
  ~Admin() override { std::filesystem::remove_all(folder_); }

  AdminAnswer answer(const std::string& octets) {
    ::unlink(path_.c_str());
    const OneAnswer server(path_, octets);
    return AdminClient(path_).get("/");
  }

  /// What went wrong, and how long that took at most.
  std::optional<AdminError> failure(const AdminClient& client) {
    try {
      client.get("/");
    } catch (const AdminError& failure) {
      return failure;
    }
    return std::nullopt;
  }
  std::optional<AdminError> failure(const std::string& octets, bool keep_open = false, int wake = -1) {
    ::unlink(path_.c_str());
    const OneAnswer server(path_, octets, keep_open);
    return failure(AdminClient(path_, wake, 200ms));
  }

  std::string folder_;
  std::string path_;
};

std::string of_length(std::size_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" +
         std::string(length, 'x');
}

TEST_F(Admin, AsksAndIsAnswered) {
  const OneAnswer server(path_, "HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\n{}", true);
  const AdminAnswer answer = AdminClient(path_).post("/api/v1/pause", R"({"host":"a"})");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.body, "{}");
  EXPECT_EQ(answer.process, ::getpid());
  EXPECT_THAT(server.request(), testing::StartsWith("POST /api/v1/pause HTTP/1.1\r\nHost: localhost\r\n"));
  EXPECT_THAT(server.request(), HasSubstr("\r\nContent-Length: 12\r\n\r\n"));
}

TEST_F(Admin, TakesEveryFraming) {
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n").body,
            "abc");
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\n\r\nabc").body, "abc");
  EXPECT_EQ(answer("HTTP/1.1 204 No Content\r\n\r\n").body, "");
}

TEST_F(Admin, AnAnswerHasAnEnd) {
  EXPECT_EQ(answer(of_length(kAdminAnswerMax)).body.size(), kAdminAnswerMax);
  for (const std::string& octets :
       {of_length(kAdminAnswerMax + 1), "HTTP/1.1 200 OK\r\n\r\n" + std::string(kAdminAnswerMax + 1, 'x'),
        "HTTP/1.1 200 OK\r\nX: " + std::string(kAdminHeadMax, 'x') + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + std::string(kAdminHeadMax, 'x')}) {
    ::unlink(path_.c_str());
    const OneAnswer server(path_, octets);
    const auto failed = failure(AdminClient(path_));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->kind(), Kind::not_crawld);
  }
  const std::string fits = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ";
  EXPECT_EQ(answer(fits + std::string(kAdminHeadMax - fits.size() - 4, 'x') + "\r\n\r\n").status, 200);
}

TEST_F(Admin, WhatIsNoAnswerIsNotCrawld) {
  for (const std::string octets :
       {"SSH-2.0-x\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 200", "\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab"}) {
    const auto failed = failure(octets);
    ASSERT_TRUE(failed) << octets;
    EXPECT_EQ(failed->kind(), Kind::not_crawld) << octets;
    EXPECT_EQ(failed->code(), EX_UNAVAILABLE);
  }
  EXPECT_EQ(failure("")->kind(), Kind::broken);
}

TEST_F(Admin, AnAnswerThatDoesNotComeIsNotWaitedForForEver) {
  for (const std::string octets : {"", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"}) {
    const auto begun = std::chrono::steady_clock::now();
    const auto failed = failure(octets, true);
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->kind(), Kind::busy);
    EXPECT_EQ(failed->code(), EX_TEMPFAIL);
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 190ms);
  }
}

TEST_F(Admin, AFullQueueIsBusy) {
  const int listener = listen_at(path_, 0);
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  std::memcpy(where.sun_path, path_.data(), path_.size());
  const int first = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(first, reinterpret_cast<sockaddr*>(&where), sizeof where), 0);
  const auto failed = failure(AdminClient(path_, -1, 100ms));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind(), Kind::busy);
  EXPECT_THAT(failed->what(), HasSubstr("takes no connection"));
  ::close(first);
  ::close(listener);
}

TEST_F(Admin, SomebodyWhoWaitsCanBeWoken) {
  const int wake = ::eventfd(1, EFD_CLOEXEC);
  ::unlink(path_.c_str());
  {
    const OneAnswer server(path_, "", true);
    const auto failed = failure(AdminClient(path_, wake, 1min));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->kind(), Kind::interrupted);
  }
  ::close(wake);
}

TEST_F(Admin, NobodyIsThereInSeveralWays) {
  EXPECT_EQ(failure(AdminClient(path_))->kind(), Kind::no_socket);
  EXPECT_EQ(failure(AdminClient(""))->kind(), Kind::no_socket);
  EXPECT_EQ(failure(AdminClient("/dev/null/s"))->kind(), Kind::no_socket);
  ::close(listen_at(path_, 1));
  EXPECT_EQ(failure(AdminClient(path_))->kind(), Kind::nobody);
  if (::geteuid() != 0) {
    ::chmod(path_.c_str(), 0);
    EXPECT_EQ(failure(AdminClient(path_))->kind(), Kind::forbidden);
  }
  EXPECT_STREQ(failure(AdminClient("/no\x1b[2J"))->what(),
               "/no\\x1b[2J: no such socket; is crawld running? see --socket");
}

TEST_F(Admin, ThePathOfASocketHasALimit) {
  const std::size_t most = sizeof(sockaddr_un::sun_path) - 1;
  const std::string fits = folder_ + "/" + std::string(most - folder_.size() - 1, 'x');
  EXPECT_THAT(failure(AdminClient(fits))->what(), HasSubstr("no such socket"));
  EXPECT_THAT(failure(AdminClient(fits + "x"))->what(), HasSubstr("1 to 107 octets"));
}

TEST(QueryValue, LeavesNoOctetThatMeansSomethingElse) {
  EXPECT_EQ(query_value("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(query_value("a&b=c d%\xc3\xa9/?#+\r\n"), "a%26b%3Dc%20d%25%C3%A9%2F%3F%23%2B%0D%0A");
}

}  // namespace
}  // namespace crawler
