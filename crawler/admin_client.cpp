#include "crawler/admin_client.h"

#include "base/clock.h"
#include "base/escape.h"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace crawler {
namespace {

namespace http = boost::beast::http;
using Kind = AdminError::Kind;
using Parser = http::response_parser<http::string_body>;

/// A Unix socket whose backlog is full cannot be waited for: it is asked again this often.
constexpr base::Duration kAskAgain = std::chrono::milliseconds(20);

/// One connection, and the time that is left for it.
class Line {
 public:
  Line(const std::string& path, int wake, base::Duration time_max)
      : name_(base::escaped(path)), wake_(wake), until_(clock_.now().steady + time_max) {
    open(path);
  }
  ~Line() {
    if (socket_ >= 0) ::close(socket_);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void send(std::string_view octets) {
    while (!octets.empty()) {
      const ssize_t sent = ::send(socket_, octets.data(), octets.size(), MSG_NOSIGNAL);
      // Who refuses a request says so and closes before all of it has come: the answer is still to be read.
      if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
      if (sent < 0 && errno != EAGAIN && errno != EINTR) fail(errno);
      if (sent < 0) {
        wait(POLLOUT);
      } else {
        octets.remove_prefix(static_cast<std::size_t>(sent));
      }
    }
  }

  /// Adds what comes to `into`; false at the end.
  bool receive(std::string& into) {
    std::array<char, std::size_t{64} * 1024> piece;
    for (;;) {
      wait(POLLIN);
      const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
      if (got < 0 && errno == ECONNRESET) return false;
      if (got < 0 && errno != EAGAIN && errno != EINTR) fail(errno);
      if (got < 0) continue;
      into.append(piece.data(), static_cast<std::size_t>(got));
      return got > 0;
    }
  }

  pid_t peer() const {
    ucred who{};
    socklen_t size = sizeof who;
    return ::getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 ? who.pid : 0;
  }

  [[noreturn]] void refuse(Kind kind, const std::string& why) const {
    throw AdminError(kind, name_ + ": " + why);
  }

 private:
  void open(const std::string& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof where.sun_path) {
      refuse(Kind::no_socket,
             fmt::format("the path of a socket has 1 to {} octets", sizeof where.sun_path - 1));
    }
    std::memcpy(where.sun_path, path.data(), path.size());
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0) fail(errno);
    while (::connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
      if (errno != EAGAIN && errno != EINTR) fail(errno);
      if (left() <= base::Duration::zero()) refuse(Kind::busy, "takes no connection; try again later");
      pause(std::min(left(), kAskAgain), nullptr);
    }
  }

  [[noreturn]] void fail(int error) const {
    switch (error) {
      case ENOENT:
      case ENOTDIR: refuse(Kind::no_socket, "no such socket; is crawld running? see --socket");
      case ECONNREFUSED: refuse(Kind::nobody, "nobody listens there; crawld is not running");
      case ENOTSOCK:
      case EPROTOTYPE: refuse(Kind::not_crawld, "is no socket that crawld has made");
      case EACCES:
      case EPERM:
        refuse(Kind::forbidden, "no permission; be root or in the group that the socket belongs to");
      default: refuse(Kind::broken, std::strerror(error));
    }
  }

  base::Duration left() const { return until_ - clock_.now().steady; }

  void wait(short events) {
    pollfd us{socket_, events, 0};
    while (us.revents == 0) {
      if (left() <= base::Duration::zero()) refuse(Kind::busy, "did not answer in time; try again later");
      pause(left(), &us);
    }
  }

  /// Until `us` is ready or `most` has passed; throws when somebody wakes us.
  void pause(base::Duration most, pollfd* us) {
    std::array<pollfd, 2> both{{{wake_, POLLIN, 0}, us != nullptr ? *us : pollfd{-1, 0, 0}}};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(most).count();
    ::poll(both.data(), both.size(), static_cast<int>(milliseconds));
    if (both[0].revents != 0) refuse(Kind::interrupted, "interrupted");
    if (us != nullptr) us->revents = both[1].revents;
  }

  base::SystemClock clock_;
  std::string name_;
  int wake_;
  base::TimePoint until_;
  int socket_ = -1;
};

AdminAnswer read_answer(Line& line) {
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(kAdminHeadMax));
  parser.body_limit(kAdminAnswerMax);
  parser.eager(true);
  std::string octets;
  std::size_t all = 0;
  while (!parser.is_done()) {
    const std::size_t before = octets.size();
    boost::system::error_code failed;
    if (!line.receive(octets)) {
      // The parser takes no end before it has been given something.
      if (all == 0) line.refuse(Kind::broken, "closed the connection without an answer");
      parser.put_eof(failed);
      if (failed || !parser.is_done()) line.refuse(Kind::not_crawld, "ended in the middle of its answer");
      break;
    }
    all += octets.size() - before;
    // Also what the parser keeps for itself, such as extensions of chunks, has an end.
    if (all > kAdminAnswerMax + 2 * kAdminHeadMax) failed = http::error::body_limit;
    if (!failed) octets.erase(0, parser.put(boost::asio::buffer(octets), failed));
    if (failed == http::error::body_limit) line.refuse(Kind::not_crawld, "the answer is too large");
    if (failed && failed != http::error::need_more)
      line.refuse(Kind::not_crawld, "what listens there is not crawld");
  }
  return {static_cast<int>(parser.get().result_int()), std::move(parser.get().body()), line.peer()};
}

}  // namespace

int AdminError::code() const {
  return kind_ == Kind::busy ? EX_TEMPFAIL : EX_UNAVAILABLE;
}

AdminAnswer AdminClient::ask(std::string_view method, std::string_view target, std::string_view json) const {
  Line line(path_, wake_, time_max_);
  std::string request = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: crawld/" CRAWLD_VERSION
                                    "\r\nAccept: application/json\r\nConnection: close\r\n",
                                    method, target);
  if (method == "POST") {
    request += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", json.size());
  }
  line.send(request + "\r\n" + std::string(json));
  return read_answer(line);
}

bool somebody_listens(const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof where.sun_path) return false;
  std::memcpy(where.sun_path, path.data(), path.size());
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return false;
  const bool taken = ::connect(probe, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
  const bool full = !taken && errno == EAGAIN;  // its queue is, so somebody has it
  ::close(probe);
  return taken || full;
}

std::string query_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace crawler
