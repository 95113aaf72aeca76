#pragma once
// Questions and orders to a running crawld, with its refusals as exceptions.
#include "crawler/admin_client.h"
#include "crawler/live_fields.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace crawler::live {

/// crawld has answered, and says no. `what()`: its words, escaped.
class Refused : public std::runtime_error {
 public:
  Refused(int code, const std::string& what, Json body)
      : std::runtime_error(what), code_(code), body_(std::move(body)) {}
  /// Of sysexits.h: 65 what was asked is wrong, 75 it is busy, 70 it has failed.
  int code() const { return code_; }
  /// The whole answer: a refused reload has a list `errors`.
  const Json& body() const { return body_; }

 private:
  int code_;
  Json body_;
};

/// GET. Throws Refused, AdminError (also when the answer is no JSON object).
Json ask(const AdminClient& client, std::string_view target);

/// What was done, and by whom.
struct Done {
  Json answer;
  pid_t process = 0;  ///< see AdminAnswer
};
/// POST. Throws as ask() does.
Done order(const AdminClient& client, std::string_view target, const Json& keys);

/// Is the crawl ready (/-/ready)? If not, `why` are its reasons. Throws as ask() does.
struct Readiness {
  bool ready = false;
  std::string why;
  Json answer;
};
Readiness ask_ready(const AdminClient& client);

/// Longest wait for a daemon or a host to come to rest: beyond any visit, and any store that is closed.
inline constexpr base::Duration kRestMax = std::chrono::minutes(10);

/// Waits until the process that answered has ended; where it cannot be seen, until nobody listens. False:
/// `most` has passed.
bool wait_for_end(const AdminClient& client, pid_t process, base::Duration most = kRestMax);
/// Waits until no origin of `host` is in flight. False: `most` has passed.
bool wait_for_host(const AdminClient& client, const std::string& host, base::Duration most = kRestMax);

}  // namespace crawler::live
