#pragma once
// Which origins an answer lists, and in which order. Pure, but for the store that it reads.
#include "crawler/admin_http.h"
#include "crawler/host_view.h"
#include "crawler/store.h"

#include <optional>
#include <string>
#include <vector>

namespace crawler {

struct HostsQuestion {
  std::optional<HostState> state;
  std::string filter;  ///< a part of the origin's text
  std::string sort = "origin";
  bool descending = false;
  std::size_t limit = 50;
  std::size_t offset = 0;
};

/// Throws BadRequest.
HostsQuestion read_hosts_question(const AdminRequest& request);

/// Adds the origins that only the store knows. False: `rows` has become as long as `most`, and there are
/// more.
bool add_stored(const Store& store, base::Now now, std::size_t most, std::vector<HostRow>& rows);

/// Leaves what was asked for, in order. Returns how many had matched.
std::size_t select_rows(std::vector<HostRow>& rows, const HostsQuestion& question);

}  // namespace crawler
