#pragma once
// What the service manager hears from us (sd_notify(3)), without its library.
#include "base/time.h"
#include "base/unix_datagram.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Octets of a STATUS=; systemd shows one line.
inline constexpr std::size_t kStatusMax = 512;

/// Sends nothing where there is no service manager. A message that does not get through is lost: the crawl
/// neither waits nor fails.
class Notify {
 public:
  /// `socket`: as in $NOTIFY_SOCKET; empty: nobody listens.
  explicit Notify(const std::string& socket);

  bool on() const { return socket_ != nullptr; }
  /// Each is one line or more of NAME=VALUE. False: lost.
  bool send(std::string_view assignments) const;
  bool ready() const { return send("READY=1"); }
  /// `monotonic`: CLOCK_MONOTONIC at this moment, without which systemd 253 and later do not believe it.
  bool reloading(base::Duration monotonic) const;
  bool stopping() const { return send("STOPPING=1"); }
  /// One sentence for people; line ends become blanks, and what is beyond kStatusMax is cut off.
  bool status(std::string_view sentence) const;
  bool watchdog() const { return send("WATCHDOG=1"); }
  /// A start or stop that takes longer than the unit allows may take this much more, from now.
  bool extend_timeout(base::Duration more) const;

 private:
  std::unique_ptr<base::UnixDatagram> socket_;
};

/// What a service manager has put into our environment.
struct ServiceEnvironment {
  std::string socket;                        ///< $NOTIFY_SOCKET
  std::optional<base::Duration> watchdog{};  ///< $WATCHDOG_USEC, when it is for this process ($WATCHDOG_PID)
};

/// Reads it and takes it out of the environment, where a child could mistake it for its own. Call it while
/// there is one thread.
ServiceEnvironment take_service_environment();

}  // namespace crawler
