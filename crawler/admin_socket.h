#pragma once
// Where the admin endpoint's socket is: for the daemon, which makes it, and for whoever looks for it.
#include "config/config.h"

#include <string>

namespace crawler {

/// Where the daemon of `config` makes it: admin.socket, else control.sock in $RUNTIME_DIRECTORY (the first of
/// several, systemd.exec(5)), else in storage.directory. Empty: there is none.
std::string admin_socket_path(const config::Config& config);

/// Where to look for it outside of the service, which alone has $RUNTIME_DIRECTORY: a configuration with the
/// default storage.directory is taken for that of the service, whose socket is in /run/crawld.
std::string find_admin_socket(const config::Config& config);

}  // namespace crawler
