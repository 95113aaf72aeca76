// The durable frontier: how many URLs a second one core offers and takes, new ones and repeats, and what they
// take on disk and in memory. Each row is one run on a fresh store below $CRAWLD_BENCH_DIR (or the folder for
// temporary files); 50 million URLs want about 5 GB there. Rows above 10 million run when CRAWLD_BENCH_LARGE
// is set. `_us` is CPU time a URL: of the calling thread, and of the process, which flushes and compacts
// beside.
#include "base/clock.h"
#include "crawler/frontier.h"
#include "crawler/opening.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace {

constexpr std::uint64_t kPage = 20;  ///< new URLs of a page, written together

double seconds_of(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// What something took since the watch was made.
class Watch {
 public:
  double wall() const { return seconds_of(CLOCK_MONOTONIC) - wall_; }
  std::string text(std::uint64_t count) const {
    const auto times = static_cast<double>(count);
    return std::to_string(times / wall()) + " a second, us of the thread " +
           std::to_string((seconds_of(CLOCK_THREAD_CPUTIME_ID) - thread_) * 1e6 / times) + ", of all " +
           std::to_string((seconds_of(CLOCK_PROCESS_CPUTIME_ID) - process_) * 1e6 / times);
  }
  /// Counters of `name`, for `count` times what was done.
  void report(benchmark::State& state, const std::string& name, std::uint64_t count) const {
    const auto times = static_cast<double>(std::max<std::uint64_t>(count, 1));
    state.counters[name + "/s"] = times / wall();
    state.counters[name + "_thread_us"] = (seconds_of(CLOCK_THREAD_CPUTIME_ID) - thread_) * 1e6 / times;
    state.counters[name + "_process_us"] = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - process_) * 1e6 / times;
  }

 private:
  double wall_ = seconds_of(CLOCK_MONOTONIC);
  double thread_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  double process_ = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
};

/// How long the event loop was kept by one page at a time. On a machine with other work the longest calls are
/// those that the thread was not running in: then its own time says more.
class Calls {
 public:
  template <class Call>
  void time(Call call) {
    const double wall = seconds_of(CLOCK_MONOTONIC);
    const double thread = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    call();
    thread_max_ = std::max(thread_max_, seconds_of(CLOCK_THREAD_CPUTIME_ID) - thread);
    const double took = seconds_of(CLOCK_MONOTONIC) - wall;
    wall_max_ = std::max(wall_max_, took);
    ++buckets_[std::min<std::size_t>(static_cast<std::size_t>(took * 1e5), buckets_.size() - 1)];
    ++count_;
  }
  void report(benchmark::State& state, const std::string& name) const {
    std::uint64_t beyond = count_ / 1000;
    std::size_t at = buckets_.size();
    for (std::uint64_t sum = 0; at > 0 && sum <= beyond;) sum += buckets_[--at];
    state.counters[name + "_p99.9_ms"] = static_cast<double>(at + 1) / 100;
    state.counters[name + "_max_ms"] = wall_max_ * 1e3;
    state.counters[name + "_max_thread_ms"] = thread_max_ * 1e3;
    std::uint64_t slow = 0;
    for (std::size_t i = 2'000; i < buckets_.size(); ++i) slow += buckets_[i];
    state.counters[name + "_over_20ms"] = static_cast<double>(slow);
  }

 private:
  std::vector<std::uint64_t> buckets_ = std::vector<std::uint64_t>(100'000);  ///< of 10 us
  std::uint64_t count_ = 0;
  double wall_max_ = 0;
  double thread_max_ = 0;
};

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * 4096 / (1024.0 * 1024.0);
}

/// The URL with number `n`, as it comes out of pages with kPage new URLs each: four of five are of the page's
/// own host, the others of any. Hosts are of very different sizes, paths as long as they are on the web.
base::Url url_of(std::uint64_t n, std::uint64_t hosts) {
  const std::uint64_t of = n % 5 == 4 ? n : n / kPage;
  const std::uint64_t mixed = (of * 0x9e37'79b9'7f4a'7c15ULL) >> 11U;
  const std::uint64_t host = (mixed % hosts) * ((mixed >> 32U) % 8) / 8;
  return *base::Url::parse("https://www.site" + std::to_string(host) + ".example/articles/2026/11/section-" +
                           std::to_string(n % 97) + "/page-" + std::to_string(n) + ".html");
}

struct Place {
  explicit Place(std::uint64_t memory) {
    const char* const asked = std::getenv("CRAWLD_BENCH_DIR");
    std::string name =
        (asked != nullptr ? std::filesystem::path(asked) : std::filesystem::temp_directory_path()) /
        "crawld-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    directory = name;
    config.storage.directory = name;
    config.storage.memory = memory;
    open();
  }
  ~Place() {
    frontier.reset();
    opening.store.reset();
    std::filesystem::remove_all(directory);
  }
  void open() {
    opening = crawler::open_frontier(config, base::machine_now, 1);
    crawler::Frontier::Parts parts{.store = *opening.store,
                                   .secret = opening.secret,
                                   .opened = opening.opened,
                                   .fresh = opening.fresh,
                                   .memory = crawler::shards_memory(config.storage)};
    parts.scope.max_urls_per_origin = UINT64_MAX;
    parts.scope.max_urls_per_domain = UINT64_MAX;
    parts.recrawl.enabled = false;
    frontier = std::make_unique<crawler::Frontier>(parts);
  }
  double disk_octets() const {
    double sum = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
      std::error_code gone;  // compaction goes on
      const std::uintmax_t octets = file.file_size(gone);
      if (!gone) sum += static_cast<double>(octets);
    }
    return sum;
  }

  config::Config config;
  std::string directory;
  crawler::Opening opening;
  std::unique_ptr<crawler::Frontier> frontier;
};

void offer_range(crawler::Frontier& frontier, std::uint64_t from, std::uint64_t to, std::uint64_t hosts,
                 Calls& calls) {
  for (std::uint64_t page = from; page < to; page += kPage) {
    calls.time([&] {
      for (std::uint64_t n = page; n < page + kPage; ++n) {
        const auto depth = static_cast<std::uint32_t>(page / kPage % 4);
        frontier.offer({url_of(n, hosts), {.depth = depth}}, base::TimePoint{});
      }
      frontier.commit();
    });
  }
}

/// Offers `count` URLs again that stand anywhere from number `from` to `to`.
void offer_again(benchmark::State& state, const std::string& name, crawler::Frontier& frontier,
                 std::uint64_t from, std::uint64_t to, std::uint64_t hosts, std::uint64_t count) {
  std::vector<base::Url> again;
  for (std::uint64_t i = 0; i < count; ++i)
    again.push_back(url_of(from + (i * 0x9e37'79b9'7f4a'7c15ULL >> 8U) % (to - from), hosts));
  const Watch watch;
  for (const base::Url& url : again) frontier.offer({url, {}}, base::TimePoint{});
  frontier.commit();
  watch.report(state, name, count);
}

/// Takes and settles some URLs of many origins, as the scheduler asks for them.
void visit(benchmark::State& state, crawler::Frontier& frontier) {
  std::string after;
  std::vector<crawler::DueRow> rows;
  frontier.due_rows(after, base::TimePoint::max(), 2'000, rows);
  std::vector<base::Origin> origins;
  const Watch watch;
  Calls calls;
  for (const crawler::DueRow& row : rows) {
    if (auto origin = frontier.hold(row)) origins.push_back(std::move(*origin));
  }
  std::uint64_t taken = 0;
  crawler::Ending fetched;
  fetched.status = 200;
  for (int round = 0; round < 50; ++round) {
    for (const base::Origin& origin : origins) {
      calls.time([&] {
        auto item = frontier.take(origin, base::TimePoint{});
        if (!item) return;
        frontier.begin_request(origin);
        frontier.commit();
        frontier.end_request(origin, {});
        frontier.settle(std::move(*item), fetched, base::TimePoint{});
        frontier.commit();
        ++taken;
      });
    }
  }
  watch.report(state, "visit", taken);
  calls.report(state, "visit");
}

/// Offers range(0) new URLs of range(1) hosts, offers some of them again, closes, opens, offers as before,
/// and visits 100,000.
void Frontier(benchmark::State& state) {
  const auto urls = static_cast<std::uint64_t>(state.range(0));
  const auto hosts = static_cast<std::uint64_t>(state.range(1));
  if (urls > 10'000'000 && std::getenv("CRAWLD_BENCH_LARGE") == nullptr) {
    state.SkipWithError("set CRAWLD_BENCH_LARGE=1");
    return;
  }
  for ([[maybe_unused]] const auto turn : state) {
    Place place(std::uint64_t{512} * 1024 * 1024);
    Calls calls;
    const Watch offering;
    // The last tenth tells what it is like when all that is known has been piled up.
    for (std::uint64_t tenth = 1; tenth <= 10; ++tenth) {
      const Watch watch;
      offer_range(*place.frontier, urls / 10 * (tenth - 1), urls / 10 * tenth, hosts, calls);
      if (tenth == 10) watch.report(state, "last_new", urls / 10);
      if (urls > 1'000'000) {
        std::cerr << urls / 10 * tenth << " URLs: " << resident_mib() << " MiB, "
                  << place.disk_octets() / static_cast<double>(urls / 10 * tenth) << " octets each, "
                  << watch.text(urls / 10) << '\n';
      }
    }
    offering.report(state, "new", urls);
    calls.report(state, "page");
    state.counters["resident_MiB"] = resident_mib();

    const std::uint64_t recent = urls - std::min<std::uint64_t>(urls, 500'000);
    offer_again(state, "recent", *place.frontier, recent, urls, hosts, 500'000);
    offer_again(state, "any", *place.frontier, 0, urls, hosts, 500'000);

    place.frontier.reset();
    const Watch closing;
    place.opening.store.reset();
    state.counters["close_s"] = closing.wall();
    state.counters["octets/url"] = place.disk_octets() / static_cast<double>(urls);
    const Watch opening;
    place.open();
    state.counters["open_ms"] = opening.wall() * 1e3;

    // Memory knows nothing of the last run: each URL is asked for on disk once.
    const Watch reopened;
    Calls asking;
    offer_range(*place.frontier, urls, urls + 100'000, hosts, asking);
    reopened.report(state, "reopened_new", 100'000);
    offer_again(state, "reopened_any", *place.frontier, 0, urls, hosts, 100'000);
    visit(state, *place.frontier);
  }
}
BENCHMARK(Frontier)
    ->Args({1'000'000, 10'000})
    ->Args({10'000'000, 100'000})
    ->Args({50'000'000, 500'000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
