#include "crawler/admin_hosts.h"

#include "base/hash.h"
#include "crawler/admin_api.h"
#include "crawler/admin_question.h"

#include <algorithm>

namespace crawler {
namespace {

/// What never happens comes last.
base::WallTime or_never(const std::optional<base::WallTime>& at) {
  return at.value_or(base::WallTime::max());
}

bool before(const HostRow& a, const HostRow& b, const std::string& sort) {
  if (sort == "state") return a.state < b.state;
  if (sort == "next") return or_never(a.next) < or_never(b.next);
  if (sort == "interval") return a.interval.length < b.interval.length;
  if (sort == "owed") return a.owed < b.owed;
  if (sort == "visits") return a.visits < b.visits;
  if (sort == "latency") return a.latency < b.latency;
  if (sort == "failures") return a.failures < b.failures;
  if (sort == "last") return a.last < b.last;
  return a.origin < b.origin;
}

}  // namespace

HostsQuestion read_hosts_question(const AdminRequest& request) {
  const Question question(request, {"state", "filter", "sort", "order", "limit", "offset"});
  HostsQuestion asked;
  const std::string state = question.text("state");
  asked.state = parse_host_state(state);
  if (!state.empty() && !asked.state)
    throw BadRequest("state: write one of ready, waiting, paused, blocked, in_flight, idle, asleep");
  asked.filter = question.text("filter");
  asked.sort = question.choice(
      "sort", {"origin", "state", "next", "interval", "owed", "visits", "latency", "failures", "last"},
      "origin");
  asked.descending = question.choice("order", {"asc", "desc"}, "asc") == "desc";
  asked.limit = question.number("limit", 50, kRowsMax);
  asked.offset = question.number("offset", 0, kHostsLookedAt);
  return asked;
}

bool add_stored(const Store& store, base::Now now, std::size_t most, std::vector<HostRow>& rows) {
  base::StringSet known;
  for (const HostRow& row : rows) known.emplace(row.origin.text());
  bool complete = true;
  store.scan(Table::hosts, {}, {}, [&](std::string_view, std::string_view value) {
    const std::optional<HostRecord> record = decode_host(value);
    if (!record || known.contains(record->origin)) return true;
    if (rows.size() >= most) return complete = false;
    rows.push_back(row_of(*record, now));
    return true;
  });
  return complete;
}

std::size_t select_rows(std::vector<HostRow>& rows, const HostsQuestion& question) {
  std::erase_if(rows, [&question](const HostRow& row) {
    return (question.state && row.state != *question.state) ||
           row.origin.text().find(question.filter) == std::string_view::npos;
  });
  const std::size_t matched = rows.size();
  std::ranges::sort(rows, [&question](const HostRow& a, const HostRow& b) {
    if (before(a, b, question.sort)) return !question.descending;
    if (before(b, a, question.sort)) return question.descending;
    return a.origin < b.origin;
  });
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(question.offset, matched)));
  if (rows.size() > question.limit)
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(question.limit), rows.end());
  return matched;
}

}  // namespace crawler
