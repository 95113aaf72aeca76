#include "crawler/live_ask.h"

#include "base/clock.h"
#include "base/escape.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

#include <functional>

namespace crawler::live {
namespace {

/// How often somebody who waits looks.
constexpr std::chrono::milliseconds kLookEvery{200};

Json checked(const AdminClient& client, const AdminAnswer& answer) {
  Json read = parse(answer.body).value_or(Json());
  const bool good = answer.status >= 200 && answer.status < 300;
  const Json& error = at(read, "error");
  if (!read.is_object() || (!good && !error.is_object())) {
    throw AdminError(AdminError::Kind::not_crawld,
                     fmt::format("{}: what listens there is not crawld: it answered {}",
                                 base::escaped(client.path()), answer.status));
  }
  if (good) return read;
  const bool busy = answer.status == 503 || answer.status == 408;
  const int code = busy ? EX_TEMPFAIL : answer.status < 500 ? EX_DATAERR : EX_SOFTWARE;
  const std::string message = text(error, "message");
  throw Refused(code, base::escaped(message.empty() ? "refused: " + text(error, "code") : message), read);
}

/// Asks `over` again and again, until it is true or `most` has passed.
bool wait_until(const std::function<bool(std::chrono::milliseconds)>& over, base::Duration most) {
  const base::SystemClock clock;
  const base::TimePoint until = clock.now().steady + most;
  while (!over(kLookEvery)) {
    if (clock.now().steady >= until) return false;
  }
  return true;
}

/// Nobody is there any more.
bool gone(const AdminError& failure) {
  return failure.kind() == AdminError::Kind::nobody || failure.kind() == AdminError::Kind::no_socket;
}

bool silent(const AdminClient& client) {
  try {
    client.get("/-/healthy");
  } catch (const AdminError& failure) {
    return gone(failure);
  }
  return false;
}

/// 404 is rest, too: what is not known has no request under way.
bool at_rest(const AdminClient& client, const std::string& target) {
  const AdminAnswer answer = client.get(target);
  if (answer.status == 404) return true;
  const Json host = checked(client, answer);
  for (const Json& row : origins_of(host)) {
    if (text(row, "state") == "in_flight") return false;
  }
  return true;
}

}  // namespace

Json ask(const AdminClient& client, std::string_view target) {
  return checked(client, client.get(target));
}

Done order(const AdminClient& client, std::string_view target, const Json& keys) {
  const std::string body = keys.is_null() ? "{}" : keys.dump(-1, ' ', false, Json::error_handler_t::replace);
  const AdminAnswer answer = client.post(target, body);
  return {checked(client, answer), answer.process};
}

Readiness ask_ready(const AdminClient& client) {
  const AdminAnswer answer = client.get("/-/ready");
  const std::optional<Json> read = parse(answer.body);
  // A busy endpoint answers 503 as well, with an error.
  if (!read || !at(*read, "ready").is_boolean()) return {false, {}, checked(client, answer)};
  Readiness told{flag(*read, "ready"), {}, *read};
  for (const Json& why : list(*read, "why")) {
    if (why.is_string()) told.why += (told.why.empty() ? "" : ", ") + base::escaped(why.get<std::string>());
  }
  return told;
}

bool wait_for_end(const AdminClient& client, pid_t process, base::Duration most) {
  const int watched = process > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, process, 0)) : -1;
  const bool over = wait_until(
      [&](std::chrono::milliseconds pause) {
        pollfd end{watched, POLLIN, 0};
        ::poll(&end, 1, static_cast<int>(pause.count()));
        return watched >= 0 ? end.revents != 0 : silent(client);
      },
      most);
  if (watched >= 0) ::close(watched);
  return over;
}

bool wait_for_host(const AdminClient& client, const std::string& host, base::Duration most) {
  const std::string target = "/api/v1/host?name=" + query_value(host);
  return wait_until(
      [&](std::chrono::milliseconds pause) {
        try {
          if (at_rest(client, target)) return true;
        } catch (const AdminError& failure) {
          if (!gone(failure)) throw;
          return true;
        }
        ::poll(nullptr, 0, static_cast<int>(pause.count()));
        return false;
      },
      most);
}

}  // namespace crawler::live
