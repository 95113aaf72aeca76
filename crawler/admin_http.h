#pragma once
// A request to the admin endpoint and its answer, without the wire.
#include <map>
#include <string>
#include <string_view>

namespace crawler {

struct AdminRequest {
  std::string method;
  std::string path;                                       ///< decoded, without the query
  std::map<std::string, std::string, std::less<>> query;  ///< decoded; a name that comes twice is an error
  std::string body;
  bool may_order = false;  ///< it came by the socket, or brought the token
};

struct AdminResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

/// {"error":{"code":…,"message":…}}
AdminResponse admin_error(int status, std::string_view message);

/// Reads `/path?name=value`. Nothing when it is no such text, holds a broken escape, or names something
/// twice.
bool read_target(std::string_view target, AdminRequest& request);

/// Whether a Host header means an endpoint that listens on `port` of the loopback `address`: a name that a
/// stranger has pointed at it (DNS rebinding) is another one.
bool is_own_host(std::string_view host, std::string_view address, unsigned port);

/// Compares in a time that tells nothing of where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace crawler
