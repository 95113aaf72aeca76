#pragma once
// Speaks to a running crawld through its admin socket (crawler/ADMIN.md). Blocking, one connection a request,
// for the command line alone: the daemon never uses it.
#include "base/time.h"

#include <sys/types.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace crawler {

/// Largest answer that is read, in octets. A host with hundreds of origins and their robots.txt fits.
inline constexpr std::size_t kAdminAnswerMax = std::size_t{16} * 1024 * 1024;
/// Largest head of an answer, in octets.
inline constexpr std::size_t kAdminHeadMax = std::size_t{8} * 1024;
/// From connecting to the last octet. The daemon gives itself ten seconds.
inline constexpr base::Duration kAdminTimeMax = std::chrono::seconds(15);

struct AdminAnswer {
  int status = 0;  ///< of HTTP, 100 to 599
  std::string body;
  pid_t process = 0;  ///< who answered; 0: of another PID namespace
};

/// Why there is no answer. `what()` is one line for people, with the socket's path escaped.
class AdminError : public std::runtime_error {
 public:
  enum class Kind {
    no_socket,    ///< nothing has that name
    nobody,       ///< nobody listens there any more
    forbidden,    ///< the socket belongs to others
    busy,         ///< it does not take the connection, or answers too late
    not_crawld,   ///< what answers does not speak as crawld does
    broken,       ///< any other failure
    interrupted,  ///< `wake` was readable
  };
  AdminError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }
  /// Of sysexits.h: 69, or 75 when it is busy.
  int code() const;

 private:
  Kind kind_;
};

/// Whether a connection to the Unix socket at `path` would be taken. Does not wait.
bool somebody_listens(const std::string& path);

class AdminClient {
 public:
  /// `wake`: a descriptor that ends a request as soon as it is readable, such as a signalfd; -1: none.
  explicit AdminClient(std::string path, int wake = -1, base::Duration time_max = kAdminTimeMax)
      : path_(std::move(path)), wake_(wake), time_max_(time_max) {}

  /// `target`: path and query, percent-encoded. Throws AdminError.
  AdminAnswer get(std::string_view target) const { return ask("GET", target, {}); }
  /// `json`: the body. Throws AdminError.
  AdminAnswer post(std::string_view target, std::string_view json) const { return ask("POST", target, json); }

  const std::string& path() const { return path_; }

 private:
  AdminAnswer ask(std::string_view method, std::string_view target, std::string_view json) const;

  std::string path_;
  int wake_;
  base::Duration time_max_;
};

/// `text` as it may stand in a query (RFC 3986 §2.3: all but unreserved characters percent-encoded).
std::string query_value(std::string_view text);

}  // namespace crawler
