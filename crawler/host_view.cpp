#include "crawler/host_view.h"

#include "crawler/frontier_rows.h"

#include <array>

namespace crawler {
namespace {

constexpr int kMinutes = 24 * 60;
constexpr std::array kStates{HostState::ready,     HostState::waiting, HostState::paused, HostState::blocked,
                             HostState::in_flight, HostState::idle,    HostState::asleep};

}  // namespace

std::string_view to_string(HostState state) {
  switch (state) {
    case HostState::ready: return "ready";
    case HostState::waiting: return "waiting";
    case HostState::paused: return "paused";
    case HostState::blocked: return "blocked";
    case HostState::in_flight: return "in_flight";
    case HostState::idle: return "idle";
    case HostState::asleep: return "asleep";
  }
  return "?";
}

std::optional<HostState> parse_host_state(std::string_view word) {
  for (const HostState state : kStates) {
    if (to_string(state) == word) return state;
  }
  return std::nullopt;
}

HostRow row_of(const HostRecord& record, base::Now now) {
  HostRow row;
  if (const auto root = base::Url::parse(record.origin + "/")) row.origin = root->origin();
  row.owed = owed_of(record);
  row.accepted = record.accepted;
  row.visits = record.visits;
  row.latency = record.clocks.latency;
  row.failures = record.clocks.failures;
  row.state = record.listed ? HostState::asleep : HostState::idle;
  if (record.listed) row.next = now.wall_at(std::max(*record.listed, now.steady));
  if (record.clocks.started != base::TimePoint::min()) row.last = now.wall_at(record.clocks.started);
  return row;
}

std::vector<Stretch> day_of(const scheduler::Pace& pace, base::WallTime now) {
  const auto midnight = std::chrono::floor<std::chrono::days>(now);
  std::vector<Stretch> day;
  for (int minute = 0; minute < kMinutes; ++minute) {
    const base::WallTime at = midnight + std::chrono::minutes(minute);
    Stretch next{minute, minute + 1, pace.at(at), pace.open(at)};
    if (!day.empty() && day.back().interval == next.interval && day.back().open == next.open) {
      day.back().to = next.to;
    } else {
      day.push_back(next);
    }
  }
  return day;
}

}  // namespace crawler
