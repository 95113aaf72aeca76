#include "crawler/notify.h"

#include "base/log_journal.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace crawler {
namespace {

std::string taken(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

/// A whole positive number, or nothing.
std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || number <= 0) return std::nullopt;
  return number;
}

std::string microseconds(base::Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

}  // namespace

Notify::Notify(const std::string& socket)
    : socket_(socket.empty() ? nullptr : std::make_unique<base::UnixDatagram>(socket)) {}

bool Notify::send(std::string_view assignments) const {
  return on() && socket_->send(assignments);
}

bool Notify::reloading(base::Duration monotonic) const {
  return send("RELOADING=1\nMONOTONIC_USEC=" + microseconds(monotonic));
}

bool Notify::status(std::string_view sentence) const {
  std::string line = base::cut_text(std::string(sentence), kStatusMax);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return send("STATUS=" + line);
}

bool Notify::extend_timeout(base::Duration more) const {
  return send("EXTEND_TIMEOUT_USEC=" + microseconds(more));
}

ServiceEnvironment take_service_environment() {
  ServiceEnvironment found{.socket = taken("NOTIFY_SOCKET")};
  const std::string pid = taken("WATCHDOG_PID");
  const auto usec = number_in(taken("WATCHDOG_USEC"));
  constexpr std::int64_t kLongest = std::int64_t{365} * 24 * 3600 * 1'000'000;
  if (usec && *usec <= kLongest && (pid.empty() || number_in(pid) == ::getpid())) {
    found.watchdog = std::chrono::microseconds(*usec);
  }
  return found;
}

}  // namespace crawler
