#pragma once
// HTTP/1.1 on a Unix socket and on loopback TCP, for people and programs that look after the crawl
// (crawler/ADMIN.md). Knows nothing of crawling.
#include "base/clock.h"
#include "base/log.h"
#include "base/tasks.h"
#include "config/config.h"
#include "crawler/admin_http.h"

#include <functional>
#include <memory>
#include <string>

namespace crawler {

/// Connections that are served at once. One more ends the one that has waited longest for a request, or is
/// closed when none waits.
inline constexpr std::size_t kAdminConnectionsMax = 16;
/// A request, and its answer, take no longer; nor does a connection stay open without one.
inline constexpr base::Duration kAdminRequestMax = std::chrono::seconds(10);
/// Requests of one connection.
inline constexpr std::size_t kAdminRequestsMax = 1'000;
inline constexpr std::size_t kAdminRequestHeadMax = std::size_t{8} * 1024;
inline constexpr std::size_t kAdminBodyMax = std::size_t{64} * 1024;

/// Bound to one thread. Destroy it only when its io_context no longer runs.
class AdminServer {
 public:
  using Handler = std::function<base::Async<AdminResponse>(AdminRequest)>;
  /// Opens what the configuration names. Throws StartError when it cannot. A path that was not chosen by
  /// hand and is too long for a socket only costs a warning.
  AdminServer(base::Executor executor, base::Clock& clock, const config::Config& config, base::Log& log,
              Handler handler);
  ~AdminServer();

  /// Begins to answer.
  void start();
  /// Takes nothing from now on; what is under way is cut off.
  void close();
  std::size_t connections() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crawler
