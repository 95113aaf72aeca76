#include "crawler/lookout.h"

#include "crawler/space.h"
#include "crawler/summary.h"

#include <algorithm>
#include <numeric>

namespace crawler {
namespace {

constexpr base::Duration kLineEvery = std::chrono::minutes(1);
/// A last line that is about less than this says nothing new.
constexpr base::Duration kJustSaid = std::chrono::seconds(1);
/// Origins that wait longest are told, so many.
constexpr std::size_t kWaitsTold = 5;
/// ... of so many in memory.
constexpr std::size_t kWaitsLookedAt = 10'000;
/// A wall clock that has moved more than this against the steady one has been set by somebody.
constexpr base::Duration kClockStep = std::chrono::seconds(1);

/// Says so for as long as it lives.
class Busy {
 public:
  explicit Busy(bool& flag) : flag_(flag) { flag_ = true; }
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  bool& flag_;
};

std::uint64_t errors_of(const Counters& counters) {
  // The first is no error.
  return std::accumulate(counters.errors.begin() + 1, counters.errors.end(), std::uint64_t{0});
}

}  // namespace

void Lookout::begin() {
  begun_ = line_from_ = parts_.clock.now();
  next_ = begun_->steady + History::kStep;
}

void Lookout::note_clock(base::Now now) {
  const base::Duration moved = now.offset() - wall_offset_.value_or(now.offset());
  wall_offset_ = now.offset();
  if (moved > kClockStep || moved < -kClockStep) ++clock_steps_;
}

base::Async<> Lookout::sample() {
  note_clock(parts_.clock.now());
  next_ = parts_.clock.now().steady + History::kStep;
  if (sampling_) co_return;
  const Busy busy(sampling_);
  const std::function<Report(Shard&)> ask = [](Shard& shard) { return shard.report(); };
  auto reports = co_await parts_.crew.ask(ask);
  if (!reports) co_return;
  total_ = {};
  for (Report& report : *reports) add_report(total_, std::move(report));
  const base::Now now = parts_.clock.now();
  const Counters& all = total_.counters;
  const Sample totals{now.wall,   all.requests,           errors_of(all),
                      all.octets, total_.hosts.in_flight, total_.urls.owed()};
  Sample passed = totals;
  passed.requests -= sampled_.requests;
  passed.errors -= sampled_.errors;
  passed.octets -= sampled_.octets;
  history_.add(passed);
  sampled_ = totals;
  if (now.steady + kJustSaid >= line_from_.steady + kLineEvery) write_line();
}

void Lookout::last_line() {
  const bool said = begun_ && line_from_.steady > begun_->steady;
  if (said && parts_.clock.now().steady - line_from_.steady < kJustSaid) return;
  total_ = {};
  for (const auto& worker : parts_.crew.workers()) add_report(total_, worker->shard->report());
  write_line();
}

base::Async<std::optional<Condition>> Lookout::condition() {
  using Answer = std::pair<Report, std::vector<HostRow>>;
  const std::function<Answer(Shard&)> ask = [](Shard& shard) {
    return Answer(shard.report(), shard.longest_waits(kWaitsTold, kWaitsLookedAt));
  };
  auto parts = co_await parts_.crew.ask(ask);
  if (!parts) co_return std::nullopt;
  Condition condition;
  for (auto& [report, waits] : *parts) {
    add_report(condition.total, std::move(report));
    condition.waits.insert(condition.waits.end(), waits.begin(), waits.end());
  }
  std::ranges::sort(condition.waits, std::ranges::greater(), &HostRow::next);
  condition.waits.resize(std::min(condition.waits.size(), kWaitsTold));
  add_own(condition.total);
  condition.now = parts_.clock.now();
  condition.threads = parts_.crew.size();
  const config::Config& config = parts_.config;
  condition.disks.push_back({"state", config.storage.directory, free_octets(config.storage.directory)});
  if (parts_.archive != nullptr) {
    const std::string directory = archive_directory(config);
    condition.disks.push_back({"archive", directory, free_octets(directory)});
  }
  condition.pause_below = config.storage.pause_below;
  condition.resume_above = config.storage.resume_above;
  condition.connections = parts_.connections.taken();
  constexpr std::size_t kMinute = 6;  // samples
  condition.requests_per_second = history_.rate(1);
  condition.requests_per_second_minute = history_.rate(kMinute);
  condition.octets_per_second = history_.rate(1, &Sample::octets);
  condition.clock_steps = clock_steps_;
  condition.syncs = parts_.commits.past();
  condition.loop_lag = parts_.crew.lag();
  condition.log_lines = parts_.log.written();
  condition.log_dropped = parts_.log.dropped();
  co_return condition;
}

/// What no shard knows.
void Lookout::add_own(Report& total) const {
  if (parts_.archive != nullptr) total.records = parts_.archive->records();
  if (parts_.archive != nullptr) total.record_octets = parts_.archive->octets();
  if (parts_.crawl_log != nullptr) total.crawl_log_dropped = parts_.crawl_log->dropped();
}

void Lookout::write_line() {
  const base::Now now = parts_.clock.now();
  add_own(total_);
  parts_.log.write(summary_line(total_, before_, now.steady - line_from_.steady, now), now.wall);
  before_ = total_.counters;
  line_from_ = now;
}

}  // namespace crawler
